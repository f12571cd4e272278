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
    monkeypatch.setattr(clock, "_measured", None)


class FakeDatabase:
    """PostgreSQL with a clock of its own, and a way to it that takes time."""

    vendor = "postgresql"

    def __init__(self, ahead: timedelta) -> None:
        self.ahead = ahead
        self.asked = 0

    def ensure_connection(self) -> None:
        pass

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
    monkeypatch.setattr(clock, "_steady_seconds", lambda: seconds[0])
    return seconds


@pytest.mark.parametrize("ahead", [HOUR, -HOUR])
def test_clock_follows_the_database(monkeypatch: pytest.MonkeyPatch, ahead: timedelta) -> None:
    monkeypatch.setattr(clock, "connection", FakeDatabase(ahead))
    clock.follow_database()
    assert abs(clock.now() - datetime.now(UTC) - ahead) < timedelta(seconds=5)
    assert clock.now().tzinfo is UTC


class Ways(FakeDatabase):
    """An hour ahead of ours, which tells START plus the steady seconds, and `set_by` from its first answer on.

    Opening the connection takes `opening`, and the answers so long as `ways` say, in seconds: it looks at its clock
    after the part `looks_at` of the way.
    """

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, ways: list[float], *, opening: float = 0, looks_at: float = 0.5
    ) -> None:
        super().__init__(HOUR)
        self.seconds = 1000.0
        self.ways = ways
        self.set_by = 0.0
        self._opening = opening
        self._looks_at = looks_at
        self._own_is_wrong_by = 0.0

        class Own(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
                return self.right() + timedelta(seconds=self._own_is_wrong_by)

        monkeypatch.setattr(clock, "connection", self)
        monkeypatch.setattr(clock, "datetime", Own)
        monkeypatch.setattr(clock, "_steady_seconds", lambda: self.seconds)

    def right(self) -> datetime:
        return START + timedelta(seconds=self.seconds)

    def ahead_of_it(self) -> timedelta:
        """By how much this process is ahead of the database, as it tells the time."""
        return clock.now() - self.right() - self.ahead

    def ensure_connection(self) -> None:
        self.seconds += self._opening
        self._opening = 0

    @contextmanager
    def cursor(self) -> Iterator[FakeDatabase]:
        self.ensure_connection()
        yield self

    def fetchone(self) -> tuple[datetime]:
        way = self.ways.pop(0)
        self.seconds += way * self._looks_at
        theirs = self.right() + self.ahead
        self.seconds += way * (1 - self._looks_at)
        self._own_is_wrong_by = self.set_by
        return (theirs,)


NOTHING = timedelta(0)


def test_half_of_the_way_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between question and answer four seconds go by; the database looked at its clock in the middle."""
    database = Ways(monkeypatch, [4.0] * clock.LOOKS)
    clock.follow_database()
    assert database.ahead_of_it() == NOTHING


def test_opening_a_connection_is_not_counted_with_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a process that has just started is ahead by half of that, and its flags fall and its rounds open early."""
    database = Ways(monkeypatch, [0.0], opening=0.1)
    clock.follow_database()
    assert database.ahead_of_it() == NOTHING


def test_of_slow_answers_the_quickest_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine: the database has looked at the end of each way."""
    database = Ways(monkeypatch, [0.1, 0.08, 0.004, 0.2, 0.3, 9.0], looks_at=1)
    clock.follow_database()
    assert database.asked == clock.LOOKS
    assert database.ahead_of_it() == timedelta(milliseconds=2)


def test_quick_answer_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    database = Ways(monkeypatch, [0.1, 0.001, 9.0], looks_at=1)
    clock.follow_database()
    assert database.asked == 2
    assert database.ahead_of_it() == timedelta(microseconds=500)


@pytest.mark.parametrize("set_by", [180.0, -240.0])
def test_own_clock_may_be_set_while_the_answer_is_on_its_way(monkeypatch: pytest.MonkeyPatch, set_by: float) -> None:
    """By what it said before and after, the middle would be wrong by half of that: minutes."""
    database = Ways(monkeypatch, [0.001])
    database.set_by = set_by
    clock.follow_database()
    assert database.ahead_of_it() == NOTHING


def test_slow_answer_does_not_spoil_what_is_known_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database looked at once, and its answer took long: by the middle all stamps would be half of that late."""
    database = Ways(monkeypatch, [0.0], looks_at=0)
    clock.follow_database()
    database.ways = [0.4] * clock.LOOKS
    clock.follow_database(at_once=True)
    assert database.ahead_of_it() == NOTHING
    database.ahead += timedelta(milliseconds=50)
    database.ways = [0.0]
    clock.follow_database(at_once=True)
    assert database.ahead_of_it() == NOTHING, "what it contradicts is given up"


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


def test_failed_question_leaves_the_clock_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    database = Ways(monkeypatch, [0.0, 0.0])
    clock.follow_database()
    database.seconds += clock.MEASURED_EVERY_S

    def away() -> tuple[datetime]:
        raise ConnectionError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(database, "fetchone", away)
        with pytest.raises(ConnectionError):
            clock.follow_database()
    assert database.ahead_of_it() == NOTHING
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
    assert clock._measured is None


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
