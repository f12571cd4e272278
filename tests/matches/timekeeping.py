"""Matches with clocks: a move, a look or a vacation at a certain match time; what the clocks and the log say then."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from accounts.people.models import User
from games.matches.models import LogEntry, Match
from games.matches.services.clocks import DAY, MINUTE, SECOND, TimeLimit
from games.matches.services.due import settle_due
from games.matches.services.vacations import begin_vacation, end_vacation
from tests.matches.conftest import START, move_form, player_to_move, sit_down
from tests.matches.playing import play_form

LIVE = TimeLimit(10 * MINUTE, 10 * SECOND)
TURNS = TimeLimit(3 * DAY)


def after(ms: float) -> datetime:
    """The moment of that match time, in a match that began at START."""
    return START + timedelta(milliseconds=ms)


def go(user: User, ms: float) -> None:
    begin_vacation(user=user, moment=after(ms))


def come_back(user: User, ms: float) -> None:
    end_vacation(user=user, moment=after(ms))


def by_turns(*people: User, clock: TimeLimit = TURNS, **table: Any) -> Match:
    return sit_down(*people, pace=Match.Pace.TURNS, clock=clock, **table)


def clocks(match: Match) -> list[tuple[int | None, int | None]]:
    """By seat, what is left in ms, and since when it runs."""
    return [(seat.clock_left, seat.clock_since) for seat in match.seats.order_by("index")]


def move_at(match: Match, ms: int, **changed: str) -> None:
    """The player to move plays the first legal move, or the one given, at that match time."""
    play_form(match, player_to_move(match), move_form(match, **changed), seconds=ms / 1000)
    match.refresh_from_db()


def look_at(match: Match, ms: float) -> None:
    """The keeper comes by at that match time."""
    settle_due(moment=after(ms))
    match.refresh_from_db()


def log_of(match: Match) -> list[tuple[str, int, Any]]:
    rows = LogEntry.objects.filter(match=match, of_house=True).order_by("pk")
    return [(entry.code, entry.at, entry.params["seat"]) for entry in rows]
