"""What a viewer of M may not know: the tiles in other hands, and the order of the stack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from games.contract.values import Viewer
from games.m.position import Pass, Place, Position, Tile
from games.m.rules import RULES
from games.m.tiles import ALL_TILES


def twin(position: Position, viewer: Viewer, rng: Random) -> Position:
    """Deal the other hands and the stack anew, from all tiles that the viewer has never seen."""
    return _dealt_anew(position, viewer, rng, held={}, top=())


def twin_move(position: Position, seat: int, text: str, viewer: Viewer, rng: Random) -> tuple[Position, str]:
    """That a pass exchanges a tile is seen, but not which; of a placement, neither the other tiles nor what is drawn.

    With the last take of a scoring round the one who began it draws, and knows that tile.
    """
    move = RULES.parse_move(text)
    if isinstance(move, Pass) and move.tile is not None:
        dealt = twin(position, viewer, rng)
        return dealt, RULES.format_move(Pass(rng.choice(dealt.hands[seat])))
    held = {seat: move.tile} if isinstance(move, Place) else {}
    return _dealt_anew(position, viewer, rng, held, position.stack[:1] if position.turn == viewer else ()), text


def _dealt_anew(
    position: Position, viewer: Viewer, rng: Random, held: Mapping[int, Tile], top: tuple[Tile, ...]
) -> Position:
    """`held` are tiles that must stay in a hand, by its seat; `top` those that must stay on top of the stack."""
    pool = list(ALL_TILES)
    seen = [*held.values(), *top, *position.table.values(), *(tile for tiles in position.taken for tile in tiles)]
    if isinstance(viewer, int):
        seen += position.hands[viewer]
    for tile in seen:
        pool.remove(tile)
    rng.shuffle(pool)
    hands = list(position.hands)
    for seat in range(position.seats):
        if seat != viewer:
            stay = [held[seat]] if seat in held else []
            hands[seat] = tuple(sorted([*stay, *(pool.pop() for _ in hands[seat][len(stay) :])]))
    stack = (*top, *(pool.pop() for _ in position.stack[len(top) :]))
    return replace(position, hands=tuple(hands), stack=stack)
