"""Whole random matches of M: what is listed is what can be played, and nothing gets lost."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from games.contract.errors import IllegalMove
from games.m.position import Move, Pass, Place, Position, Take
from games.m.rules import RULES


def plays(position: Position, seat: int, move: Move) -> bool:
    try:
        RULES.play(position, seat, move, at=0)
    except IllegalMove:
        return False
    return True


def conceivable(position: Position) -> list[Move]:
    """Every move that could be written down about this position, legal or not."""
    xs = {x for x, _ in position.table}
    ys = {y for _, y in position.table}
    cells = list(product(range(min(xs) - 2, max(xs) + 3), range(min(ys) - 2, max(ys) + 3)))
    tiles = {tile for hand in position.hands for tile in hand}
    moves: list[Move] = [Place(*parts) for parts in product(tiles, cells, (None, "row", "col"))]
    return moves + [Take(cell) for cell in cells] + [Pass(), *map(Pass, tiles)]


@pytest.mark.parametrize("players", range(2, 7))
def test_what_is_listed_plays_and_nothing_else_does(players: int) -> None:
    rng = Random(100 + players)
    current = RULES.start({}, RULES.deal({}, [""] * players, rng), players)
    while current.to_move is not None:
        seat = current.to_move
        listed = RULES.legal_moves(current, seat)
        assert listed, "somebody who must move always can"
        assert len(set(listed)) == len(listed)
        if current.ply % 10 == 0 or current.phase == "take":
            assert {move for move in conceivable(current) if plays(current, seat, move)} == set(listed)
        current, _ = RULES.play(current, seat, rng.choice(listed), at=0)


@pytest.mark.parametrize(("players", "start"), [*product(range(2, 7), ("zigzag", "arch"))])
def test_tiles_and_chips_are_all_there_at_every_ply_and_the_frame_holds(players: int, start: str) -> None:
    rng = Random(players)
    deal = RULES.deal({"start": start}, [""] * players, rng)
    current = RULES.start({"start": start}, deal, players)
    tiles = Counter(map(str, deal["tiles"]))  # type: ignore[arg-type]
    for ply in range(1000):
        assert current.ply == ply
        assert sum(current.chips) == 6 * players
        assert min(current.chips) >= 0
        assert (
            Counter(current.table.values())
            + Counter(current.stack)
            + sum(map(Counter, (*current.hands, *current.taken)), Counter[str]())
            == tiles
        )
        for axis in (0, 1):
            along = [cell[axis] for cell in current.table]
            assert max(along) - min(along) < 6
        if current.to_move is None:
            break
        moves = RULES.legal_moves(current, current.to_move)
        current, _ = RULES.play(current, current.to_move, rng.choice(moves), at=0)
    assert current.reason in ("scored", "blocked", "stalled")
