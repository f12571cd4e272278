"""Moves taken back and the clock: what everybody has afterwards, in single cases and in random matches."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from accounts.people.models import User
from games.contract.registry import Game, all_games
from games.matches.errors import NoTakeback, NotRunning
from games.matches.models import LogEntry, Match, Move
from games.matches.services.clocks import MINUTE, NO_CLOCK, SECOND, TimeLimit
from games.matches.takebacks import TAKEN_BACK
from tests.matches.conftest import START, legal_texts, sit_down
from tests.matches.test_takebacks import BLOCK_BUSTER, move_at, say
from tests.matches.timekeeping import LIVE, TURNS, clocks
from tests.sizes import size
from tests.soundness import assert_sound

pytestmark = pytest.mark.django_db

BY_TURNS = [game for game in all_games() if not game.info.real_time]


def test_live_clocks_are_what_they_were_as_the_move_arrived(alice: User, bob: User) -> None:
    """The thinking before the move stays spent; what came after it costs nobody; the added time goes again."""
    match = sit_down(alice, bob, game=BLOCK_BUSTER, clock=LIVE)
    move_at(match, 10)
    move_at(match, 30)
    assert clocks(match) == [(10 * MINUTE, 30 * SECOND), (10 * MINUTE - 10 * SECOND, None)]
    say(match, bob, "ask", seconds=50)
    say(match, alice, "agree", seconds=70)
    assert clocks(match) == [(10 * MINUTE, None), (10 * MINUTE - 20 * SECOND, 70 * SECOND)]
    assert match.due_at == START + timedelta(seconds=70) + timedelta(minutes=10) - timedelta(seconds=20)


def test_clock_by_turns_goes_on_where_it_stood(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER, clock=TURNS, pace=Match.Pace.TURNS)
    move_at(match, 3600)
    say(match, alice, "ask", seconds=4000)
    say(match, bob, "agree", seconds=5000)
    day = 24 * 60 * MINUTE
    assert clocks(match) == [(3 * day - 60 * MINUTE, 5000 * SECOND), (3 * day, None)]


def test_clock_that_runs_out_meanwhile_ends_the_request(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER, clock=TimeLimit(5 * MINUTE, 5 * SECOND))
    move_at(match, 1)
    say(match, alice, "ask", seconds=2)
    with pytest.raises(NotRunning):
        say(match, bob, "agree", seconds=302)
    match.refresh_from_db()
    assert (match.status, match.reason, match.takeback_by) == (Match.Status.OVER, "timeout", None)


# Whole matches


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("clock", [LIVE, None], ids=["clock", "no clock"])
@pytest.mark.parametrize("game", BY_TURNS, ids=lambda game: game.slug)
def test_random_matches_with_moves_taken_back_equal_their_log(
    alice: User, bob: User, carol: User, game: Game, clock: TimeLimit | None, players: int
) -> None:
    """After each act the position is the replay of what stands, and the clocks are those that the whole log makes."""
    rng = Random(f"{game.slug}/{players}/{clock}")
    people = [alice, bob, carol][:players]
    match = sit_down(*people, game=game, clock=clock or NO_CLOCK)
    now, version, back = 0.0, match.version, 0
    for _ in range(size("moves of a match with takebacks", ci=12, soak=25)):
        if match.status != Match.Status.RUNNING:
            break
        now += rng.choice([0.5, 1, 2])
        texts = legal_texts(match)
        passes = [text for text in texts if text == "pass"]
        move_at(
            match, now, move=rng.choice(passes if passes and rng.random() < 0.3 else texts), key=f"{int(now * 1000)}"
        )
        while match.status == Match.Status.RUNNING and rng.random() < 0.6 and _take_back(match, people, rng, now):
            back, now = back + 1, now + 1
            assert_sound(match)
            assert clocks(match) == clocks_of_log(match)
        assert match.version > version, "the version only rises"
        version = match.version
    assert back
    assert_sound(match)


def _take_back(match: Match, people: list[User], rng: Random, now: float) -> bool:
    """Ask for the last move, all agree; whether it could be taken back."""
    last, before = match.moves.filter(undone=False).order_by("ply").last(), match.takebacks
    if last is None:
        return False
    seats = {seat.index: seat.user for seat in match.seats.select_related("user")}
    with suppress(NoTakeback):
        say(match, seats[last.seat], "ask", seconds=now + 0.25)
        for user in rng.sample(people, len(people)):
            if user != seats[last.seat]:
                say(match, user, "agree", ply=last.ply, seconds=now + 0.5)
    assert match.takebacks - before in (0, 1)
    if match.takebacks > before:
        assert not {event["code"] for event in last.events} & set(match.game.info.revealing or ())
    return match.takebacks > before


def clocks_of_log(match: Match) -> list[tuple[int | None, int | None]]:
    """The clocks, computed anew from the whole log: every move in the order of time, and each taking back."""
    if match.clock_main is None:
        return [(None, None)] * match.seat_count
    rules = match.game.rules
    position = rules.start(match.options, match.deal or {}, match.seat_count)
    left, since = [match.clock_main] * match.seat_count, 0
    before: list[tuple[Any, list[int], int]] = []
    happened: list[tuple[int, int, Any]] = [(move.at, move.pk, move) for move in Move.objects.filter(match=match)]
    happened += [(entry.at, 0, entry) for entry in LogEntry.objects.filter(match=match, code=TAKEN_BACK)]
    for at, _pk, what in sorted(happened, key=lambda row: row[:2]):
        if isinstance(what, Move):
            arrived = [*left]
            arrived[what.seat] -= at - since
            before.append((position, arrived, what.seat))
            move = rules.parse_move(what.text)
            left = [*arrived]
            if not hasattr(rules, "earns_time") or rules.earns_time(position, move):
                left[what.seat] += match.clock_increment
            position, _events = rules.play(position, what.seat, move, at=at)
        else:
            position, left, _seat = before.pop()
        since = at
    running = rules.to_move(position)
    return [(left[seat], since if seat in running else None) for seat in range(match.seat_count)]
