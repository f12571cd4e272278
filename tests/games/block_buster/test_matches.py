"""Whole random matches: what is listed is what the written rules allow, and nothing gets lost."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from games.block_buster.blocks import SQUARES
from games.block_buster.modes import MODES, Mode
from games.block_buster.placing import is_stuck, may_pass
from games.block_buster.position import Pass, Position
from games.block_buster.rings import all_rings
from games.block_buster.rules import RULES, count_legal
from games.block_buster.tokens import FULL_SUPPLY
from tests.games.block_buster import slow

over_modes = pytest.mark.parametrize(
    ("mode", "layout"),
    [*product(MODES.values(), ("fixed", "random"))],
    ids=lambda value: value if isinstance(value, str) else f"{value.name}-{value.players}",
)


def first(mode: Mode, layout: str, rng: Random) -> Position:
    options = {"mode": mode.name, "layout": layout}
    return RULES.start(options, RULES.deal(options, [""] * mode.players, rng), mode.players)


def next_move(current: Position, rng: Random) -> Position:
    seat = current.to_move
    assert seat is not None
    current, _ = RULES.play(current, seat, rng.choice(RULES.legal_moves(current, seat)), at=0)
    return current


@over_modes
def test_what_is_listed_is_what_the_rules_allow_cell_by_cell(mode: Mode, layout: str) -> None:
    rng = Random(f"{mode.name}{layout}")
    current = first(mode, layout, rng)
    while current.to_move is not None:
        if current.ply and current.ply % 9 == 0:
            assert_listed_as_written(current)
        current = next_move(current, rng)
    for colour, _blocks in enumerate(current.left):
        assert colour in current.out or current.winner is not None


def assert_listed_as_written(current: Position) -> None:
    """The moves of the colour that plays, and which colours are out, compared with the slow way."""
    owners = current.setup.mode.owners
    for colour, owner in enumerate(owners):
        found = list(slow.placements(current, colour))
        affordable = {
            (block, cells)
            for block, cells, gap in found
            if slow.is_affordable(gap, current.tokens[owner], current.supply)
        }
        joined = {(block, cells) for block, cells, gap in found if gap == 0}
        assert is_stuck(current, colour) == (not affordable)
        if colour == current.turn:
            moves = RULES.legal_moves(current, owner)
            listed = [(move.block, frozenset(move.cells)) for move in moves if not isinstance(move, Pass)]
            assert len(set(listed)) == len(listed)
            assert set(listed) == affordable
            assert (Pass() in moves) == may_pass(current) == (not joined)
            assert count_legal(current) == len(moves)
            fits = RULES.view(current, owner).fits[colour]
            assert {fit.block: fit.joined for fit in fits if fit.joined} == Counter(block for block, _ in joined)
            assert {fit.block: fit.joined + fit.jumps for fit in fits if fit.joined + fit.jumps} == Counter(
                block for block, _ in affordable
            )


@over_modes
def test_blocks_tokens_and_rings_are_all_there_at_every_ply(mode: Mode, layout: str) -> None:
    rng = Random(f"{layout}{mode.name}")
    current = first(mode, layout, rng)
    acquired: dict[int, int] = {}
    out: set[int] = set()
    for ply in range(1000):
        assert current.ply == ply
        for colour in range(len(mode.owners)):
            blocks = Counter(block.block for block in current.placed if block.colour == colour)
            assert blocks + Counter(current.left[colour]) == Counter(mode.blocks)
            assert current.cells[colour].bit_count() == sum(SQUARES[block] for block in blocks.elements())
        cells = [cell for block in current.placed for cell in block.cells]
        assert len(set(cells)) == len(cells)
        assert all(-10 <= tokens <= 0 for tokens in current.tokens)
        big, small = current.supply
        assert big >= 0 <= small
        assert 2 * big + small - sum(current.tokens) == 2 * FULL_SUPPLY[0] + FULL_SUPPLY[1]
        assert out <= set(current.out), "nobody comes back"
        out = set(current.out)
        rings = {tile: ring.acquirer for tile, ring in enumerate(all_rings(current.setup, current.cells))}
        assert all(rings[tile] == colour for tile, colour in acquired.items()), "what is acquired stays so"
        acquired = {tile: colour for tile, colour in rings.items() if colour is not None}
        if current.to_move is None:
            break
        assert current.turn not in out
        current = next_move(current, rng)
    assert current.reason in ("collection", "exhausted")
