"""The levels of M's bot: what each does in telling positions, from what its seat may know and within its budget.

Telling positions say of `normal` what seems best to it; how far it may waver from that has a test of its own.
"""

from __future__ import annotations

from random import Random

import pytest

from games.contract.registry import get_game
from games.contract.rules import no_budget
from games.contract.tournament import Pairing, Series, play_numbered
from games.m import bot
from games.m.baselines import PLAYERS
from games.m.guessing import Knowledge
from games.m.judging import Judge
from games.m.position import Position, ScoringRound, View
from games.m.rules import RULES
from tests.games.budgets import Granted
from tests.games.chance import NoSlips
from tests.games.m.boards import GAP, board, legal, play, position
from tests.games.m.test_views import shuffled_for
from tests.sizes import size


def chosen(start: Position, level: str, iterations: int = 0, seed: float = 1) -> str:
    """What the level plays for the seat that is to move."""
    assert start.to_move is not None
    return bot.choose(RULES.view(start, start.to_move), level, Random(seed), Granted(iterations))


def preferred(start: Position, level: str, iterations: int = 0) -> str:
    """The same, where `normal` does not waver."""
    assert start.to_move is not None
    rng = NoSlips() if level == "normal" else Random(1)
    return bot.choose(RULES.view(start, start.to_move), level, rng, Granted(iterations))


def first(players: int, rng: Random, start: str = "zigzag") -> Position:
    options = {"start": start}
    return RULES.start(options, RULES.deal(options, [""] * players, rng), players)


@pytest.mark.parametrize("start", ["zigzag", "arch"])
@pytest.mark.parametrize("players", range(2, 7))
def test_normal_and_hard_play_whole_matches_by_legal_moves(players: int, start: str) -> None:
    current = first(players, Random(players), start)
    while current.to_move is not None:
        level = ("normal", "hard")[current.to_move % 2]
        move = chosen(current, level, iterations=15, seed=current.ply)
        assert move in legal(current)
        current = play(current, move)
        assert current.ply < 1000


@pytest.mark.parametrize(("level", "iterations"), [("normal", 0), ("hard", 0), ("hard", 20)])
@pytest.mark.parametrize("players", [2, 4])
def test_what_the_seat_may_not_know_changes_no_choice(players: int, level: str, iterations: int) -> None:
    """Other hands and the stack are dealt anew, and the same move is played from the same chance."""
    for seed in range(size("matches of M seen through twins", ci=1, soak=25)):
        rng = Random(100 * seed + players)
        current = first(players, rng)
        while current.to_move is not None:
            other = shuffled_for(current.to_move, current, rng)
            chance = rng.random()
            move = chosen(current, level, iterations, chance)
            assert chosen(other, level, iterations, chance) == move
            current = play(current, move)


@pytest.mark.parametrize("iterations", [0, 1, 5, 60])
def test_hard_asks_before_each_iteration_and_stops_when_refused(iterations: int) -> None:
    budget = Granted(iterations)
    current = first(3, Random(8))
    assert current.to_move is not None
    bot.choose(RULES.view(current, current.to_move), "hard", Random(1), budget)
    assert budget.asked == iterations + 1


def test_easy_and_normal_ask_for_nothing() -> None:
    budget = Granted(100)
    current = first(2, Random(8))
    assert current.to_move is not None
    for level in ("easy", "normal"):
        bot.choose(RULES.view(current, current.to_move), level, Random(1), budget)
    assert budget.asked == 0


def test_hard_needs_no_budget_where_there_is_no_choice() -> None:
    budget = Granted(100)
    bot.choose(RULES.view(position("RT1 .", ["", "RC2"], stack=()), 0), "hard", Random(1), budget)
    assert budget.asked == 0


@pytest.mark.parametrize("players", [2, 3])
def test_without_a_budget_hard_plays_what_seems_best(players: int) -> None:
    current = first(players, Random(players))
    while current.to_move is not None:
        view = RULES.view(current, current.to_move)
        gains = rated(view)
        move = bot.choose(view, "hard", Random(current.ply), no_budget)
        assert gains[move] == max(gains.values())
        current = play(current, move)


def rated(view: View) -> dict[str, float]:
    """What each move seems to bring at a glance."""
    knowledge = Knowledge(view)
    judge, world = Judge(knowledge), knowledge.world
    found = judge.takes(world) if world.picker is not None else [*judge.placements(world), *judge.passes(world)]
    return {knowledge.text(act): gain for gain, act in found}


@pytest.mark.parametrize("players", [2, 4])
def test_normal_wavers_only_between_moves_that_are_not_far_apart(players: int) -> None:
    """It gives up at most `WAVERING` points of what seems best, often something, and passes only where that is best."""
    current = first(players, Random(players))
    choices = wavered = 0
    while current.to_move is not None:
        view = RULES.view(current, current.to_move)
        gains = rated(view)
        move = bot.choose(view, "normal", Random(current.ply))
        best = max(gains.values())
        passes = {text for text in gains if text.startswith("pass")}
        if move in passes:
            assert gains[move] == best
        else:
            others = [gain for text, gain in gains.items() if text not in passes]
            assert max(others) - gains[move] <= bot.WAVERING
            choices += len(others) > 1
            wavered += max(others) > gains[move]
        current = play(current, move)
    assert wavered > choices / 10


@pytest.mark.parametrize(("level", "iterations"), [("normal", 0), ("hard", 200)])
def test_they_take_chips_where_nothing_else_is_at_stake(level: str, iterations: int) -> None:
    assert preferred(position(GAP, ["RT2", "V0 V0 V0 G0"]), level, iterations) == "RT2@1,1"


@pytest.mark.parametrize(("level", "iterations"), [("normal", 0), ("hard", 300)])
def test_they_open_no_gap_for_the_next(level: str, iterations: int) -> None:
    """At 2,1 and at 1,2 a tile would make a gap with three neighbours, where many fit; elsewhere it makes none."""
    drawing = """
        .   RT1 .
        RC2 .   .
        .   .   .
    """
    move = preferred(position(drawing, ["RF3", "V0 V0 V0 G0"], chips=(0, 12)), level, iterations)
    assert move not in ("RF3@2,1", "RF3@1,2")


@pytest.mark.parametrize(("level", "iterations"), [("normal", 0), ("hard", 300)])
def test_they_begin_a_round_that_pays_and_none_that_costs(level: str, iterations: int) -> None:
    row = "RT1 RC2 RS3 RF4 ."
    pays = position(row, ["RS4 V0", "V0 V0 V0 G0"], stack=())
    costs = position(row, ["RS4 YS4", "V0 V0 V0 G0"], taken=(("BT4", "BC4", "GT4", "GC4"), ("RT4", "RC4")), stack=())
    assert preferred(pays, level, iterations) == "RS4@4,0"
    assert preferred(costs, level, iterations) != "RS4@4,0"


FINAL_ROUNDS = [
    ("BT4 B0 GF4 RS3 BS2 / . YF3 BC2 G0 .", "BC1 RC1", "GT4 RF1", 8, "take 0,0", "take 2,0"),
    ("RT3 GC4 GT1 RF3 BS2 / . BS1 VT1 YS2 .", "GT4 RC1 VC4 YF4", "BC2 RS2 VT4 YC1", 7, "take 2,0", "take 0,0"),
    ("BS2 VT2 R0 RS4 BS1", "B0 BC2 GT3 RF2", "GF2 V0 VC4 YF3", 6, "take 0,0", "take 4,0"),
]
"""The field, what both have taken, the picker's chips (the other has 6), what seems best, and what alone wins."""


def final_round(drawing: str, own: str, other: str, chips: int) -> Position:
    """The round with which the match ends; seat 0 picks."""
    table = board(drawing.replace("/", "\n"))
    line = tuple(cell for cell in table if cell[1] == 0)
    return position(
        drawing.replace("/", "\n"),
        ["V0", "V0"],
        stack=(),
        chips=(chips, 6),
        taken=(tuple(own.split()), tuple(other.split())),
        scoring=ScoringRound(line, 0, 0),
    )


def margin(current: Position) -> int:
    """By how much seat 0 wins if both pick as well as can be."""
    if current.to_move is None:
        own, other = RULES.scores(current)
        return own - other
    margins = [margin(play(current, text)) for text in legal(current)]
    return max(margins) if current.to_move == 0 else min(margins)


@pytest.mark.parametrize(("drawing", "own", "other", "chips", "tempting", "winning"), FINAL_ROUNDS)
def test_hard_sees_to_the_end_of_a_round(
    drawing: str, own: str, other: str, chips: int, tempting: str, winning: str
) -> None:
    start = final_round(drawing, own, other, chips)
    assert [text for text in legal(start) if margin(play(start, text)) > 0] == [winning]
    assert preferred(start, "normal") == tempting
    assert preferred(start, "hard", 300) == winning


def test_normal_denies_the_next_what_they_need() -> None:
    """Both tiles bring it 20; violet is the other's best colour."""
    row = "RT2 G0 Y0 B0 VT2"
    line = tuple(board(row))
    start = position(row, ["V0", "V0"], scoring=ScoringRound(line, 0, 0), taken=((), ("VC4", "VS4", "GC4", "GS3")))
    assert preferred(start, "normal") == "take 4,0"


def test_with_nothing_to_place_they_exchange_the_tile_that_fits_least() -> None:
    start = position("RT1 RC2", ["Y0 VF3", "RC4 R0 G0 B0"])
    assert preferred(start, "normal") in ("pass Y0", "pass VF3")
    assert preferred(position("RT1 .", ["YS3", "RC2"], stack=()), "normal") == "pass"


def test_normal_passes_where_that_is_free_and_every_placement_opens_a_gap() -> None:
    drawing = """
        RT1 RC2 RS3
        .   .   RF4
    """
    hands = ["V0 YF4", "RC4 R0 G0 B0"]
    assert preferred(position(drawing, hands, chips=(0, 12)), "normal") == "pass V0"
    assert preferred(position(drawing, hands, chips=(6, 6)), "normal").startswith("YF4@")


# The baseline


def test_greedy_takes_what_brings_most_at_once() -> None:
    greedy = PLAYERS["greedy"]
    assert greedy(RULES.view(position(GAP, ["RT2", "V0 V0"]), 0), Random(1)) == "RT2@1,1"
    assert greedy(RULES.view(position("RT1 RC2 RS3 RF4 .", ["RS4", "V0"]), 0), Random(1)) == "RS4@4,0"
    assert greedy(RULES.view(position("RT1 .", ["YS3", "RC2"]), 0), Random(1)) == "pass YS3"
    assert greedy(RULES.view(position("RT1 .", ["YS3", "RC2"], stack=()), 0), Random(1)) == "pass"
    row = "RT4 RC2 RS3 RF1 R0"
    scoring = ScoringRound(tuple(board(row)), 0, 0)
    assert greedy(RULES.view(position(row, ["V0", "V0"], scoring=scoring), 0), Random(1)) == "take 0,0"


def test_greedy_settles_ties_by_chance() -> None:
    view = RULES.view(position("RT1", ["RC2", "V0"]), 0)
    assert {PLAYERS["greedy"](view, Random(seed)) for seed in range(60)} == {
        "RC2@0,-1",
        "RC2@1,0",
        "RC2@0,1",
        "RC2@-1,0",
    }


# Strength


@pytest.mark.parametrize(
    ("better", "worse", "ci", "soak", "least"),
    [("normal", "easy", 20, 200, 0.7), ("hard", "normal", 2, 60, 0.7), ("hard", "greedy", 2, 60, 0.75)],
)
def test_the_better_level_wins_more(better: str, worse: str, ci: int, soak: int, least: float) -> None:
    """A slice of few matches only shows that it is no worse; whole series are in docs/bots.md."""
    game = get_game("m")
    matches = size(f"matches of {better} against {worse}", ci=ci, soak=soak)
    pairing = Pairing(game.slug, game.package, better, worse, 2, game.rules.complete_options({}, 2), 1)
    series = Series([play_numbered(pairing, number, lambda: 0.0) for number in range(matches)])
    assert series.share >= (least if matches == soak else 0.5)
