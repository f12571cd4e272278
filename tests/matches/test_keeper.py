"""The keeper: looks at every match when something is due, never before, and nothing stops it but being told to."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from games.matches import keeper as keeper_module
from games.matches import wakeup
from games.matches.callers import Caller
from games.matches.errors import NotRunning
from games.matches.keeper import AFTER_FAILURE_S, SOONEST_S, Keeper
from games.matches.models import Match
from games.matches.services import due, tables
from games.matches.services.due import TRY_AGAIN_AFTER, next_due, settle_due
from games.matches.services.play import agree_to_end
from games.matches.services.timing import BOT_PAUSE_MS, bring_up_to
from games.matches.wakeup import LOOK_EVERY_S
from tests.matches.conftest import START, Clock, frozen, move_form, player_to_move, sit_down, to_move
from tests.matches.playing import play_form
from tests.matches.timekeeping import LIVE, log_of, look_at, move_at

PATIENCE_S = 30


@pytest.fixture(autouse=True)
def _asleep() -> Iterator[None]:
    """No wake-up of another test is left over."""
    wakeup.forget()
    yield
    wakeup.forget()


def bot_match(alice: User) -> Match:
    """A match in which the bot is to move."""
    match = sit_down(alice, bots=1)
    while to_move(match) == 0:
        play_form(match, alice, move_form(match), seconds=0)
    match.refresh_from_db()
    assert match.due_at is not None
    return match


# What is due


@pytest.mark.django_db
def test_nothing_happens_before_its_time(alice: User) -> None:
    match = bot_match(alice)
    table = sit_down(alice, seats=2, start=False)
    assert match.due_at is not None
    pause = match.due_at - match.touched_at
    assert timedelta(milliseconds=BOT_PAUSE_MS[0]) <= pause <= timedelta(milliseconds=BOT_PAUSE_MS[1])
    before = [frozen(match), frozen(table)]
    assert settle_due(moment=match.due_at - timedelta(microseconds=1)) == 0
    assert [frozen(match), frozen(table)] == before
    assert settle_due(moment=match.due_at) == 1
    assert frozen(match) != before[0]
    assert frozen(table) == before[1]


@pytest.mark.django_db
def test_looking_late_or_often_changes_no_result(alice: User) -> None:
    """A bot's move has its own time, whoever looks when."""
    match = bot_match(alice)
    due_at, ply = match.due_at, match.ply
    assert due_at is not None
    settle_due(moment=due_at + timedelta(hours=3))
    assert match.moves.get(ply=ply + 1).at == match.milliseconds(due_at)


@pytest.mark.django_db
def test_the_earliest_time_of_all_is_next(alice: User) -> None:
    assert next_due() is None
    table = sit_down(alice, seats=2, start=False)
    assert next_due() == START + timedelta(minutes=30) == table.due_at
    match = bot_match(alice)
    assert next_due() == match.due_at


@pytest.mark.django_db
def test_accident_at_one_match_stops_no_other(
    alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The broken one is left alone for a while, unchanged, and then tried again."""
    broken, sound = bot_match(alice), bot_match(alice)
    Match.objects.filter(pk=broken.pk).update(due_at=START)
    before = frozen(broken)

    def fails(sitting: Any, moment: Any) -> None:
        bring_up_to(sitting, moment)
        if sitting.match.pk == broken.pk:
            raise RuntimeError("a bug in a bot")

    moment = START + timedelta(seconds=1)
    with monkeypatch.context() as patch:
        patch.setattr(due, "bring_up_to", fails)
        assert settle_due(moment=moment) == 2
        assert settle_due(moment=moment) == 0, "nobody spins on it"
    assert "a bug in a bot" in caplog.text
    assert broken.slug in caplog.text
    after = frozen(broken)
    assert after["match"].pop("due_at") == moment + TRY_AGAIN_AFTER
    before["match"].pop("due_at")
    assert after["match"].pop("revision") == before["match"].pop("revision") + 1, "what others keep is out of date"
    assert after == before
    ply = sound.ply
    sound.refresh_from_db()
    assert sound.ply > ply
    settle_due(moment=moment + TRY_AGAIN_AFTER)
    ply = broken.ply
    broken.refresh_from_db()
    assert broken.ply > ply


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError("a bad moment"), RuntimeError("a bug")])
def test_flag_that_the_keeper_could_not_settle_has_fallen_all_the_same(
    error: Exception, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks again later; whoever comes before that finds what was due done at its own time."""
    match = sit_down(alice, bob, clock=LIVE)
    seat = to_move(match)

    def fails(sitting: Any, moment: Any) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(due, "bring_up_to", fails)
        look_at(match, 600_000)
    assert match.due_at is not None
    assert match.due_at > match.moment_of(600_500)
    with pytest.raises(NotRunning):
        move_at(match, 600_500)
    match.refresh_from_db()
    assert (match.reason, log_of(match)) == ("timeout", [("flagged", 600_000, seat)])
    assert match.due_at is None


@pytest.mark.django_db
def test_match_that_vanishes_between_two_looks_is_passed_over(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = bot_match(alice)
    settle = due._settle

    def vanish(**kwargs: Any) -> None:
        Match.objects.filter(pk=match.pk).delete()
        settle(**kwargs)

    monkeypatch.setattr(due, "_settle", vanish)
    assert settle_due(moment=START + timedelta(minutes=1)) == 1


@pytest.mark.django_db
def test_what_somebody_else_did_first_is_not_done_again(alice: User) -> None:
    """Two keepers list the same due match; the second finds it done."""
    match = bot_match(alice)
    moment = START + timedelta(seconds=1)
    due._settle(slug=match.slug, moment=moment)
    Match.objects.filter(pk=match.pk).update(due_at=moment + timedelta(seconds=5))
    before = frozen(match)
    due._settle(slug=match.slug, moment=moment)
    assert frozen(match) == before


@pytest.mark.django_db
def test_match_of_a_game_that_is_gone_waits_in_peace(alice: User, caplog: pytest.LogCaptureFixture) -> None:
    """Its folder may come back; until then it is neither touched nor a reason to spin or to fill the log."""
    match = bot_match(alice)
    Match.objects.filter(pk=match.pk).update(game_slug="gone")
    assert settle_due(moment=START + timedelta(days=9)) == 0
    assert next_due() is None
    assert not caplog.records


@pytest.mark.django_db
def test_table_that_was_touched_is_looked_at_later(alice: User, bob: User) -> None:
    """`due_at` may be older than what has happened: the keeper moves it on and closes nothing."""
    match = sit_down(alice, seats=3, start=False)
    later = START + timedelta(minutes=20)
    tables.join_table(slug=match.slug, caller=Caller(bob), index=None, moment=later)
    Match.objects.filter(pk=match.pk).update(due_at=START + timedelta(minutes=30))
    assert settle_due(moment=START + timedelta(minutes=30)) == 1
    match.refresh_from_db()
    assert match.status == Match.Status.TABLE
    assert match.due_at == later + timedelta(minutes=30)


# The sleeper


@pytest.fixture
def own_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's transaction lives on this connection: to the keeper it would look like a spoiled one."""
    monkeypatch.setattr(keeper_module, "close_old_connections", lambda: None)


@pytest.mark.django_db
@pytest.mark.usefixtures("own_connection")
def test_sleeps_until_the_next_due_time_and_never_too_long(alice: User, time: Clock) -> None:
    keeper = Keeper()
    assert keeper._look() == LOOK_EVERY_S, "nothing is due at all"
    match = bot_match(alice)
    assert match.due_at is not None
    time.moment = match.due_at - timedelta(milliseconds=100)
    assert keeper._look() == pytest.approx(0.1)
    time.moment = match.due_at - timedelta(hours=1)
    assert keeper._look() == LOOK_EVERY_S


@pytest.mark.django_db
@pytest.mark.usefixtures("own_connection")
def test_asks_what_is_due_when_something_may_be(alice: User, time: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not each time a bot has found its move."""
    asked: list[bool] = []
    monkeypatch.setattr(keeper_module, "settle_due", lambda **how: asked.append(how["vacations"]))
    keeper = Keeper()
    for _ in range(3):
        keeper._look()
    assert asked == [True]
    wakeup.wake()
    keeper._look()
    assert asked == [True, False], "vacations last for days"
    time.tick(seconds=LOOK_EVERY_S)
    keeper._look()
    time.moment = START - timedelta(hours=1)
    keeper._look()
    assert len(asked) == 4, "also when the clock was set"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL looks at its statistics")
@pytest.mark.django_db
def test_what_is_due_is_found_among_all_matches_that_there_ever_were() -> None:
    """SQLite, which has none, has to take the right index all the same."""
    with CaptureQueriesContext(connection) as captured:
        next_due()
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + captured.captured_queries[0]["sql"])
        planned = " ".join(str(row[-1]) for row in cursor.fetchall())
    assert "match_due" in planned
    assert "TEMP B-TREE" not in planned


@pytest.mark.django_db
@pytest.mark.usefixtures("own_connection")
def test_does_not_spin_on_a_match_that_another_holds(alice: User, time: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    match = bot_match(alice)
    assert match.due_at is not None
    time.moment = match.due_at + timedelta(seconds=1)
    monkeypatch.setattr(keeper_module, "settle_due", lambda **_: 0)
    assert Keeper()._look() == SOONEST_S > 0


@pytest.mark.django_db
@pytest.mark.usefixtures("own_connection")
@pytest.mark.parametrize("what", ["settle_due", "next_due"])
def test_database_that_is_away_is_waited_for(
    what: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(**kwargs: Any) -> None:
        raise OperationalError("the connection is closed")

    with monkeypatch.context() as patch:
        patch.setattr(keeper_module, what, away)
        assert Keeper()._look() == AFTER_FAILURE_S
    assert "could not look" in caplog.text
    assert 0.9 * LOOK_EVERY_S < Keeper()._look() <= LOOK_EVERY_S


def looks_of(monkeypatch: pytest.MonkeyPatch, look: Callable[[], float]) -> None:
    monkeypatch.setattr(Keeper, "_look", lambda self: look())
    monkeypatch.setattr(wakeup.Listener, "start", lambda self: None)


def test_thread_starts_looks_and_stops_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopping wakes it: nobody waits for the end of a sleep."""
    looked = threading.Event()

    def look() -> float:
        looked.set()
        return 3600

    looks_of(monkeypatch, look)
    keeper = Keeper()
    keeper.start()
    assert looked.wait(PATIENCE_S)
    thread = keeper._thread
    assert thread is not None
    assert thread.is_alive()
    keeper.stop()
    assert not thread.is_alive()


def test_is_woken_for_what_falls_due_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = threading.Semaphore(0)

    def look() -> float:
        looks.release()
        return 3600

    looks_of(monkeypatch, look)
    keeper = Keeper()
    keeper.start()
    try:
        assert looks.acquire(timeout=PATIENCE_S)
        for _ in range(3):
            wakeup.wake()
            assert looks.acquire(timeout=PATIENCE_S)
        assert not looks.acquire(timeout=0.05), "and sleeps again after each"
    finally:
        keeper.stop()


@pytest.mark.django_db(transaction=True)
def test_running_keeper_moves_for_the_bot(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, time: Clock) -> None:
    """The whole of it, in its thread: an accident first, then the move, told to everybody."""
    match = bot_match(alice)
    assert match.due_at is not None
    time.moment = match.due_at
    ply, moved = match.ply, threading.Event()
    announced: list[str] = []

    def announce(change: Any) -> None:
        announced.append(change.slug)
        moved.set()

    accidents = iter([OperationalError("gone away")])

    def settle(**asked: Any) -> int:
        for accident in accidents:
            raise accident
        return settle_due(**asked)

    monkeypatch.setattr("games.matches.services.sitting.announce", announce)
    monkeypatch.setattr(keeper_module, "settle_due", settle)
    monkeypatch.setattr(keeper_module, "AFTER_FAILURE_S", 0.01)
    keeper = Keeper()
    keeper.start()
    try:
        assert moved.wait(PATIENCE_S)
    finally:
        keeper.stop()
    assert announced[0] == match.slug
    match.refresh_from_db()
    assert match.ply > ply


def test_command_ends_by_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the signal finds it: the handler takes no lock that the sleeper may hold."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def look() -> float:
        with wakeup._woken._cond:  # type: ignore[attr-defined]
            signal.raise_signal(signal.SIGTERM)
        return 0

    looks_of(monkeypatch, look)
    try:
        call_command("keeper", stdout=StringIO())
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


@pytest.mark.django_db
def test_player_s_own_act_needs_no_keeper(alice: User, bob: User) -> None:
    """Whoever touches the match first brings it up to now: here the player who comes after the bot."""
    match = sit_down(alice, bob, bots=1)
    while to_move(match) != 2:
        play_form(match, player_to_move(match), move_form(match), seconds=0)
    match.refresh_from_db()
    ply = match.ply
    agree_to_end(slug=match.slug, caller=Caller(alice), agreed=True, moment=START + timedelta(minutes=5))
    match.refresh_from_db()
    assert match.ply == ply + 1
