"""Rated play pauses for who has left too much: told once, it keeps from rated tables alone, and ends by itself."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from accounts.people.models import Notice, User
from games.matches.callers import Caller
from games.matches.errors import RatedPaused
from games.matches.leavers import PAUSES
from games.matches.leaving_records import leaving_record
from games.matches.models import Match, Seat
from games.matches.services import admission, tables
from games.matches.services.leavers import weigh_leaving
from games.matches.services.play import end_wait
from games.matches.services.presence import renew_presence
from games.matches.services.results import void_match
from games.matches.services.sitting import locked_match
from tests.matches.conftest import START, sit_down
from tests.matches.crowds import at_once
from tests.matches.ledgers import play_rated
from tests.matches.timekeeping import LIVE, TURNS

RATED: dict[str, Any] = {"rated": True, "clock": LIVE}
GONE = timedelta(minutes=2)
HOUR = timedelta(hours=1)


def left_by(leaver: User, *others: User, hours: float = 0) -> Match:
    """A live rated match that the leaver has just left, so many hours after the start."""
    begun = START + timedelta(hours=hours) - GONE
    match = sit_down(*others, leaver, moment=begun, **RATED)
    for user in others:
        renew_presence(slug=match.slug, user=user, moment=begun + GONE)
    end_wait(slug=match.slug, caller=Caller(others[0]), index=len(others), moment=begun + GONE)
    return match


def pause_of(user: User) -> datetime | None:
    user.refresh_from_db()
    return user.rated_pause_until


def notices(user: User) -> list[dict[str, Any]]:
    return list(Notice.objects.filter(user=user, code="rated-pause").order_by("pk").values_list("params", flat=True))


def pause(user: User, until: datetime) -> None:
    User.objects.filter(pk=user.pk).update(rated_pause_until=until)
    user.refresh_from_db()


# How it comes and goes


@pytest.mark.django_db
def test_third_abandonment_pauses_and_the_person_is_told_once(
    alice: User, bob: User, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        for hours in (0, 1):
            left_by(bob, alice, hours=hours)
    assert (pause_of(bob), notices(bob)) == (None, [])
    with django_capture_on_commit_callbacks(execute=True):
        left_by(bob, alice, hours=2)
    until = START + 2 * HOUR + PAUSES[0]
    assert pause_of(bob) == until
    assert notices(bob) == [{"until": until.isoformat(), "count": 3}]
    assert (pause_of(alice), notices(alice)) == (None, [])
    weigh_leaving(user_id=bob.pk, moment=START + 2 * HOUR)
    weigh_leaving(user_id=bob.pk, moment=until)
    assert len(notices(bob)) == 1
    assert pause_of(bob) is None


@pytest.mark.django_db
def test_of_two_matches_at_once_the_earlier_one_reckoned_last_takes_nothing_back(alice: User, bob: User) -> None:
    for hours in (0, 1, 2, 3):
        left_by(bob, alice, hours=hours)
    weigh_leaving(user_id=bob.pk, moment=START + 3 * HOUR)
    weigh_leaving(user_id=bob.pk, moment=START + 2 * HOUR)
    assert pause_of(bob) == START + 3 * HOUR + PAUSES[1]
    assert len(notices(bob)) == 1


@pytest.mark.django_db
def test_voided_match_takes_its_pause_with_it(alice: User, bob: User, django_capture_on_commit_callbacks: Any) -> None:
    matches = [left_by(bob, alice, hours=hours) for hours in (0, 1, 2)]
    weigh_leaving(user_id=bob.pk, moment=START + 2 * HOUR)
    assert pause_of(bob) is not None
    with django_capture_on_commit_callbacks(execute=True):
        void_match(slug=matches[0].slug, moment=START + 2 * HOUR)
    assert pause_of(bob) is None
    assert len(notices(bob)) == 1


@pytest.mark.django_db
def test_rated_matches_played_to_their_end_keep_a_pause_away(alice: User, bob: User) -> None:
    for hours in (0, 1):
        left_by(bob, alice, hours=hours)
    for number in range(10):
        play_rated(alice, bob, places=(1, 2), hours=1.1 + number / 100)
    left_by(bob, alice, hours=2)
    weigh_leaving(user_id=bob.pk, moment=START + 2 * HOUR)
    assert pause_of(bob) is None
    assert leaving_record(user=bob, moment=START + 2 * HOUR).account.weight == pytest.approx(1 + 2 * 0.95**10, rel=0.01)


# What it keeps from; test_rated_gate.py has the tables that one would sit down at


@pytest.mark.django_db
def test_who_sits_at_a_rated_table_already_can_not_be_ready(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, start=False, **RATED)
    stale = User.objects.get(pk=bob.pk)
    pause(bob, START + HOUR)
    with pytest.raises(RatedPaused):
        tables.set_ready(slug=match.slug, caller=Caller(stale), ready=True, moment=START)
    tables.set_ready(slug=match.slug, caller=Caller(bob), ready=False, moment=START)
    tables.set_ready(slug=match.slug, caller=Caller(bob), ready=True, moment=START + HOUR)
    assert match.seats.get(user=bob).ready


@pytest.mark.django_db
def test_who_was_ready_gets_up_as_the_match_would_begin(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, start=False, **RATED)
    tables.set_ready(slug=match.slug, caller=Caller(alice), ready=True, moment=START)
    pause(alice, START + HOUR)
    tables.set_ready(slug=match.slug, caller=Caller(bob), ready=True, moment=START)
    match.refresh_from_db()
    assert (match.status, match.host) == (Match.Status.TABLE, bob)
    assert [(seat.user, seat.ready) for seat in match.seats.all()] == [(None, False), (bob, False)]


@pytest.mark.django_db
def test_by_turns_the_last_comer_starts_no_match_with_somebody_who_pauses(alice: User, bob: User, carol: User) -> None:
    """Nobody presses anything there: the table waits for another one instead of for the end of the pause."""
    match = sit_down(alice, bob, start=False, seats=3, rated=True, clock=TURNS, pace=Match.Pace.TURNS)
    pause(alice, START + HOUR)
    tables.join_table(slug=match.slug, caller=Caller(carol), index=None, moment=START)
    match.refresh_from_db()
    assert match.status == Match.Status.TABLE
    assert set(match.seats.values_list("user", flat=True)) == {None, bob.pk, carol.pk}
    for user in (bob, carol):
        pause(user, START + HOUR)
    mallory = User.objects.create_user("mallory2")
    tables.join_table(slug=match.slug, caller=Caller(mallory), index=None, moment=START)
    match.refresh_from_db()
    assert (match.status, match.host) == (Match.Status.TABLE, mallory)


@pytest.mark.django_db
def test_matches_under_way_and_unrated_tables_go_on(alice: User, bob: User) -> None:
    running, table = sit_down(alice, bob, **RATED), sit_down(alice, bob, start=False)
    pause(bob, START + HOUR)
    for user in (alice, bob):
        tables.set_ready(slug=table.slug, caller=Caller(user), ready=True, moment=START)
    table.refresh_from_db()
    running.refresh_from_db()
    assert (table.status, running.status) == (Match.Status.RUNNING, Match.Status.RUNNING)


# Many at once, and many matches


@pytest.mark.django_db(transaction=True)
def test_matches_left_at_once_come_to_one_pause_and_stand_in_nobody_s_way(alice: User, bob: User, carol: User) -> None:
    """Also not in that of somebody who holds the person's row and waits for a match, as deleting an account might."""
    matches = []
    for number in range(6):
        begun = START + timedelta(seconds=number) - GONE
        matches.append(sit_down(alice, carol, bob, moment=begun, **RATED))
        for user in (alice, carol):
            renew_presence(slug=matches[-1].slug, user=user, moment=START + timedelta(seconds=10))

    def leave(match: Match) -> None:
        end_wait(slug=match.slug, caller=Caller(alice), index=2, moment=START + timedelta(seconds=6))

    def hold(match: Match) -> None:
        with transaction.atomic():
            admission.lock_person(bob)
            with locked_match(slug=match.slug) as sitting:
                sitting.touch(sitting.match.touched_at)

    at_once([*(partial(leave, match) for match in matches), *(partial(hold, match) for match in matches)])
    assert Seat.objects.filter(user=bob, abandoned_at__isnull=False).count() == 6
    assert pause_of(bob) == START + timedelta(seconds=6) + PAUSES[3]
    told = [said["until"] for said in notices(bob)]
    assert len(told) == len(set(told)) <= 4
    assert told[-1] == (START + timedelta(seconds=6) + PAUSES[3]).isoformat()
