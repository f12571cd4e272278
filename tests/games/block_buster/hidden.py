"""What a viewer of Block Buster may not know: nothing. Hands there are none, and all blocks and tokens lie open."""

from __future__ import annotations

from random import Random

from games.block_buster.position import Position
from games.contract.values import Viewer

NOTHING_HIDDEN = True


def twin(position: Position, viewer: Viewer, rng: Random) -> Position:
    """The position itself: no other one looks the same."""
    return position


def twin_move(position: Position, seat: int, text: str, viewer: Viewer, rng: Random) -> tuple[Position, str]:
    """The move itself: it shows all there is to it."""
    return position, text
