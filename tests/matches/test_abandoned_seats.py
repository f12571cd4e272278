"""What of all the ways to leave a match counts as leaving others alone, and what is noted of it at the seat."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches import clock
from games.matches.attendance import AWAY_AFTER
from games.matches.callers import Caller
from games.matches.leaving_records import leaving_record
from games.matches.models import ABANDON_AFTER, Heartbeat, Match
from games.matches.services import outages
from games.matches.services.absences import judge_absences
from games.matches.services.at_once import play_alone, play_now
from games.matches.services.clocks import DAY, MINUTE
from games.matches.services.play import abandon_match, agree_to_end, cancel_match, end_wait, resign
from games.matches.services.presence import renew_presence
from games.matches.services.results import void_match
from games.matches.services.sitting import locked_match
from tests.matches.conftest import START, Clock, player_to_move, sit_down, to_move
from tests.matches.playing import other
from tests.matches.timekeeping import LIVE, after, by_turns, look_at, move_at

pytestmark = pytest.mark.django_db

MS = timedelta(milliseconds=1)
RATED: dict[str, Any] = {"rated": True, "clock": LIVE}
FLAG = 10 * MINUTE
"""Match time at which the first player's clock runs out who never moves."""


def abandoned(match: Match) -> dict[int, datetime]:
    """By seat, when it was abandoned, of those that were."""
    return {seat.index: seat.abandoned_at for seat in match.seats.all() if seat.abandoned_at is not None}


def seen(match: Match, user: User | None, ms: float) -> None:
    assert user is not None
    renew_presence(slug=match.slug, user=user, moment=after(ms))


# Live


def test_resigning_is_fair_play(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, **RATED)
    resign(slug=match.slug, caller=Caller(alice), moment=START)
    assert abandoned(match) == {}


def test_who_is_given_up_has_left_the_others_alone(alice: User, bob: User, carol: User) -> None:
    match, gone = sit_down(alice, bob, carol, **RATED), START + AWAY_AFTER + timedelta(minutes=1)
    for user in (alice, carol):
        renew_presence(slug=match.slug, user=user, moment=gone)
    end_wait(slug=match.slug, caller=Caller(alice), index=1, moment=gone)
    assert abandoned(match) == {1: gone}
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING


def test_flag_of_who_never_moved_counts_also_at_the_board(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, **RATED)
    first = to_move(match)
    seen(match, player_to_move(match), FLAG - 1)
    look_at(match, FLAG)
    assert (match.reason, abandoned(match)) == ("timeout", {first: after(FLAG)})


@pytest.mark.parametrize("seen_before_ms", [1, AWAY_AFTER // MS - 1, AWAY_AFTER // MS])
def test_flag_of_who_has_moved_counts_if_they_were_away(alice: User, bob: User, seen_before_ms: int) -> None:
    """Whoever thinks until their time is up has lost, as in any game with a clock."""
    match = sit_down(alice, bob, **RATED)
    for ms in (1000, 2000):
        move_at(match, ms)
    mover, seat = player_to_move(match), to_move(match)
    (flag,) = [each.flags_at for each in match.seats.all() if each.flags_at is not None]
    seen(match, mover, flag - seen_before_ms)
    look_at(match, flag)
    assert match.status == Match.Status.OVER
    counts = seen_before_ms >= AWAY_AFTER // MS
    assert abandoned(match) == ({seat: after(flag)} if counts else {})


def test_an_outage_is_no_absence(alice: User, bob: User, time: Clock) -> None:
    """The house was down, and opens again a moment before the flag: nobody could have been there."""
    match = sit_down(alice, bob, **RATED)
    for ms in (1000, 2000):
        move_at(match, ms)
    (flag,) = [each.flags_at for each in match.seats.all() if each.flags_at is not None]
    down = after(flag - 10_000)
    Heartbeat.objects.create(pk=outages.THE_ONE, beat_at=down)
    time.moment = down + timedelta(hours=1)
    outages.notice_outage()
    time.moment = down + timedelta(hours=1, seconds=11)
    Heartbeat.objects.update(beat_at=clock.now())
    look_at(match, (time.moment - START) / MS)
    assert (match.reason, abandoned(match)) == ("timeout", {})


def test_calling_off_counts_unless_somebody_else_did_not_come(alice: User, bob: User) -> None:
    for is_there in (True, False):
        match, late = sit_down(alice, bob, **RATED), AWAY_AFTER // MS
        if is_there:
            seen(match, bob, late)
        cancel_match(slug=match.slug, caller=Caller(alice), moment=after(late))
        assert abandoned(match) == ({0: after(late)} if is_there else {})
        assert match.seats.get(index=0).cancelled


def test_ending_it_together_counts_for_nobody(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, **RATED)
    for user in (alice, bob):
        agree_to_end(slug=match.slug, caller=Caller(user), agreed=True, moment=START)
    match.refresh_from_db()
    assert (match.status, abandoned(match)) == (Match.Status.OVER, {})


# By turns


@pytest.mark.parametrize("looked", [False, True])
def test_by_turns_a_flag_counts_for_who_did_not_even_look(alice: User, bob: User, looked: bool) -> None:
    match = by_turns(alice, bob, rated=True)
    for ms in (1000, 2000):
        move_at(match, ms)
    mover, seat = player_to_move(match), to_move(match)
    seen(match, mover, 3000 if looked else 1500)
    look_at(match, 2000 + 3 * DAY)
    assert match.reason == "timeout"
    assert abandoned(match) == ({} if looked else {seat: after(2000 + 3 * DAY)})


def test_without_a_clock_who_did_not_move_for_two_weeks(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, pace=Match.Pace.TURNS)
    idle, moment = to_move(match), START + ABANDON_AFTER
    waiting = other(player_to_move(match), alice, bob)
    abandon_match(slug=match.slug, caller=Caller(waiting), moment=moment)
    assert abandoned(match) == {idle: moment}


# In real time


def test_who_lets_round_after_round_pass_and_is_away(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=get_game("blockyou"), rated=True)
    match.seats.update(idle_rounds=2)
    seen(match, alice, 0)
    with locked_match(slug=match.slug) as sitting:
        due = sitting.rules.due(sitting.position)
        while sitting.running and not any(seat.left_order for seat in sitting.seats):
            assert due is not None
            renew_presence(slug=match.slug, user=alice, moment=after(due))
            judge_absences(sitting, sitting.advance(due))
            due = sitting.rules.due(sitting.position)
    assert set(abandoned(match)) == {1}


# Nobody is left alone


def test_matches_alone_and_against_bots_count_nothing(alice: User) -> None:
    alone = play_alone(user=alice, game=get_game("blockyou"), options={}, moment=START)
    bot = play_now(user=alice, game=get_game("m"), moment=START)
    for match in (alone, bot):
        cancel_match(slug=match.slug, caller=Caller(alice), moment=START + timedelta(milliseconds=1))
        match.refresh_from_db()
        assert (match.status, abandoned(match)) == (Match.Status.CLOSED, {})


def test_the_last_person_among_bots_and_stand_ins_leaves_nobody_alone(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, bots=1, clock=LIVE)
    resign(slug=match.slug, caller=Caller(alice), moment=START)
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    look_at(match, 3 * FLAG)
    assert (match.seats.get(index=1).exit, abandoned(match)) == ("flagged", {})


def test_who_has_no_account_any_more_does_not_keep_a_match_from_ending(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol, **RATED)
    match.seats.filter(index=to_move(match)).update(user=None)
    look_at(match, FLAG)
    assert abandoned(match) == {}


# What is read of it


def test_record_has_the_seats_with_their_matches_and_voided_ones_no_more(alice: User, bob: User) -> None:
    live, unrated = sit_down(alice, bob, **RATED), sit_down(alice, bob, clock=LIVE)
    cancel_match(slug=unrated.slug, caller=Caller(bob), moment=START)
    end_wait(slug=live.slug, caller=Caller(alice), index=1, moment=START + timedelta(minutes=2))
    moment = START + timedelta(minutes=2)
    record = leaving_record(user=bob, moment=moment)
    assert [(seat.match, seat.exit, seat.cancelled) for seat in record.seats] == [
        (live, "gone", False),
        (unrated, "", True),
    ]
    assert record.account.count == 2
    assert record.account.weight == pytest.approx(1 + 0.25 * 0.5, rel=1e-3)
    assert leaving_record(user=alice, moment=moment).seats == ()
    void_match(slug=live.slug, moment=moment)
    assert leaving_record(user=bob, moment=moment).account.count == 1
