"""The positions that bots think in follow the rules: the same placements, the same turns, the same ends."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from games.block_buster.bots.ground import STEPS
from games.block_buster.bots.model import Match, Node, Step, match_node, played, shut_out
from games.block_buster.bots.steps import steps_of
from games.block_buster.bots.weights import weights_of
from games.block_buster.bots.worth import RING, WIN, Worth
from games.block_buster.modes import MODES, Mode
from games.block_buster.placing import board_of, gap_between, is_stuck, room_now
from games.block_buster.position import Pass, Place, Position
from games.block_buster.rules import RULES
from tests.games.block_buster.boards import position

over_modes = pytest.mark.parametrize("mode", MODES.values(), ids=lambda mode: f"{mode.name}-{mode.players}")


def random_match(mode: Mode) -> Iterator[Position]:
    """All positions of a match of random moves that join, where any does, and jump now and then."""
    rng = Random(mode.name)
    options = {"mode": mode.name, "layout": "random"}
    current = RULES.start(options, RULES.deal(options, [""] * mode.players, rng), mode.players)
    yield current
    while current.to_move is not None:
        moves = RULES.legal_moves(current, current.to_move)
        near = [move for move in moves if isinstance(move, Place) and not gap_of(current, move)]
        move = rng.choice(near if near and rng.random() < 0.9 else moves)
        current, _ = RULES.play(current, current.to_move, move, at=0)
        yield current


def gap_of(current: Position, move: Place) -> int:
    board = board_of(current)
    return gap_between(board, current.cells[current.turn], board.cells_of(move.cells))


def thought(current: Position) -> tuple[Match, Node, Worth]:
    """The position as a bot thinks of it."""
    match, node = match_node(RULES.view(current, 0))
    return match, node, Worth(match, weights_of(current.setup))


@over_modes
def test_spots_are_the_placements_of_the_rules(mode: Mode) -> None:
    for current in random_match(mode):
        if current.to_move is None:
            break
        match, node, _ = thought(current)
        moves = [move for move in RULES.legal_moves(current, current.to_move) if isinstance(move, Place)]
        blocks = [block for block, count in enumerate(node.left[node.turn]) if count]
        room = room_now(current, current.turn)
        shifted = match.ground.shifted(node.free)
        assert [spot.place for spot in match.ground.spots(blocks, shifted, room.reached)] == moves
        jumps = match.ground.spots(blocks, shifted, room.reached, but=room.joined)
        assert [spot.place for spot in jumps] == [move for move in moves if gap_of(current, move)]


@over_modes
def test_steps_are_legal_and_lead_to_what_the_rules_say(mode: Mode) -> None:
    rng = Random(1)
    for current in random_match(mode):
        if current.to_move is None:
            break
        match, node, worth = thought(current)
        steps = [step for _gain, step in steps_of(match, node, worth)]
        assert (Step(None) in steps) <= RULES.view(current, current.to_move).may_pass
        step = rng.choice(steps)
        move = step.spot.place if step.spot else Pass()
        assert isinstance(move, Pass) or step.gap == gap_of(current, move)
        after, _ = RULES.play(current, current.to_move, move, at=0)
        expected = played(match, node, step)
        if after.reason == "collection" and after.winner is not None:
            values = worth.values(expected)
            assert values.index(max(values)) == after.winner
            assert max(values) > WIN / 2
        elif after.reason is None:
            assert max(worth.values(expected)) < WIN / 2
            while expected.turn in expected.out or not steps_of(match, expected, worth):
                expected = shut_out(match, expected)
            _, found, _ = thought(after)
            assert replace(expected, out=found.out) == found
            assert expected.out <= found.out


@over_modes
def test_gains_are_what_more_cells_change_of_the_worth(mode: Mode) -> None:
    """They are worked out without weighing the whole shape each time, and must come to the same."""
    for current in list(random_match(mode))[::7]:
        if current.to_move is None:
            break
        match, node, worth = thought(current)
        team, gains = match.team_of[node.turn], worth.gains(node)
        before = worth.balance(worth.values(node))[team]
        for tile, counts in enumerate(node.rings):
            for count in range(1, min(STEPS - 1, RING - sum(counts)) + 1):
                grown = tuple(cells + count * (colour == node.turn) for colour, cells in enumerate(counts))
                after = replace(node, rings=(*node.rings[:tile], grown, *node.rings[tile + 1 :]))
                expected = worth.balance(worth.values(after))[team] - before
                assert gains[STEPS * tile + count] == pytest.approx(expected, abs=1e-6)


@over_modes
def test_a_colour_without_steps_is_stuck(mode: Mode) -> None:
    for current in random_match(mode):
        if current.to_move is None:
            break
        match, node, worth = thought(current)
        for colour in match.colours:
            turned = replace(node, turn=colour)
            assert (not steps_of(match, turned, worth)) == (colour in current.out or is_stuck(current, colour))


@over_modes
def test_a_match_that_is_played_out_is_worth_its_places(mode: Mode) -> None:
    current = list(random_match(mode))[-1]
    outcome = RULES.outcome(current)
    assert outcome is not None
    match, node, worth = thought(replace(current, reason=None, winner=None))
    values = worth.final(node)
    if current.winner is None:
        for seat in match.seats:
            for other in match.seats:
                assert (outcome.places[seat] < outcome.places[other]) == (values[seat] > values[other])


def test_chances_are_sure_only_where_the_ring_is_acquired() -> None:
    _, node, worth = thought(
        position(
            """
            bbbbbbyy....
            b##by##..##.
            b##.y##..##.
        """
        )
    )
    first, second, third, *_ = (worth._chances(counts) for counts in node.rings)
    assert first == (1.0, 0.0)
    assert 0 < second[0] < second[1] < 1
    assert third[0] == third[1] < 0.5
