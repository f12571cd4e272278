"""Vacations: clocks by turns stand still, for so many days a year, and it is no way out of a flag."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import F

from accounts.people.models import User
from games.matches.callers import Caller
from games.matches.errors import NoVacationLeft
from games.matches.models import Match, Seat, Vacation
from games.matches.selectors import vacation_left
from games.matches.services import timing, vacations
from games.matches.services.clocks import DAY, HOUR, MINUTE, TimeLimit
from games.matches.services.due import next_due, settle_due
from games.matches.services.play import agree_to_end, resign
from games.matches.services.vacations import begin_vacation, end_vacation
from tests.matches.conftest import player_to_move, sit_down, to_move
from tests.matches.crowds import at_once
from tests.matches.playing import other
from tests.matches.timekeeping import LIVE, after, by_turns, clocks, come_back, go, log_of, look_at, move_at

pytestmark = pytest.mark.django_db


def days(number: float) -> timedelta:
    return timedelta(days=number)


# What stands still


def test_clock_stands_still_and_goes_on_from_where_it_stood(alice: User, bob: User) -> None:
    match = by_turns(alice, bob)
    seat, user = to_move(match), player_to_move(match)
    go(user, DAY)
    assert clocks(match)[seat] == (2 * DAY, None)
    look_at(match, 9 * DAY)
    assert match.status == Match.Status.RUNNING
    come_back(user, 10 * DAY)
    assert clocks(match)[seat] == (2 * DAY, 10 * DAY)
    look_at(match, 12 * DAY - 1)
    assert match.status == Match.Status.RUNNING
    look_at(match, 12 * DAY)
    assert (match.status, match.reason) == (Match.Status.OVER, "timeout")
    assert log_of(match) == [("flagged", 12 * DAY, seat)]


def test_clock_with_less_than_an_hour_left_runs_on(alice: User, bob: User) -> None:
    """Going away is no way out of a turn that is all but lost."""
    just_enough = by_turns(alice, bob)
    seat, user = to_move(just_enough), player_to_move(just_enough)
    go(user, 3 * DAY - HOUR)
    assert clocks(just_enough)[seat] == (HOUR, None)
    come_back(user, 3 * DAY - HOUR + MINUTE)
    look_at(just_enough, 3 * DAY + MINUTE)
    assert just_enough.reason == "timeout"

    match = by_turns(alice, bob)
    seat, user = to_move(match), player_to_move(match)
    go(user, 3 * DAY - HOUR + 1)
    assert clocks(match)[seat] == (3 * DAY, 0), "it runs on"
    look_at(match, 3 * DAY)
    assert log_of(match) == [("flagged", 3 * DAY, seat)]


def test_clock_that_would_begin_to_run_does_not(alice: User, bob: User) -> None:
    match = by_turns(alice, bob)
    mover = player_to_move(match)
    away = other(mover, alice, bob)
    go(away, 1000)
    move_at(match, DAY)
    assert clocks(match)[to_move(match)] == (3 * DAY, None)
    assert match.due_at == after(1000) + days(14), "nothing is due before the vacation is used up"
    come_back(away, 8 * DAY)
    assert clocks(match)[to_move(match)] == (3 * DAY, 8 * DAY)


def test_who_is_away_may_move_all_the_same(alice: User, bob: User) -> None:
    match = by_turns(alice, bob)
    seat, user = to_move(match), player_to_move(match)
    go(user, DAY)
    move_at(match, 5 * DAY)
    assert clocks(match)[seat] == (3 * DAY, None)
    assert clocks(match)[1 - seat] == (3 * DAY, 5 * DAY), "the other is not on vacation"
    move_at(match, 6 * DAY)
    assert clocks(match)[seat] == (3 * DAY, None), "and is still away"


def test_in_the_last_hour_a_move_brings_the_next_time_which_stands_still(alice: User, bob: User) -> None:
    match = by_turns(alice, bob)
    seat, user = to_move(match), player_to_move(match)
    go(user, 3 * DAY - 1000)
    move_at(match, 3 * DAY - 1)
    move_at(match, 3 * DAY)
    assert clocks(match)[seat] == (3 * DAY, None)


def test_match_that_begins_meanwhile_begins_with_a_clock_that_stands(alice: User, bob: User) -> None:
    for user in (alice, bob):
        go(user, -1000)
    match = by_turns(alice, bob)
    assert clocks(match) == [(3 * DAY, None)] * 2


def test_live_matches_and_matches_without_a_clock_go_on(alice: User, bob: User) -> None:
    live, no_clock = sit_down(alice, bob, clock=LIVE), sit_down(alice, bob, pace=Match.Pace.TURNS)
    version = live.version
    for user in (alice, bob):
        go(user, 1000)
    live.refresh_from_db()
    assert (live.version, clocks(live)[to_move(live)]) == (version, (600_000, 0))
    look_at(live, 600_000)
    assert live.reason == "timeout"
    assert clocks(no_clock) == [(None, None)] * 2


def test_flag_that_had_fallen_before_is_not_undone(alice: User, bob: User) -> None:
    """Nobody had looked yet: whoever goes away then has lost all the same, at the time at which the clock ran out."""
    for late in (0, 1, DAY):
        match = by_turns(alice, bob)
        seat, user = to_move(match), player_to_move(match)
        go(user, 3 * DAY + late)
        match.refresh_from_db()
        assert log_of(match) == [("flagged", 3 * DAY, seat)]
        assert match.finished_at == after(3 * DAY)
        Vacation.objects.all().delete()


def test_who_has_left_is_not_away_any_more(alice: User, bob: User, carol: User) -> None:
    match = by_turns(alice, bob, carol)
    user, seat = player_to_move(match), to_move(match)
    go(user, DAY)
    resign(slug=match.slug, caller=Caller(user), moment=after(2 * DAY))
    left = match.seats.get(index=seat)
    assert (left.clock_left, left.clock_since, left.away_until) == (2 * DAY, None, None)
    come_back(user, 3 * DAY)
    assert match.seats.get(index=seat).clock_since is None


# How long


def test_fourteen_days_and_then_it_ends_by_itself(alice: User, bob: User) -> None:
    match = by_turns(alice, bob)
    seat, user = to_move(match), player_to_move(match)
    go(user, DAY)
    assert next_due() == after(15 * DAY)
    look_at(match, 15 * DAY - 1)
    assert clocks(match)[seat] == (2 * DAY, None)
    look_at(match, 15 * DAY)
    assert clocks(match)[seat] == (2 * DAY, 15 * DAY)
    assert Vacation.objects.get().ended_at == after(15 * DAY)
    with pytest.raises(NoVacationLeft):
        go(user, 16 * DAY)
    assert clocks(match)[seat] == (2 * DAY, 15 * DAY)
    look_at(match, 17 * DAY)
    assert match.reason == "timeout"


def test_it_ends_at_its_own_time_whoever_looks_when(alice: User, bob: User) -> None:
    """Also if no keeper runs: the first act at the match finds the clock as the keeper would have set it."""
    seen = []
    for keeper in (True, False):
        match = by_turns(alice, bob)
        seat, user = to_move(match), player_to_move(match)
        go(user, DAY)
        if keeper:
            settle_due(moment=after(15 * DAY))
        waiting = Caller(other(user, alice, bob))
        agree_to_end(slug=match.slug, caller=waiting, agreed=False, moment=after(16 * DAY + 5))
        seen.append((clocks(match)[seat], match.seats.get(index=seat).away_until))
        Vacation.objects.all().delete()
    assert seen == [((2 * DAY, 15 * DAY), None)] * 2


def test_keeper_that_comes_late_flags_whose_vacation_and_time_are_over(alice: User, bob: User) -> None:
    match = by_turns(alice, bob)
    seat, user = to_move(match), player_to_move(match)
    go(user, DAY)
    look_at(match, 100 * DAY)
    assert log_of(match) == [("flagged", 17 * DAY, seat)]


def test_it_ends_by_the_calendar_also_after_an_outage(alice: User, bob: User) -> None:
    """Match time stood still for two hours; the days off did not."""
    match = by_turns(alice, bob)
    seat, user = to_move(match), player_to_move(match)
    go(user, DAY)
    shift = timedelta(hours=2)
    Match.objects.update(epoch=F("epoch") + shift, due_at=F("due_at") + shift)
    settle_due(moment=after(15 * DAY))
    assert clocks(match)[seat] == (2 * DAY, 15 * DAY - 2 * HOUR)


def test_time_used_is_counted_in_minutes_that_were_begun(alice: User) -> None:
    for begun, back, left in (
        (0, 10 * MINUTE, days(14) - timedelta(minutes=10)),
        (DAY, DAY + 1, days(14) - timedelta(minutes=11)),
        (2 * DAY, 2 * DAY + 61_000, days(14) - timedelta(minutes=13)),
        (3 * DAY, 16 * DAY, days(1) - timedelta(minutes=13)),
    ):
        go(alice, begun)
        come_back(alice, back)
        assert vacation_left(user=alice, moment=after(back)) == left
    go(alice, 20 * DAY)
    assert Vacation.objects.get(ended_at=None).ends_at == after(21 * DAY) - timedelta(minutes=13)
    assert vacation_left(user=alice, moment=after(20 * DAY + HOUR)) == timedelta(hours=23) - timedelta(minutes=13)


def test_others_have_days_of_their_own(alice: User, bob: User) -> None:
    go(alice, 0)
    settle_due(moment=after(20 * DAY))
    assert vacation_left(user=alice, moment=after(20 * DAY)) == days(0)
    assert vacation_left(user=bob, moment=after(20 * DAY)) == days(14)


def test_new_year_brings_new_days(alice: User) -> None:
    go(alice, 0)
    settle_due(moment=after(20 * DAY))
    last_moment = datetime(2026, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    with pytest.raises(NoVacationLeft):
        begin_vacation(user=alice, moment=last_moment)
    first = datetime(2027, 1, 1, tzinfo=UTC)
    begin_vacation(user=alice, moment=first)
    assert Vacation.objects.get(ended_at=None).ends_at == first + days(14)


@pytest.mark.parametrize(
    ("begins", "ends"),
    [
        # There are seven days left of this year, and fourteen of the next.
        (datetime(2026, 12, 25, tzinfo=UTC), datetime(2027, 1, 15, tzinfo=UTC)),
        # The fourteen days end as the year does: it goes on without a gap.
        (datetime(2026, 12, 18, tzinfo=UTC), datetime(2027, 1, 15, tzinfo=UTC)),
        # A minute less, and it ends in the old year.
        (datetime(2026, 12, 17, 23, 59, tzinfo=UTC), datetime(2026, 12, 31, 23, 59, tzinfo=UTC)),
    ],
)
def test_vacation_over_new_year_uses_the_days_of_both(alice: User, begins: datetime, ends: datetime) -> None:
    begin_vacation(user=alice, moment=begins)
    assert Vacation.objects.get().ends_at == ends
    assert settle_due(moment=ends - timedelta(milliseconds=1)) == 0
    assert settle_due(moment=ends) == 1
    used = ends - max(begins, datetime(ends.year, 1, 1, tzinfo=UTC))
    assert vacation_left(user=alice, moment=ends) == days(14) - used


def test_each_year_counts_its_own_part(alice: User) -> None:
    begin_vacation(user=alice, moment=datetime(2026, 12, 30, 12, 0, 30, tzinfo=UTC))
    end_vacation(user=alice, moment=datetime(2027, 1, 3, 0, 0, 30, tzinfo=UTC))
    in_old, in_new = datetime(2026, 12, 31, 23, tzinfo=UTC), datetime(2027, 6, 1, tzinfo=UTC)
    assert vacation_left(user=alice, moment=in_new) == days(12) - timedelta(minutes=1)
    assert vacation_left(user=alice, moment=in_old) == days(14) - timedelta(days=1, hours=11)


def test_clock_stands_over_new_year(alice: User, bob: User) -> None:
    begins = datetime(2026, 12, 25, tzinfo=UTC)
    match = by_turns(alice, bob, moment=begins, clock=TimeLimit(DAY))
    user = player_to_move(match)
    begin_vacation(user=user, moment=begins + timedelta(hours=1))
    settle_due(moment=datetime(2027, 1, 14, 23, 59, tzinfo=UTC))
    assert clocks(match)[to_move(match)] == (23 * HOUR, None)
    settle_due(moment=datetime(2027, 1, 15, tzinfo=UTC))
    assert clocks(match)[to_move(match)][1] == 21 * DAY


def test_going_twice_and_coming_back_twice_changes_nothing(alice: User, bob: User) -> None:
    match = by_turns(alice, bob)
    seat, user = to_move(match), player_to_move(match)
    for ms in (DAY, 2 * DAY):
        go(user, ms)
        assert clocks(match)[seat] == (2 * DAY, None)
    assert Vacation.objects.get().began_at == after(DAY)
    for ms in (3 * DAY, 4 * DAY):
        come_back(user, ms)
        assert clocks(match)[seat] == (2 * DAY, 3 * DAY)
    assert Vacation.objects.get().ended_at == after(3 * DAY)


def test_vacation_that_no_keeper_has_closed_makes_room_for_the_next(alice: User) -> None:
    go(alice, 0)
    new_year = datetime(2027, 1, 2, tzinfo=UTC)
    begin_vacation(user=alice, moment=new_year)
    assert [one.ended_at for one in Vacation.objects.order_by("began_at")] == [after(14 * DAY), None]


# Many matches


def test_one_match_that_fails_keeps_no_other_waiting(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    matches = [by_turns(alice, bob) for _ in range(3)]
    broken = matches[1].slug
    settle = timing.settle

    def fails(sitting: object, moment: datetime) -> None:
        if sitting.match.slug == broken:  # type: ignore[attr-defined]
            raise RuntimeError("on purpose")
        settle(sitting, moment)  # type: ignore[arg-type]

    monkeypatch.setattr(vacations, "settle", fails)
    for user in (alice, bob):
        go(user, DAY)
    away = [match.seats.filter(away_until__isnull=False).count() for match in matches]
    assert away == [2, 0, 2]
    assert "on purpose" in caplog.text
    monkeypatch.undo()
    go(alice, DAY + 1000)
    assert matches[1].seats.filter(away_until__isnull=False).count() == 2, "asking again mends it"


# Races


ROUNDS = 5


def away_as_stored(match: Match, user: User) -> bool:
    return match.seats.get(user=user).away_until is not None


@pytest.mark.django_db(transaction=True)
def test_pressed_many_times_at_once_is_one_vacation(alice: User, bob: User) -> None:
    match = by_turns(alice, bob)
    at_once([lambda: go(alice, DAY)] * 8)
    assert Vacation.objects.count() == 1
    assert away_as_stored(match, alice)


@pytest.mark.django_db(transaction=True)
def test_going_and_coming_back_at_once_leaves_every_match_as_the_person_is(alice: User, bob: User) -> None:
    matches = [by_turns(alice, bob) for _ in range(3)]
    for number in range(ROUNDS):
        ms = DAY + number * HOUR
        at_once([lambda: go(alice, ms), lambda: come_back(alice, ms), lambda: go(alice, ms)])  # noqa: B023
        away = Vacation.objects.filter(user=alice, ended_at=None).exists()
        assert [away_as_stored(match, alice) for match in matches] == [away] * 3
        come_back(alice, ms + MINUTE)


@pytest.mark.django_db(transaction=True)
def test_going_while_the_other_moves_stops_the_clock_in_either_order(alice: User, bob: User) -> None:
    for _ in range(ROUNDS):
        match = by_turns(alice, bob)
        mover = player_to_move(match)
        away = other(mover, alice, bob)
        at_once([lambda: go(away, DAY), lambda: move_at(match, DAY)])  # noqa: B023
        assert to_move(match) == match.seats.get(user=away).index
        assert clocks(match)[to_move(match)] == (3 * DAY, None)
        come_back(away, DAY + 1)


@pytest.mark.django_db(transaction=True)
def test_move_that_waited_for_the_lock_forgets_no_vacation(alice: User, bob: User) -> None:
    """It was sent a moment before the other went away, and is played a moment after."""
    match = by_turns(alice, bob)
    away = other(player_to_move(match), alice, bob)
    go(away, DAY)
    move_at(match, DAY - 20)
    assert clocks(match)[to_move(match)] == (3 * DAY, None)
    come_back(away, 2 * DAY)
    move_at(match, 2 * DAY - 20)
    assert not match.seats.filter(away_until__isnull=False).exists(), "nor makes one last that is over"


@pytest.mark.django_db(transaction=True)
def test_going_and_the_flag_at_once(alice: User, bob: User) -> None:
    """A moment before the last hour it may be stopped; at the flag it is too late, whoever comes first."""
    for _ in range(ROUNDS):
        match = by_turns(alice, bob)
        user, seat = player_to_move(match), to_move(match)
        at_once([lambda: go(user, 3 * DAY), lambda: look_at(match, 3 * DAY)])  # noqa: B023
        look_at(match, 3 * DAY)
        assert log_of(match) == [("flagged", 3 * DAY, seat)]
        assert match.seats.get(index=seat).kind == Seat.Kind.STAND_IN
        Vacation.objects.all().delete()
