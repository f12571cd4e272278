"""Moves and cells of M as text, both ways. Texts are exact: nothing is trimmed, and no second spelling is read."""

from __future__ import annotations

import re

from games.contract.errors import IllegalMove
from games.m.position import COLOURS, SYMBOLS, Cell, Move, Pass, Place, Take

# Tiles number 90 and each new one touches another, so no true coordinate has more than two digits; the bound keeps
# a number of a million digits from being read at all.
_NUMBER = "(?:0|-?[1-9][0-9]{0,5})"
_TILE = f"[{COLOURS}](?:0|[{SYMBOLS}][1-4])"
_MOVE = re.compile(
    f"(?P<placed>{_TILE})@(?P<to>{_NUMBER},{_NUMBER})(?:/(?P<line>row|col))?"
    f"|take (?P<taken>{_NUMBER},{_NUMBER})"
    f"|pass(?: (?P<exchanged>{_TILE}))?"
)


def parse_move(text: str) -> Move:
    """The move of an exact text, e.g. `RT3@2,-1/row`, `take 2,-1`, `pass RT3`.

    Raises `IllegalMove` with the code `malformed`.
    """
    found = _MOVE.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise IllegalMove("malformed")
    if found["placed"]:
        return Place(found["placed"], parse_cell(found["to"]), found["line"])
    if found["taken"]:
        return Take(parse_cell(found["taken"]))
    return Pass(found["exchanged"])


def format_move(move: Move) -> str:
    """The one text of a move."""
    match move:
        case Place(tile, cell, line):
            return f"{tile}@{format_cell(cell)}" + (f"/{line}" if line else "")
        case Take(cell):
            return f"take {format_cell(cell)}"
        case Pass(tile):
            return f"pass {tile}" if tile else "pass"


def parse_cell(text: str) -> Cell:
    """The cell of a text like `2,-1`, known to be sound."""
    x, y = text.split(",")
    return int(x), int(y)


def format_cell(cell: Cell) -> str:
    """A cell as text, `x,y`."""
    return f"{cell[0]},{cell[1]}"
