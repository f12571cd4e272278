"""What a bot of M imagines: its quick copy of the rules says the same as the rules, and its guesses fit its view."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from games.m.guessing import Knowledge, numbers
from games.m.position import Pass, Position
from games.m.rules import RULES
from games.m.scoring import points_by_colour
from games.m.tiles import ALL_TILES
from games.m.world import AWAY, NOTHING, Act, World
from tests.sizes import size


def true_world(position: Position) -> tuple[World, Knowledge]:
    """The world as it is, by the knowledge of the seat that is to move."""
    assert position.to_move is not None
    knowledge = Knowledge(RULES.view(position, position.to_move))
    world = knowledge.world.copy()
    unseen = Counter(ALL_TILES[number] for number in knowledge.unseen)
    left = {tile: [n for n in knowledge.unseen if ALL_TILES[n] == tile] for tile in unseen}
    for seat, hand in enumerate(position.hands):
        if seat != knowledge.seat:
            world.hands[seat] = sum(1 << left[tile].pop() for tile in hand)
    world.stack = [left[tile].pop() for tile in reversed(position.stack)]
    return world, knowledge


def known(world: World) -> list[object]:
    """All that tells two worlds apart, whichever numbers copies have."""
    return [
        {cell: ALL_TILES[tile] for cell, tile in world.table.items()},
        world.room,
        [sorted(ALL_TILES[n] for n in range(len(ALL_TILES)) if hand >> n & 1) for hand in world.hands],
        [ALL_TILES[tile] for tile in world.stack],
        (world.chips, world.points, world.turn, world.picker, sorted(world.line), sorted(world.takes), world.rows),
    ]


@pytest.mark.parametrize("players", range(2, 7))
def test_it_keeps_to_the_rules(players: int) -> None:
    """Move by move it lists the same placements and takes, and comes to the same position and end."""
    for seed in range(size("matches of M mirrored", ci=4, soak=200)):
        rng = Random(seed)
        options = {"start": rng.choice(("zigzag", "arch"))}
        position = RULES.start(options, RULES.deal(options, [""] * players, rng), players)
        while position.to_move is not None:
            world, knowledge = true_world(position)
            world.passes = position.passes
            listed = RULES.legal_moves(position, position.to_move)
            by_text: dict[str, Act] = {knowledge.text(act): act for act in world.acts()}
            assert sorted(by_text) == sorted(RULES.format_move(m) for m in listed if not isinstance(m, Pass))
            move = rng.choice(listed)
            act = (
                by_text[RULES.format_move(move)]
                if not isinstance(move, Pass)
                else (held(world, position.to_move, move.tile), AWAY, None)
            )
            assert knowledge.text(act) == RULES.format_move(move)
            world.do(act)
            position, _ = RULES.play(position, position.to_move, move, at=0)
            if world.picker is None:
                assert world.over() == (position.reason is not None)
            if position.to_move is None:
                break
            again, _ = true_world(position)
            assert known(world) == known(again)
            assert [sum(own) for own in world.points] == [
                sum(points_by_colour(taken).values()) for taken in position.taken
            ]


def held(world: World, seat: int, tile: str | None) -> int:
    if tile is None:
        return NOTHING
    return next(n for n, name in enumerate(ALL_TILES) if name == tile and world.hands[seat] >> n & 1)


def test_copies_have_numbers_of_their_own() -> None:
    assert len(set(numbers(ALL_TILES))) == len(ALL_TILES)
