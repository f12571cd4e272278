"""Outages: while the house is down match time stands still, for everybody, once, and nothing is lost by it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from games.contract import registry
from games.contract.values import ROUND_OVER, Event
from games.matches import clock
from games.matches.callers import Caller
from games.matches.models import Heartbeat, Match, Outage, Seat
from games.matches.services import outages, tables
from games.matches.services.absences import IDLE_ROUNDS, judge_absences
from games.matches.services.due import settle_due
from games.matches.services.outages import DOWN_AFTER, beat, notice_outage
from games.matches.services.play import resign
from games.matches.services.sitting import locked_match
from tests.contract.sampled import TOY
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, Clock, frozen, move_form, player_to_move, sit_down, turn_key
from tests.matches.crowds import at_once
from tests.matches.playing import play_form
from tests.matches.wire import do, version_of, watching
from tests.soundness import assert_sound

pytestmark = pytest.mark.django_db

OPENS, WINDOW = 1000, 6000
"""Of the toy game, in ms."""


@pytest.fixture(autouse=True)
def _clock(time: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time in the test's hand, and a process that knows of no beat yet."""
    monkeypatch.setattr(outages, "_known", None)
    monkeypatch.setitem(registry._added, TOY.slug, TOY)


def auction(*people: User) -> Match:
    """Opens its first round a second after the start, and closes it six seconds and a little later."""
    return sit_down(*people, game=TOY)


def bid(match: Match, user: User, seat: int, arrived: datetime) -> None:
    """The person's lowest card, as it arrived at that moment."""
    match.refresh_from_db()
    card = TOY.rules.load(match.position or {}).hands[seat][0]
    form = {"move": f"bid {card}", "turn_key": turn_key(match, seat), "key": f"key-{match.ply}"}
    play_form(match, user, form, seconds=(arrived - START).total_seconds())


def keep(time: Clock, seconds: float) -> None:
    """A keeper at work, so many seconds after the start."""
    time.moment = START + timedelta(seconds=seconds)
    beat()
    settle_due(moment=time.moment)


def entries(match: Match) -> list[tuple[int, str]]:
    """The log's entries: when in match time, and what."""
    return list(match.entries.order_by("pk").values_list("at", "code"))


# What is an outage


def test_first_start_of_the_house_is_none(alice: User, bob: User, time: Clock) -> None:
    """A match from before there were keepers: nobody knows that the house was down."""
    match = auction(alice, bob)
    before = frozen(match)
    notice_outage()
    time.tick(days=3)
    notice_outage()
    beat()
    assert Heartbeat.objects.get().beat_at == time.moment
    assert not Outage.objects.exists()
    assert frozen(match) == before


def test_shorter_gap_is_settled_at_its_true_time(alice: User, bob: User, time: Clock) -> None:
    match = auction(alice, bob)
    keep(time, 0)
    keep(time, DOWN_AFTER.total_seconds())
    assert not Outage.objects.exists()
    assert entries(match) == [(OPENS, "opened")]
    assert Heartbeat.objects.get().beat_at == time.moment


def test_outage_in_an_open_round_takes_nothing_from_it(alice: User, bob: User, time: Clock) -> None:
    """A minute of it: the round goes on where it stood, and closes after its whole window."""
    match = auction(alice, bob)
    keep(time, 1)
    bid(match, alice, 0, START + timedelta(seconds=1.5))
    keep(time, 2)
    match.refresh_from_db()
    before = match
    keep(time, 62)
    match = Match.objects.get(pk=match.pk)
    minute = timedelta(minutes=1)
    assert list(Outage.objects.values_list("began_at", "ended_at")) == [(START + minute / 30, time.moment)]
    assert (match.epoch, match.due_at) == (before.epoch + minute, before.due_at + minute)  # type: ignore[operator]
    assert (match.position, match.reached) == (before.position, before.reached)
    assert (match.version, match.revision) == (before.version + 1, before.revision + 1), "pages count from the epoch"
    assert (match.started_at, match.touched_at) == (before.started_at, before.touched_at)
    bid(match, bob, 1, START + timedelta(seconds=63))
    assert match.moves.get(seat=1).at == 3000
    keep(time, 63.2)
    assert [entry for entry in entries(match) if entry[1] != "bid"][:2] == [(OPENS, "opened"), (3150, "won")]
    assert_sound(match)
    keep(time, 64)
    assert Outage.objects.count() == 1


def test_whoever_comes_before_the_keeper_records_it(alice: User, bob: User, time: Clock) -> None:
    match = auction(alice, bob)
    keep(time, 2)
    time.moment = START + timedelta(hours=1)
    bid(match, alice, 0, time.moment)
    assert match.moves.get().at == 2000
    assert Outage.objects.get().ended_at == time.moment == Heartbeat.objects.get().beat_at
    keep(time, 3601)
    assert Outage.objects.count() == 1
    assert_sound(match)


def test_without_any_keeper_time_goes_on_for_some_seconds_after_each_touch(alice: User, bob: User, time: Clock) -> None:
    """The web server alone is not the house: what nobody looks after must not run away from its players."""
    match = auction(alice, bob)
    keep(time, 0)
    for seconds in (4, 8, 12, 16, 20):
        time.moment = START + timedelta(seconds=seconds)
        resigning = {"slug": match.slug, "caller": Caller(alice), "moment": time.moment}
        notice_outage()
    assert [outage.ended_at for outage in Outage.objects.order_by("pk")] == [
        START + timedelta(seconds=seconds) for seconds in (8, 16)
    ]
    resign(**resigning)  # type: ignore[arg-type]
    match.refresh_from_db()
    assert match.entries.get(code="resigned").at == 4000
    assert_sound(match)


@pytest.mark.django_db(transaction=True)
def test_many_who_find_it_at_once_record_it_once(alice: User, bob: User, time: Clock) -> None:
    match = auction(alice, bob)
    keep(time, 0)
    time.tick(seconds=60)

    def come(number: int) -> None:
        outages._known = None
        (beat if number % 2 else notice_outage)()

    at_once([lambda number=number: come(number) for number in range(10)])  # type: ignore[misc]
    assert Outage.objects.count() == 1
    match.refresh_from_db()
    assert match.epoch == START + timedelta(seconds=60)


@pytest.mark.django_db(transaction=True)
def test_two_keepers_that_start_together_make_one_heart(time: Clock) -> None:
    at_once([beat] * 6)
    assert Heartbeat.objects.get().beat_at == START


def test_clock_that_is_set_back_gives_no_time_back(alice: User, bob: User, time: Clock) -> None:
    """Matches stand until it has caught up with them; and from then on outages are noticed as before."""
    match = auction(alice, bob)
    keep(time, 3600)
    before = frozen(match)
    keep(time, 1800)
    notice_outage()
    assert not Outage.objects.exists()
    assert frozen(match) == before
    keep(time, 1900)
    assert Outage.objects.get().ended_at - Outage.objects.get().began_at == timedelta(seconds=100)


@pytest.mark.postgres
def test_own_clock_that_was_set_is_no_outage(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database's clock decides: it is asked again before anything is moved."""
    monkeypatch.undo()
    monkeypatch.setattr(outages, "_known", None)
    monkeypatch.setattr(clock, "_measured", None)
    beat()
    for act in (beat, notice_outage):
        clock.follow_database(at_once=True)
        assert clock._measured is not None
        monkeypatch.setattr(clock, "_measured", clock._measured._replace(offset=timedelta(hours=1)))
        act()
        assert not Outage.objects.exists()
        assert clock._measured.offset < timedelta(minutes=1)


# Who is touched by it


def test_game_whose_folder_is_gone_is_moved_too(alice: User, bob: User, time: Clock) -> None:
    """It may come back."""
    match = auction(alice, bob)
    Match.objects.filter(pk=match.pk).update(game_slug="gone")
    keep(time, 0)
    keep(time, 60)
    match.refresh_from_db()
    assert match.epoch == START + timedelta(minutes=1)
    assert match.due_at == START + timedelta(minutes=1, seconds=1)


def test_tables_and_what_is_over_stay_as_they_are(alice: User, bob: User, time: Clock) -> None:
    table, over = sit_down(alice, seats=2, start=False), auction(alice, bob)
    resign(slug=over.slug, caller=Caller(alice), moment=START)
    keep(time, 0)
    before = [frozen(table), frozen(over)]
    keep(time, 60)
    assert Outage.objects.count() == 1
    assert [frozen(table), frozen(over)] == before


def test_clock_by_turns_does_not_run_while_the_house_is_down(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, seats=2, start=False, pace=Match.Pace.TURNS)
    day = timedelta(days=1)
    Match.objects.filter(pk=match.pk).update(clock_main=day // timedelta(milliseconds=1))
    tables.join_table(slug=match.slug, caller=Caller(bob), index=None, moment=START)
    keep(time, 0)
    keep(time, 2 * day.total_seconds())
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    play_form(match, player_to_move(match), move_form(match), seconds=2 * day.total_seconds() + 3600)
    assert match.moves.get().at == 3_600_000
    Heartbeat.objects.update(beat_at=START + 3 * day + timedelta(hours=1))
    settle_due(moment=time.tick(days=1, seconds=3599))
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    settle_due(moment=time.tick(seconds=1))
    match.refresh_from_db()
    assert (match.status, match.reason) == (Match.Status.OVER, "timeout")


def test_round_that_an_outage_has_cut_counts_as_no_absence(alice: User, bob: User, time: Clock) -> None:
    """Bob, who is away, lets round after round pass; only after as many whole ones again has he left."""
    match = auction(alice, bob)
    keep(time, 0)

    def rounds(number: int) -> None:
        for _ in range(number):
            with locked_match(slug=match.slug) as sitting:
                sitting.seats[0].has_claimed = True
                judge_absences(sitting, [Event(time.moment.second * 1000, ROUND_OVER, {"searched": (0, 1)})])

    rounds(IDLE_ROUNDS - 1)
    keep(time, 60)
    rounds(IDLE_ROUNDS)
    assert match.seats.get(index=1).kind == Seat.Kind.PERSON
    rounds(1)
    assert match.seats.get(index=1).kind == Seat.Kind.STAND_IN


# Acts on their way


@pytest.mark.parametrize(
    ("arrived", "at"),
    [
        (2.5, 2500),  # before: as it was
        (3, 3000),
        (4, 3000),  # within: time stood still
        (62.9, 3000),
        (63, 3000),
        (64, 4000),  # after
    ],
)
def test_claim_that_waited_through_it_has_its_own_time(
    alice: User, bob: User, time: Clock, arrived: float, at: int
) -> None:
    """Down from the third second for a minute; the claim is played in the sixty-fifth."""
    match = auction(alice, bob)
    keep(time, 1)
    keep(time, 3)
    keep(time, 63)
    time.tick(seconds=2)
    bid(match, alice, 0, START + timedelta(seconds=arrived))
    assert match.moves.get().at == at
    assert_sound(match)


def test_claim_is_never_older_than_what_was_reached(alice: User, bob: User, time: Clock) -> None:
    """Played a little after the last beat, before anybody knew of the outage: then time waits for the claim."""
    match = auction(alice, bob)
    keep(time, 3)
    time.tick(seconds=4)
    bid(match, alice, 0, time.moment)
    time.tick(minutes=1)
    bid(match, bob, 1, time.moment)
    assert [move.at for move in match.moves.order_by("ply")] == [7000, 7000]
    keep(time, (time.moment - START).total_seconds() + 0.2)
    assert_sound(match)


def test_match_that_starts_on_its_way_through_starts_after_it(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, seats=2, start=False, pace=Match.Pace.TURNS)
    keep(time, 0)
    keep(time, 60)
    time.tick(seconds=1)
    tables.join_table(slug=match.slug, caller=Caller(bob), index=None, moment=START + timedelta(seconds=2))
    match.refresh_from_db()
    assert match.epoch == START + timedelta(seconds=60)


# What it costs, and who hears of it


def test_beat_is_one_update_a_second(time: Clock) -> None:
    beat()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        for _ in range(30):
            time.tick(milliseconds=100)
            beat()
    assert [query["sql"].split()[0] for query in queries] == ["UPDATE"] * 3


def test_touching_a_match_asks_nothing_while_the_last_beat_is_known(time: Clock) -> None:
    beat()
    beat()
    with CaptureQueriesContext(connection) as queries:
        for _ in range(20):
            time.tick(milliseconds=100)
            notice_outage()
    assert not queries.captured_queries
    time.tick(milliseconds=1)
    with CaptureQueriesContext(connection) as queries:
        notice_outage()
    assert [query["sql"].split()[0] for query in queries] == ["SELECT"]


@pytest.mark.django_db(transaction=True)
async def test_pages_learn_from_when_they_count(alice: User, bob: User, time: Clock) -> None:
    """Also where only the keeper was away, and no socket was lost."""
    match = await do(auction, alice, bob)
    await do(beat)
    async with watching(match, alice) as page, watching(match, None) as onlooker:
        time.tick(minutes=1)
        await do(beat)
        for frame in (await page.hear(), await onlooker.hear()):
            assert version_of(frame) == match.version + 1
            epoch = re.search(r'data-epoch="(\d+)"', frame)
            assert epoch is not None
            assert int(epoch[1]) == (START + timedelta(minutes=1)).timestamp() * 1000


def test_moderators_read_of_it_and_change_nothing(mod: User, time: Clock) -> None:
    mod.user_permissions.add(Permission.objects.get(codename="view_outage"))
    keep(time, 0)
    keep(time, 90)
    outage = Outage.objects.get()
    page = text_of(browser(mod).get("/admin/matches/outage/"))
    assert re.search(r'field-seconds">90<', page)
    for path in (f"{outage.pk}/change/", f"{outage.pk}/delete/", "add/"):
        assert browser(mod).post(f"/admin/matches/outage/{path}", {"ended_at": "2026-01-01"}).status_code == 403
    assert Outage.objects.get().ended_at == START + timedelta(seconds=90)
