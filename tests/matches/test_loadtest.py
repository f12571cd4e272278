"""`manage.py loadtest`, apart from its sockets: scripts, figures, what it makes and takes away, and what it refuses."""

from __future__ import annotations

import json
import os
import socket
from random import Random
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command

from accounts.people.models import User
from games.contract.registry import Game, all_games, get_game
from games.matches.load.arranging import DEALS, PREFIX, Arrangement, clear_away
from games.matches.load.figures import cpu_seconds, listener_of, percentile, resident_bytes, spent_between
from games.matches.load.players import Tally
from games.matches.load.report import as_figures, in_words
from games.matches.load.scripts import play_out
from games.matches.models import Match, Move

TURN_GAMES = [game for game in all_games() if not game.info.real_time]


@pytest.mark.parametrize("game", TURN_GAMES, ids=lambda game: game.slug)
@pytest.mark.parametrize("seed", range(3))
def test_a_script_is_a_legal_match_to_its_end(game: Game, seed: int) -> None:
    rules = game.rules
    options = rules.complete_options({}, 2)
    deal = rules.deal(options, ["", ""], Random(seed))
    steps = play_out(rules, options=options, deal=deal, players=2, rng=Random(seed))
    assert steps == play_out(rules, options=options, deal=deal, players=2, rng=Random(seed))
    position = rules.start(options, deal, 2)
    for ply, step in enumerate(steps, 1):
        assert rules.turn_key(position, step.seat) == step.turn_key
        position, _ = rules.play(position, step.seat, rules.parse_move(step.text), at=ply)
    assert rules.outcome(position) is not None


def test_percentiles_are_values_that_were_measured() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert [percentile(values, percent) for percent in (50, 95, 99, 100)] == [50, 95, 99, 100]
    assert percentile([7.0], 50) == percentile([7.0], 99) == 7
    assert percentile([1.0, 2.0], 0) == 1
    with pytest.raises(ValueError, match="nothing"):
        percentile([], 50)


def test_processor_time_is_of_this_process_and_of_those_that_begin_meanwhile() -> None:
    before = cpu_seconds(os.getpid())
    assert before is not None
    while (now := cpu_seconds(os.getpid())) is not None and now < before + 0.05:
        sum(range(100_000))
    assert spent_between({1: 5.0}, {1: 7.5, 2: 1.0}) == 3.5
    assert (resident_bytes(os.getpid()) or 0) > 1_000_000
    gone = 2**22 + 1  # the kernel's numbers end below
    assert cpu_seconds(gone) is resident_bytes(gone) is None


def test_who_listens_at_a_port_is_found() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        assert listener_of(port) == os.getpid()
    assert listener_of(port) is None


def test_the_report_says_everything_that_was_found() -> None:
    tally = Tally(shown=[0.002, 0.004], answered=[0.001, 0.003], moves=2, pushes=4, received=8000, seconds=2.0)
    tally.errors["refused-stale-turn"] += 1
    figures = as_figures(tally, cpu={"sockets": 0.01})
    assert figures["moves_per_s"] == 1.0
    assert figures["shown_ms"] == {"p50": 2.0, "p95": 4.0, "p99": 4.0}
    assert figures["cpu_ms_per_move"] == {"sockets": 5.0}
    assert figures["errors"] == {"refused-stale-turn": 1}
    words = in_words(
        json.loads(json.dumps(figures | {"idle": {"sockets": 3}, "storm": {"all_s": 1.5}, "bots": {"failed": 7}}))
    )
    for said in ("failed 7", "1.0 moves/s", "p95 4.0", "refused-stale-turn 1", "sockets 5.0", "sockets 3", "all_s 1.5"):
        assert said in words


def test_a_report_of_nothing_is_no_mistake() -> None:
    assert "errors:                         none" in in_words(as_figures(Tally(), cpu={"sockets": 0.0}))


def arrangement() -> Arrangement:
    return Arrangement(game=get_game("m"), seats=2, options={}, seed=1)


@pytest.mark.django_db
def test_copied_matches_are_as_sound_as_those_they_are_copies_of() -> None:
    """Each has people of its own at a position that fits its deal; what others have does not go over to it."""
    made = arrangement()
    made.add_matches(DEALS + 2)
    first, copy = (Match.objects.get(slug=made.matches[number].slug) for number in (0, DEALS))
    assert (copy.position, copy.deal, copy.status) == (first.position, first.deal, Match.Status.RUNNING)
    assert copy.invite != first.invite
    people = set(Match.objects.values_list("seats__user", flat=True))
    assert len(people) == 2 * (DEALS + 2)
    assert copy.host == copy.seats.get(index=0).user
    # The script of the copy is for its own play, from the same deal.
    assert made.matches[0].steps[0].turn_key == made.matches[DEALS].steps[0].turn_key


@pytest.mark.django_db
def test_what_was_made_is_gone_after_it_and_nothing_else(alice: User) -> None:
    somebody = {"email": "somebody@load.invalid", "display_name": "Somebody"}
    User.objects.create_user(f"{PREFIX}somebody", password="a tile on the table", **somebody)
    made, other = arrangement(), arrangement()
    for one in (made, other):
        one.add_matches(2)
        one.add_onlookers(3)
    assert (len(made.matches), len(made.onlookers)) == (2, 3)
    assert Session.objects.count() == 14
    assert clear_away(name=made.name) == (7, 2)
    assert Match.objects.count() == 2
    assert clear_away() == (7, 2)
    assert not Match.objects.exists()
    assert not Move.objects.exists()
    assert not Session.objects.exists()
    assert {user.username for user in User.objects.all()} == {alice.username, f"{PREFIX}somebody"}


@pytest.mark.django_db
def test_matches_of_bots_have_nobody_at_them_and_are_taken_away_apart_from_all_else() -> None:
    """They would go on by themselves; who looks on may see them."""
    made = arrangement()
    made.add_matches(1)
    watched = made.add_bots(len(TURN_GAMES))
    assert made.count_bots() == (len(TURN_GAMES), 0)
    of_bots = [Match.objects.get(slug=one.slug) for one in watched]
    assert {match.game_slug for match in of_bots} == {game.slug for game in TURN_GAMES}
    for match in of_bots:
        assert not match.seats.filter(user__isnull=False).exists()
        assert set(match.seats.values_list("level", flat=True)) == {match.game.bot.LEVELS[-1]}
        assert match.public
        assert match.due_at is not None
    made.end_bots()
    assert [match.slug for match in Match.objects.all()] == [made.matches[0].slug]
    assert clear_away() == (2 + len(TURN_GAMES), 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--matches", "0"], "whole number"),
        (["--matches", "½"], "whole number"),
        (["--idle", "-1"], "whole number"),
        (["--think", "nan"], "seconds"),
        (["--seconds", "never"], "seconds"),
        (["--address", "localhost:8000"], "An address is like"),
        (["--address", "http://127.0.0.1:99999"], "An address is like"),
        (["--address", ","], "Say at which address"),
        (["--game", "chess"], "There is no game 'chess'"),
        (["--seats", "7"], "is not played by 7"),
        (["--option", "start"], "KEY=VALUE"),
        (["--processes", "keeper"], "NAME=PID"),
    ],
)
def test_bad_options_are_told(arguments: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("loadtest", *arguments)


@pytest.mark.django_db
def test_an_option_that_the_game_does_not_have_is_told() -> None:
    with pytest.raises(CommandError, match=r".+"):
        call_command("loadtest", "--option", "start=spiral")
    assert not User.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_where_nobody_listens_that_is_told_and_nothing_is_left() -> None:
    with socket.socket() as taken:  # bound, but nobody listens
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(CommandError, match="sit down"):
            call_command("loadtest", "--address", address, "--prepared", "1")
    assert not User.objects.exists()


def test_production_is_left_alone_unless_one_knows(settings: Any) -> None:
    settings.SETTINGS_MODULE = "config.settings.prod"
    with pytest.raises(CommandError, match="--i-know"):
        call_command("loadtest")
