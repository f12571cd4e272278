"""What a viewer of M may not know: the tiles in other hands, and the order of the stack."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from games.contract.values import Viewer
from games.m.position import Position
from games.m.rules import RULES
from games.m.tiles import ALL_TILES


def twin(position: Position, viewer: Viewer, rng: Random) -> Position:
    """Deal the other hands and the stack anew, from all tiles that the viewer has never seen."""
    others = [seat for seat in range(position.seats) if seat != viewer]
    pool = list(ALL_TILES)
    seen = [*position.table.values(), *(tile for tiles in position.taken for tile in tiles)]
    if isinstance(viewer, int):
        seen += position.hands[viewer]
    for tile in seen:
        pool.remove(tile)
    rng.shuffle(pool)
    hands = list(position.hands)
    for seat in others:
        hands[seat] = tuple(sorted(pool.pop() for _ in hands[seat]))
    stack = tuple(pool.pop() for _ in position.stack)
    return replace(position, hands=tuple(hands), stack=stack)


def twin_move(text: str, seat: int, twin: Position, rng: Random) -> str | None:
    """That a pass exchanges a tile is seen, but not which; placements and takes are open."""
    if not text.startswith("pass ") or seat not in RULES.to_move(twin) or not twin.stack:
        return None
    return f"pass {rng.choice(twin.hands[seat])}"
