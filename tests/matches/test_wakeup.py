"""Wake-ups: what falls due before a keeper's next look is told to it, in this process and across the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection, transaction

from accounts.people.models import User
from games.contract import registry
from games.matches import keeper as keeper_module
from games.matches import wakeup
from games.matches.keeper import LATE, TOLD_EVERY_S, Keeper
from games.matches.models import Heartbeat, Match, Outage
from games.matches.services import due, outages
from games.matches.services.due import settle_due
from games.matches.services.timing import bring_up_to
from games.matches.wakeup import CHANNEL, SOON, Listener, wake_on_commit
from tests.contract.sampled import TOY
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.crowds import at_once
from tests.matches.playing import play_form
from tests.soundness import assert_sound

PATIENCE_S = 30
SILENCE_S = 0.2


@pytest.fixture(autouse=True)
def _asleep(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No wake-up of another test is left over, and no beat."""
    monkeypatch.setattr(outages, "_known", None)
    monkeypatch.setitem(registry._added, TOY.slug, TOY)
    wakeup.forget()
    yield
    wakeup.forget()


# Who is woken


@pytest.mark.django_db(transaction=True)
def test_near_due_time_wakes_once_it_is_committed(time: Clock) -> None:
    for taken_back, woken in ((True, False), (False, True)):
        with transaction.atomic():
            wake_on_commit(START + SOON)
            assert not wakeup._woken.is_set()
            transaction.set_rollback(taken_back)
        assert wakeup._woken.is_set() is woken


def test_bot_that_has_found_its_move_wakes_without_a_word_of_anything_due() -> None:
    wakeup.rouse()
    assert wakeup._woken.is_set()
    assert not wakeup.take_word()
    wakeup.wake()
    assert wakeup.take_word()
    assert not wakeup.take_word(), "it is told once"


@pytest.mark.django_db(transaction=True)
def test_what_falls_due_later_wakes_nobody(alice: User, time: Clock) -> None:
    """A look comes before it anyway. The end of an idle table needs no hurry at all."""
    with transaction.atomic():
        wake_on_commit(START + SOON + timedelta(milliseconds=1))
    sit_down(alice, seats=2, start=False)
    sit_down(alice, game=TOY)
    assert not wakeup._woken.is_set()


@pytest.mark.django_db(transaction=True)
def test_round_that_closes_at_once_wakes(alice: User, time: Clock) -> None:
    """The last seat has bid; what the keeper knew was the end of the window."""
    match = sit_down(alice, game=TOY)
    settle_due(moment=time.tick(seconds=3))
    wakeup._woken.clear()
    bid_lowest(match, alice, arrived=time.moment)
    assert wakeup._woken.is_set()


def bid_lowest(match: Match, user: User, *, arrived: datetime) -> None:
    """The lowest card of seat 0 in the first round."""
    match.refresh_from_db()
    card = TOY.rules.load(match.position or {}).hands[0][0]
    play_form(match, user, {"move": f"bid {card}", "turn_key": "0"}, seconds=(arrived - START).total_seconds())


@pytest.fixture
def line() -> Iterator[psycopg.Connection[Any]]:
    """A connection of somebody else's to the same database."""
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as somebody:
        yield somebody


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_other_processes_hear_of_it_with_the_commit(time: Clock, line: psycopg.Connection[Any]) -> None:
    line.execute(f"LISTEN {CHANNEL}")
    with transaction.atomic():
        wake_on_commit(START)
        transaction.set_rollback(True)
    with transaction.atomic():
        wake_on_commit(START)
        assert not list(line.notifies(timeout=SILENCE_S))
    assert len(list(line.notifies(timeout=PATIENCE_S, stop_after=1))) == 1
    assert not list(line.notifies(timeout=SILENCE_S)), "nothing of what was taken back"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_what_the_keeper_of_this_process_sees_to_needs_no_word(time: Clock, line: psycopg.Connection[Any]) -> None:
    line.execute(f"LISTEN {CHANNEL}")
    with wakeup.keeper_here(), transaction.atomic():
        wake_on_commit(START)
    assert wakeup._woken.is_set()
    assert not list(line.notifies(timeout=SILENCE_S))


@pytest.fixture
def listening() -> Iterator[Callable[[], None]]:
    """A listener at work; call it to wait until its connection stands."""
    listener = Listener()
    listener.start()

    def until_it_stands() -> None:
        assert wakeup._woken.wait(PATIENCE_S)
        wakeup._woken.clear()

    until_it_stands()
    yield until_it_stands
    listener.stop()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("listening")
def test_keeper_is_woken_by_other_processes(line: psycopg.Connection[Any]) -> None:
    for _ in range(3):
        assert not wakeup._woken.wait(SILENCE_S)
        line.execute(f"NOTIFY {CHANNEL}")
        assert wakeup._woken.wait(PATIENCE_S)
        wakeup._woken.clear()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_lost_connection_is_made_again(
    line: psycopg.Connection[Any],
    monkeypatch: pytest.MonkeyPatch,
    listening: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What was committed meanwhile may be due: the keeper looks as soon as somebody listens again."""
    monkeypatch.setattr(wakeup, "RECONNECT_AFTER_S", 0.01)
    listeners = line.execute(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = %s", [f"LISTEN {CHANNEL}"]
    ).fetchall()
    connect, refusals = psycopg.connect, iter(range(3))

    def refused_at_first(**asked: Any) -> Any:
        for _ in refusals:
            raise psycopg.OperationalError("the database starts up")
        return connect(**asked)

    monkeypatch.setattr(psycopg, "connect", refused_at_first)
    for (pid,) in listeners:
        line.execute("SELECT pg_terminate_backend(%s)", [pid])
    listening()
    assert caplog.text.count("no wake-ups are heard") == 1, "the log is told once"
    line.execute(f"NOTIFY {CHANNEL}")
    assert wakeup._woken.wait(PATIENCE_S)


# What the keeper does with it


@pytest.mark.django_db
def test_lateness_is_known_and_told_when_large(
    alice: User, time: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Once in a while: a house that is too slow must not fill its log with that."""
    monkeypatch.setattr(keeper_module, "close_old_connections", lambda: None)
    seconds = [1000.0]
    monkeypatch.setattr(keeper_module, "monotonic", lambda: seconds[0])
    keeper = Keeper()
    for late, told in ((LATE, 0), (2 * LATE, 1), (3 * LATE, 1)):
        match = sit_down(alice, game=TOY, moment=time.moment)
        assert match.due_at is not None
        time.moment = match.due_at + late
        keeper._look()
        assert keeper.lateness == late
        assert caplog.text.count("the keeper is late") == told
    seconds[0] += TOLD_EVERY_S
    sit_down(alice, game=TOY, moment=time.moment - timedelta(seconds=3))
    wakeup.wake()
    keeper._look()
    assert caplog.text.count("the keeper is late: 2000 ms") == 1


@pytest.mark.django_db
def test_house_stays_open_while_many_matches_are_settled(
    alice: User, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each takes two seconds here; a beat between them says that somebody is at work."""
    monkeypatch.setattr(keeper_module, "close_old_connections", lambda: None)
    for _ in range(4):
        sit_down(alice, game=TOY)
    keeper = Keeper()
    keeper._look()
    time.tick(seconds=1)
    settled = keeper._settled

    def slow(due_at: datetime) -> None:
        time.tick(seconds=2)
        settled(due_at)

    monkeypatch.setattr(keeper, "_settled", slow)
    keeper._look()
    assert Heartbeat.objects.get().beat_at == time.moment == START + timedelta(seconds=9)
    assert not Outage.objects.exists()


@pytest.mark.django_db
def test_bad_moment_of_the_database_delays_a_match_a_second_and_no_other(
    alice: User, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was due is done at its own time all the same."""
    unlucky, sound = sit_down(alice, game=TOY), sit_down(alice, game=TOY)
    time.moment = START + timedelta(seconds=1)

    def fails_once(sitting: Any, moment: Any) -> None:
        if sitting.match.pk == unlucky.pk:
            raise OperationalError("deadlock detected")
        bring_up_to(sitting, moment)

    with monkeypatch.context() as patch:
        patch.setattr(due, "bring_up_to", fails_once)
        settle_due(moment=time.moment)
    assert list(sound.entries.values_list("at", "code")) == [(1000, "opened")]
    settle_due(moment=time.tick(seconds=0.9))
    assert not unlucky.entries.exists()
    settle_due(moment=time.tick(seconds=0.1))
    assert list(unlucky.entries.values_list("at", "code")) == [(1000, "opened")]


@pytest.mark.django_db(transaction=True)
def test_several_keepers_open_and_close_every_round_once(alice: User, bob: User, time: Clock) -> None:
    matches = [sit_down(alice, bob, game=TOY) for _ in range(6)]
    for seconds in range(1, 30):
        moment = time.tick(seconds=1)
        at_once([lambda moment=moment: settle_due(moment=moment)] * 4)  # type: ignore[misc]
        settle_due(moment=moment)  # what all have passed over, because another held it
        if seconds == 2:
            for match in matches:
                bid_lowest(match, alice, arrived=moment)
    rounds = [(1000, "opened"), (2000, "bid"), (7150, "won")]
    rounds += [(7650, "opened"), (13800, "unsold"), (14300, "opened"), (20450, "unsold")]
    for match in matches:
        assert list(match.entries.order_by("pk").values_list("at", "code")) == rounds
        assert_sound(match)
        assert match.status == Match.Status.OVER
