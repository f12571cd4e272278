"""The level `easy` of Block Buster and the stand-in: legal, greedy, thrifty, and quick to find what wins."""

from random import Random

import pytest

from games.block_buster import bot
from games.block_buster.bots import easy
from games.block_buster.modes import MODES, Mode
from games.block_buster.position import Position
from games.block_buster.rules import RULES
from tests.games.block_buster.boards import LACKING_ONE, legal, play, position, start
from tests.games.chance import NoSlips

over_modes = pytest.mark.parametrize("mode", MODES.values(), ids=lambda mode: f"{mode.name}-{mode.players}")


def chosen(begun: Position, seed: int = 1) -> str:
    """What the bot plays for the seat that is to move, when it does not slip."""
    assert begun.to_move is not None
    return bot.choose(RULES.view(begun, begun.to_move), "easy", NoSlips(seed))


def stood_in(begun: Position, seed: int = 1) -> str:
    """What is played for somebody who has left."""
    assert begun.to_move is not None
    return bot.stand_in(RULES.view(begun, begun.to_move), Random(seed))


@over_modes
def test_bot_and_stand_in_play_whole_matches_by_legal_moves(mode: Mode) -> None:
    rng = Random(mode.name)
    options = {"mode": mode.name, "layout": "random"}
    current = RULES.start(options, RULES.deal(options, [""] * mode.players, rng), mode.players)
    while current.to_move is not None:
        view = RULES.view(current, current.to_move)
        move = bot.stand_in(view, rng) if current.to_move == 0 else bot.choose(view, "easy", rng)
        assert move in legal(current)
        current = play(current, move)


@pytest.mark.parametrize(("mode", "players"), [("standard", 2), ("standard", 3), ("two-colours", 2), ("pairs", 4)])
def test_the_bot_is_better_than_chance(mode: str, players: int) -> None:
    teams = MODES[mode, players].teams
    won = 0
    for seed in range(6):
        rng = Random(seed)
        current = start(mode, players)
        mine = seed % players
        while current.to_move is not None:
            view = RULES.view(current, current.to_move)
            ours = teams[current.to_move] == teams[mine]
            current = play(current, bot.choose(view, "easy", rng) if ours else bot.stand_in(view, rng))
        outcome = RULES.outcome(current)
        assert outcome is not None
        won += outcome.places[mine] == 1
    assert won >= 5


def test_it_begins_with_a_large_block() -> None:
    for seed in range(5):
        assert chosen(start(players=4), seed)[1] == "5"


def test_it_slips_now_and_then() -> None:
    assert len({bot.choose(RULES.view(start(players=3), 0), "easy", Random(seed))[:2] for seed in range(60)}) > 5


def test_it_takes_a_collection_that_wins_at_once() -> None:
    begun = position(LACKING_ONE, left={"b": "1"})
    assert play(begun, chosen(begun)).winner == 0


def test_it_jumps_for_a_collection_although_a_block_could_be_joined() -> None:
    begun = position(LACKING_ONE.replace("bbbb\n    .##", "bbb.\n    .##"), left={"b": "V3 2"})
    assert begun.cells != position(LACKING_ONE).cells
    assert play(begun, chosen(begun)).winner == 0


def test_it_joins_where_a_jump_brings_no_more() -> None:
    begun = position("bbbbbb", left={"b": "1"})
    for seed in range(10):
        assert play(begun, chosen(begun, seed)).tokens == (0, 0)


def test_without_a_block_to_join_it_jumps_only_if_that_is_worth_its_cost() -> None:
    shut = "by..\ny##.\n"
    assert play(position(shut, left={"b": "P5"}), chosen(position(shut, left={"b": "P5"}))).tokens[0] < 0
    costly = "byyyyy\ny##yy##y\ny##.y##.\nyyyyyyyy\nyyyyyyyy\n"
    begun = position(costly, left={"b": "1"}, tokens=(0, 0))
    assert legal(begun)[-1] == "pass"
    assert chosen(begun) == "pass"


def test_a_partner_is_not_worked_against() -> None:
    """Taking a ring from the rival counts, taking it from the partner costs."""
    drawing = """
        bbb.........
        .##g.##r.##.
    """
    view = RULES.view(position(drawing, mode="pairs", players=4), 0)
    from_rival = easy._gain_in_ring(view, view.rings[0], 0, 1)
    from_partner = easy._gain_in_ring(view, view.rings[1], 0, 1)
    assert from_rival > from_partner
    assert from_partner < 0


def test_stand_ins_join_a_block_if_they_can_and_otherwise_jump() -> None:
    begun = position("bb\n.##.", left={"b": "1 2"})
    assert {play(begun, stood_in(begun, seed)).tokens[0] for seed in range(40)} == {0}
    shut = position("by\ny##.", left={"b": "1"}, supply=(1, 0))
    assert {stood_in(shut, seed) for seed in range(40)} == {"1 c1", "1 a3"}, "they pass only if there is nothing else"
