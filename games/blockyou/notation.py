"""Claims of BlockYou! as text, both ways. Texts are exact: nothing is trimmed, and no second spelling is read."""

from __future__ import annotations

import re

from games.blockyou.placement import PLACEMENTS, TURNS, WINDOWS, Placement
from games.blockyou.position import NOFIT, Move
from games.contract.errors import IllegalMove

HIDDEN = "?"
"""Stands for a claim that the viewer may not know."""

_NOFIT = "nofit"
CLAIM = re.compile("([0-6]),([0-6])/([0-3])")
"""The text of a placement: row, column and turn."""


def parse_move(text: str) -> Move:
    """The claim of an exact text, e.g. `3,0/2`, or `nofit`.

    Raises `IllegalMove` with the code `malformed`.
    """
    if text == _NOFIT:
        return NOFIT
    found = CLAIM.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise IllegalMove("malformed")
    row, col, turn = map(int, found.groups())
    return PLACEMENTS[(row * WINDOWS + col) * TURNS + turn]


def format_move(move: Move) -> str:
    """The one text of a claim."""
    return f"{move.row},{move.col}/{move.turn}" if isinstance(move, Placement) else _NOFIT
