"""The rule about leavers alone: what abandonments weigh, how that fades, and when rated play pauses for how long."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from games.matches.leavers import (
    FORGOTTEN_AFTER,
    HALVES_AFTER,
    KNOWN_FOR,
    NOTHING,
    PAUSES,
    THRESHOLD,
    Abandonment,
    Account,
    settle_account,
    weight_of,
)
from tests.matches.conftest import START

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
WORST = weight_of(called_off=False, by_turns=False, rated=True)
ALL_WEIGHTS = [
    weight_of(called_off=called_off, by_turns=by_turns, rated=rated)
    for called_off in (True, False)
    for by_turns in (True, False)
    for rated in (True, False)
]

moments = some.integers(min_value=0, max_value=60 * 24 * 60).map(lambda minutes: START + minutes * MINUTE)
abandonments = some.builds(Abandonment, moments, some.sampled_from(ALL_WEIGHTS))
histories = some.tuples(some.lists(abandonments, max_size=12), some.lists(moments, max_size=20))
NOW = START + 60 * DAY


def left(*times: timedelta, weight: float = WORST) -> list[Abandonment]:
    return [Abandonment(START + time, weight) for time in times]


def account(abandoned: Sequence[Abandonment], at: timedelta, *finished: timedelta, since: datetime = START) -> Account:
    return settle_account(abandoned, [since + time for time in finished], since + at)


def until(found: Account) -> datetime:
    """When it may go on, for comparing."""
    return found.paused_until or START


def test_a_live_rated_match_weighs_most_and_calling_off_little() -> None:
    assert max(ALL_WEIGHTS) == WORST == 1
    assert weight_of(called_off=False, by_turns=True, rated=True) == 0.5
    assert weight_of(called_off=False, by_turns=False, rated=False) == 0.5
    assert weight_of(called_off=True, by_turns=False, rated=True) == 0.25
    assert min(ALL_WEIGHTS) == weight_of(called_off=True, by_turns=True, rated=False)


def test_nothing_left_is_nothing() -> None:
    assert account([], DAY, HOUR) == NOTHING


def test_an_abandonment_halves_in_a_week_and_is_forgotten_after_four() -> None:
    once = left(timedelta(0))
    assert account(once, timedelta(0)).weight == 1
    assert account(once, HALVES_AFTER).weight == 0.5
    last = account(once, FORGOTTEN_AFTER - MINUTE)
    assert (last.count, account(once, FORGOTTEN_AFTER)) == (1, Account(0, 0, None, None))
    assert last.weight == pytest.approx(1 / 16, rel=1e-2)


def test_matches_finished_since_make_it_lighter_and_those_before_do_not() -> None:
    once = left(HOUR)
    plain = account(once, 2 * HOUR).weight
    assert account(once, 2 * HOUR, timedelta(0), 3 * HOUR).weight == plain
    assert account(once, 2 * HOUR, 61 * MINUTE, 62 * MINUTE).weight == pytest.approx(plain * 0.95**2)


def test_the_third_pauses_for_half_an_hour_and_each_more_for_longer() -> None:
    times = [HOUR * number for number in range(6)]
    lengths = []
    for number in range(1, 7):
        found = account(left(*times[:number]), times[number - 1])
        lengths.append(found.paused_until and found.paused_until - START - times[number - 1])
    assert lengths == [None, None, *PAUSES]


def test_who_was_paused_of_late_pauses_longer_and_after_four_weeks_no_more() -> None:
    first = [timedelta(0), HOUR, 2 * HOUR]
    for gap, pause in ((25 * DAY, PAUSES[1]), (29 * DAY, PAUSES[0])):
        again = [gap + time for time in first]
        found = account(left(*first, *again), again[-1])
        assert found.paused_until == START + again[-1] + pause


def test_a_pause_ends_by_itself_and_the_account_says_what_one_more_would_do() -> None:
    twice = left(timedelta(0), HOUR)
    assert account(twice[:1], HOUR).next_pause is None
    assert account(twice, HOUR).next_pause == PAUSES[0]
    thrice = left(timedelta(0), HOUR, 2 * HOUR)
    assert account(thrice, 2 * HOUR + PAUSES[0] - MINUTE).paused_until is not None
    over = account(thrice, 2 * HOUR + PAUSES[0])
    assert (over.paused_until, over.next_pause, over.count) == (None, PAUSES[1], 3)


def test_what_is_to_come_does_not_count_yet() -> None:
    assert account(left(HOUR, 2 * HOUR, 3 * HOUR), timedelta(0)) == NOTHING


# For any history


@given(histories, abandonments)
def test_one_more_never_weighs_less_nor_pauses_shorter(
    history: tuple[list[Abandonment], list[datetime]], more: Abandonment
) -> None:
    before = settle_account(*history, NOW)
    after = settle_account([*history[0], more], history[1], NOW)
    assert after.weight >= before.weight
    assert until(after) >= until(before)
    assert (after.next_pause or timedelta(0)) >= (before.next_pause or timedelta(0))


@given(histories, moments)
def test_one_match_more_played_to_its_end_never_makes_it_worse(
    history: tuple[list[Abandonment], list[datetime]], end: datetime
) -> None:
    before = settle_account(*history, NOW)
    after = settle_account(history[0], [*history[1], end], NOW)
    assert after.weight <= before.weight + 1e-9
    assert until(after) <= until(before)


@given(histories, some.integers(min_value=1, max_value=40 * 24))
def test_time_alone_makes_it_lighter_and_ends_every_pause(
    history: tuple[list[Abandonment], list[datetime]], hours: int
) -> None:
    now, later = settle_account(*history, NOW), settle_account(*history, NOW + hours * HOUR)
    assert later.weight <= now.weight
    assert later.count <= now.count
    assert now.paused_until is None or now.paused_until <= NOW + PAUSES[-1]
    if hours * HOUR >= PAUSES[-1]:
        assert later.paused_until is None


@given(some.lists(some.integers(min_value=7 * 24, max_value=60 * 24), max_size=20))
def test_who_leaves_once_a_week_or_more_rarely_is_never_paused(gaps: list[int]) -> None:
    """And so nobody who leaves once a month, whatever kind of matches, and though they finish none in between."""
    moment, times = START, [START]
    for gap in gaps:
        moment += gap * HOUR
        times.append(moment)
    for number in range(1, len(times) + 1):
        found = settle_account([Abandonment(time, WORST) for time in times[:number]], [], times[number - 1])
        assert found.weight < THRESHOLD
        assert found.paused_until is None


@given(
    some.lists(some.integers(min_value=0, max_value=24 * 60), min_size=2, max_size=2),
    some.lists(some.integers(min_value=0, max_value=2 * 24 * 60), max_size=2),
)
def test_who_leaves_three_live_rated_matches_in_a_row_is_paused_by_the_third(gaps: list[int], ends: list[int]) -> None:
    """Each within a day of the one before, also where one was finished in between."""
    times = [START, START + gaps[0] * MINUTE, START + sum(gaps) * MINUTE]
    finished = [START + end * MINUTE for end in ends]
    found = settle_account([Abandonment(time, WORST) for time in times], finished, times[-1])
    assert found.paused_until is not None


@settings(max_examples=300)
@given(some.lists(some.builds(Abandonment, some.integers(0, 120).map(lambda days: NOW - days * DAY), some.just(WORST))))
def test_what_is_older_than_is_known_for_decides_nothing(abandoned: list[Abandonment]) -> None:
    """So only the seats of the last weeks are read."""
    known = [one for one in abandoned if NOW - one.at < KNOWN_FOR]
    assert settle_account(abandoned, [], NOW) == settle_account(known, [], NOW)
