"""The one clock: all processes stamp by the database's, and nobody waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from games.matches import clock
from games.matches.callers import Caller
from games.matches.services import play
from tests.matches.conftest import START, move_form, player_to_move, sit_down
from tests.matches.playing import play_form

HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "_offset", timedelta(0))
    monkeypatch.setattr(clock, "_measured_at", None)


class FakeDatabase:
    """PostgreSQL with a clock of its own, and a way to it that takes time."""

    vendor = "postgresql"

    def __init__(self, ahead: timedelta) -> None:
        self.ahead = ahead
        self.asked = 0

    @contextmanager
    def cursor(self) -> Iterator[FakeDatabase]:
        yield self

    def execute(self, query: str) -> None:
        assert "clock_timestamp" in query, "now() is the start of the transaction, which may be long ago"
        self.asked += 1

    def fetchone(self) -> tuple[datetime]:
        return (datetime.now(UTC) + self.ahead,)


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The process's own steady seconds, moved by hand."""
    seconds = [1000.0]
    monkeypatch.setattr(clock, "monotonic", lambda: seconds[0])
    return seconds


@pytest.mark.parametrize("ahead", [HOUR, -HOUR])
def test_clock_follows_the_database(monkeypatch: pytest.MonkeyPatch, ahead: timedelta) -> None:
    monkeypatch.setattr(clock, "connection", FakeDatabase(ahead))
    clock.follow_database()
    assert abs(clock.now() - datetime.now(UTC) - ahead) < timedelta(seconds=5)
    assert clock.now().tzinfo is UTC


def test_half_of_the_way_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between question and answer four seconds go by; the database looked at its clock in the middle."""
    moments = iter([START, START + timedelta(seconds=4), START])

    class Own(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            return next(moments)

    database = FakeDatabase(HOUR)
    monkeypatch.setattr(database, "fetchone", lambda: (START + timedelta(seconds=2) + HOUR,))
    monkeypatch.setattr(clock, "connection", database)
    monkeypatch.setattr(clock, "datetime", Own)
    clock.follow_database()
    assert clock.now() == START + HOUR


def test_database_is_asked_once_a_minute(monkeypatch: pytest.MonkeyPatch, steady: list[float]) -> None:
    database = FakeDatabase(HOUR)
    monkeypatch.setattr(clock, "connection", database)
    for _ in range(100):
        clock.follow_database()
    assert database.asked == 1
    database.ahead = 2 * HOUR
    steady[0] += clock.MEASURED_EVERY_S
    clock.follow_database()
    assert database.asked == 2
    assert abs(clock.now() - datetime.now(UTC) - 2 * HOUR) < timedelta(seconds=5)


def test_failed_question_leaves_the_clock_as_it_was(monkeypatch: pytest.MonkeyPatch, steady: list[float]) -> None:
    database = FakeDatabase(HOUR)
    monkeypatch.setattr(clock, "connection", database)
    clock.follow_database()
    steady[0] += clock.MEASURED_EVERY_S

    def away() -> tuple[datetime]:
        raise ConnectionError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(database, "fetchone", away)
        with pytest.raises(ConnectionError):
            clock.follow_database()
    assert abs(clock.now() - datetime.now(UTC) - HOUR) < timedelta(seconds=5)
    clock.follow_database()
    assert database.asked == 3, "and it is asked again at once"


def test_telling_the_time_asks_nobody(db: None) -> None:
    """A door stamps the arrival before any waiting."""
    with CaptureQueriesContext(connection) as queries:
        clock.now()
    assert len(queries) == 0


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's clock is ours")
def test_on_sqlite_there_is_nothing_to_follow(db: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        clock.follow_database()
    assert len(queries) == 0
    assert clock._offset == timedelta(0)


@pytest.mark.postgres
def test_on_postgresql_the_true_offset_is_measured(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here with a machine whose clock is an hour slow: stamps are the database's all the same."""

    class Slow(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) - HOUR

    monkeypatch.setattr(clock, "datetime", Slow)
    clock.follow_database()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        theirs: datetime = cursor.fetchone()[0]
    assert abs(clock.now() - theirs) < timedelta(seconds=1)


# What the matches make of it


def test_match_time_never_falls_whatever_the_clock_does(alice: User, bob: User) -> None:
    """The clock may be set back between two moves: the log's times do not fall, and nothing is refused for it."""
    match = sit_down(alice, bob)
    for seconds in (5.0, 2.0, -3600.0, 5.0005, 6.0):
        play_form(match, player_to_move(match), move_form(match), seconds=seconds)
    assert list(match.moves.values_list("at", flat=True)) == [5000, 5000, 5000, 5000, 6000]
    match.refresh_from_db()
    assert match.reached == 6000
    assert match.touched_at == START + timedelta(seconds=6)


def test_leaving_before_the_last_move_ends_no_match_in_the_past(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_form(match, player_to_move(match), move_form(match), seconds=10)
    play.resign(slug=match.slug, caller=Caller(alice), moment=START + timedelta(seconds=4))
    match.refresh_from_db()
    assert match.status == "over"
    assert match.finished_at == match.touched_at == START + timedelta(seconds=10)
