"""`manage.py tournament`: who plays what against whom, when a series stops, and what it prints."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.contract import players, tournament
from games.contract.players import counted, find_player, players_of
from games.contract.registry import Game, get_game
from games.contract.tournament import Match, Pairing, Series, looks, play_numbered, wilson
from games.contract.values import Outcome
from tests.contract.sampled import TOY


def pairing(game: Game = TOY, seats: int = 2, **options: Any) -> Pairing:
    """`hard` against `easy`, with these options and the defaults of the others."""
    return Pairing(game.slug, game.package, "hard", "easy", seats, game.rules.complete_options(options, seats), 1)


def no_clock() -> float:
    return 0.0


def run(*arguments: object) -> list[str]:
    """The lines that the command prints."""
    out = io.StringIO()
    call_command("tournament", *map(str, arguments), stdout=out, stderr=io.StringIO())
    return out.getvalue().splitlines()


def series(wins: int, losses: int) -> Series:
    won = Match(1, 0, 0, 1.0, 5, True, {})
    return Series([won] * wins + [replace(won, wins=0, losses=1)] * losses)


def test_each_plays_every_seat_of_a_deal_once() -> None:
    assert pairing(seats=2).seatings == (("hard", "easy"), ("easy", "hard"))
    assert [names.index("hard") for names in pairing(seats=4).seatings] == [0, 1, 2, 3]
    assert {names.count("hard") for names in pairing(seats=4).seatings} == {1}


def test_who_wins_together_is_one_player() -> None:
    assert pairing(get_game("block_buster"), 4, mode="pairs").seatings == (
        ("hard", "easy", "hard", "easy"),
        ("easy", "hard", "easy", "hard"),
    )


def test_seatings_of_a_deal_play_the_same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    start = type(TOY.rules).start

    def noted(rules: Any, options: Any, deal: Any, seats: int) -> Any:
        started.append(deal)
        return start(rules, options, deal, seats)

    monkeypatch.setattr(type(TOY.rules), "start", noted)
    for number in range(6):
        play_numbered(pairing(seats=3), number, no_clock)
    assert started[0] == started[1] == started[2] != started[3]
    assert started[3] == started[4] == started[5]


def test_a_level_is_granted_its_iterations_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    granted = []

    def choose(view: Any, level: str, rng: Random, budget: Callable[[], bool]) -> None:
        granted.append((level, sum(1 for _ in iter(budget, False))))

    monkeypatch.setattr(TOY.bot, "choose", choose)
    for level in TOY.bot.LEVELS:
        for _ in range(2):
            find_player(TOY, level).choose(None, Random(1))
    find_player(TOY, "hard", 1).choose(None, Random(1))
    find_player(TOY, "easy", 1).choose(None, Random(1))
    assert granted == [("easy", 0)] * 2 + [("hard", 3)] * 2 + [("hard", 1), ("easy", 0)]
    assert sum(1 for _ in iter(counted(7), False)) == 7


def test_baselines_play_by_their_name(monkeypatch: pytest.MonkeyPatch) -> None:
    lowest: Mapping[str, Any] = {"lowest": lambda view, rng: f"bid {view.may_bid[0]}"}
    monkeypatch.setattr(players, "_baselines", lambda game: lowest)
    assert players_of(TOY) == ("easy", "hard", "lowest")
    assert find_player(TOY, "lowest").choose(SimpleNamespace(may_bid=(3, 9)), Random(1)) == "bid 3"
    [_, _, wins, *_] = run("toy", "hard", "lowest", "--matches", 20)
    assert int(wins.split(",")[0].removeprefix("wins ")) > 15
    with pytest.raises(LookupError):
        find_player(TOY, "highest")


@pytest.mark.parametrize(
    ("seats", "outcome", "against", "first"),
    [
        ((True, False), (1, 2), [1], 1.0),
        ((True, False), (2, 1), [-1], 0.0),
        ((True, False), (1, 1), [0], 0.5),
        ((False, True, False, False), (1, 2, 3, 2), [-1, 1, 0], 0.0),
        ((False, True, False, True), (1, 2, 1, 2), [-1, -1], 0.0),
    ],
)
def test_places_decide_against_each_other_seat(
    seats: tuple[bool, ...], outcome: tuple[int, ...], against: list[int], first: float
) -> None:
    ended = Outcome("sold", outcome, (0,) * len(outcome))
    assert tournament._in_company(seats, ended) == (against, first)
    assert tournament._in_company((True, False, False), None) == ([0, 0], 0.0)


def test_alone_the_quicker_is_better_and_who_does_not_clear_it_comes_behind() -> None:
    game = get_game("blockyou")
    quick, slow = Outcome("cleared", (1,), (100,)), Outcome("cleared", (1,), (200,))
    stalled = Outcome("stalled", (1,), (9,))
    assert tournament._alone(game, [quick, slow]) == ([1], 1.0)
    assert tournament._alone(game, [stalled, slow]) == ([-1], 0.0)
    assert tournament._alone(game, [stalled, None]) == ([0], 0.5)


def test_the_interval_is_wilsons() -> None:
    """Figures from Newcombe (1998), Statistics in Medicine 17, table I."""
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15 / 148, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(1 / 29, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_it_shows_something_once_the_interval_lies_on_one_side() -> None:
    assert series(90, 10).shows(0.7)
    assert series(50, 50).shows(0.7)
    assert not series(75, 25).shows(0.7)


def test_a_series_is_looked_at_a_few_times_after_whole_deals() -> None:
    assert list(looks(400, 2)) == [40, 80, 160, 320, 400]
    assert list(looks(400, 3)) == [42, 84, 168, 336, 399]
    assert list(looks(10, 4)) == [8]
    assert list(looks(1, 2)) == [2]


def test_it_stops_as_soon_as_the_bar_is_passed() -> None:
    lines = run("toy", "hard", "easy", "--matches", 200, "--bar", 0.1)
    assert "40 matches" in lines[1]
    assert lines[3].endswith("above 0.1")
    assert "200 matches" in run("toy", "hard", "easy", "--matches", 200)[1]


def test_a_seed_gives_the_same_matches_and_another_one_others() -> None:
    played = [play_numbered(replace(pairing(), seed=seed), 1, no_clock) for seed in (3, 3, 4, 5, 6)]
    assert played[0] == played[1]
    assert any(other != played[0] for other in played[2:])


def test_several_processes_play_the_same_matches() -> None:
    def play(processes: int) -> list[str]:
        lines = run("toy", "hard", "easy", "--matches", 8, "--players", 3, "--processes", processes)
        return [line for line in lines if "ms each" not in line]

    assert play(1) == play(2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("toy", "hard", "best"), "easy, hard"),
        (("toy", "hard", "hard"), "two different"),
        (("toy", "hard", "easy", "--matches", 0), "at least 1"),
        (("toy", "hard", "easy", "--processes", 0), "at least 1"),
        (("chess", "hard", "easy"), "no game"),
        (("m", "easy", "best"), "no player"),
        (("toy", "hard", "easy", "--players", 1, "--options", "rounds=2"), "three rounds"),
        (("toy", "hard", "easy", "--options", "window"), "KEY=VALUE"),
        (("toy", "hard", "easy", "--options", "window=huge"), "no such choice"),
    ],
)
def test_a_wrong_call_is_told_why(arguments: tuple[object, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said) as refused:
        run(*arguments)
    assert refused.value.returncode == 2
