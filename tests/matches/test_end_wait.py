"""A live match whose player is away: after a grace the others may wait, or go on. One press, one effect."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.attendance import AWAY_AFTER, grace
from games.matches.callers import Caller
from games.matches.errors import NotAway, NotRunning, NotSeated
from games.matches.models import LogEntry, Match, Presence, Seat
from games.matches.services.play import end_wait, resign
from games.matches.services.presence import renew_presence
from tests.matches.browsing import act, browser, notice_in, text_of
from tests.matches.conftest import START, Clock, frozen, move_form, player_to_move, sit_down, to_move
from tests.matches.crowds import Answer, Browser, at_once
from tests.matches.playing import other
from tests.matches.test_exported_records import exported, replayed
from tests.matches.test_flag_races import MOVED, straight
from tests.matches.timekeeping import LIVE, by_turns, look_at, move_at
from tests.sizes import size
from tests.soundness import assert_sound

pytestmark = pytest.mark.django_db

MS = timedelta(milliseconds=1)

IN_FULL = START + AWAY_AFTER + timedelta(minutes=1)
"""When the others need not wait any longer for who has not been seen since the start, with ten minutes a player."""


def press(match: Match, user: User, seat: int, moment: Any) -> None:
    end_wait(slug=match.slug, caller=Caller(user), index=seat, moment=moment)
    match.refresh_from_db()


def seat_of(match: Match, user: User) -> int:
    return int(match.seats.get(user=user).index)


def shown(match: Match, user: User | None) -> str:
    return re.sub("[\u2068\u2069]", "", text_of(browser(user).get(f"/matches/{match.slug}/")))


# What it comes to


def test_of_two_the_one_who_stayed_has_won(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, clock=LIVE, rated=True)
    with pytest.raises(NotAway):
        press(match, alice, 1, IN_FULL - MS)
    assert match.status == Match.Status.RUNNING
    press(match, alice, 1, IN_FULL)
    assert (match.status, match.reason) == (Match.Status.OVER, "timeout")
    assert match.standing is not None
    assert match.standing["places"] == [1, 2]
    assert match.outcome is None
    assert match.finish_number is not None, "rated as any other leaving"
    assert match.seats.get(index=1).exit == Seat.Exit.GONE
    record = exported(match)
    assert record["left"] == [1]
    assert replayed(record) is None
    assert_sound(match)


def test_of_several_a_stand_in_plays_on(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol, clock=LIVE)
    for user in (alice, carol):
        renew_presence(slug=match.slug, user=user, moment=IN_FULL)
    press(match, carol, 1, IN_FULL)
    assert match.status == Match.Status.RUNNING
    assert match.seats.get(index=1).kind == Seat.Kind.STAND_IN
    assert to_move(match) != 1
    entry = LogEntry.objects.get(match=match)
    assert (entry.code, entry.params) == ("gone", {"seat": 1})
    assert "Bob stayed away, and the others went on." in shown(match, alice)
    with pytest.raises(NotAway):
        press(match, alice, 1, IN_FULL + MS)
    assert_sound(match)


def test_in_real_time_as_well(alice: User, bob: User) -> None:
    """Besides the rule of the rounds, which needs nobody's word."""
    match = sit_down(alice, bob, game=get_game("blockyou"))
    renew_presence(slug=match.slug, user=alice, moment=START + timedelta(seconds=100))
    Presence.objects.filter(user=bob).update(last_seen=START)
    with pytest.raises(NotAway):
        press(match, alice, 1, IN_FULL - MS)
    press(match, alice, 1, IN_FULL)
    assert match.reason == "timeout"
    assert "Bob was away for too long." in shown(match, alice)
    assert_sound(match)


def test_page_says_why_it_is_over(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob, clock=LIVE)
    time.moment = IN_FULL
    response = act(alice, match, "end-wait", {"seat": "1", "stage": "match"})
    assert (response.status_code, notice_in(response)) == (200, None)
    assert "Bob was away for too long." in shown(match, alice)
    assert "You were away for too long." in shown(match, bob)
    assert "by absence" in text_of(browser(alice).get("/history/"))


# When not


def test_who_is_back_ends_nothing_is_lost(alice: User, bob: User) -> None:
    """The choice goes by itself, and comes again if they go away anew."""
    match = sit_down(alice, bob, clock=LIVE)
    renew_presence(slug=match.slug, user=bob, moment=IN_FULL)
    before = frozen(match)
    with pytest.raises(NotAway):
        press(match, alice, 1, IN_FULL + MS)
    assert frozen(match) == before
    patience = grace(match)
    assert patience is not None
    press(match, alice, 1, IN_FULL + AWAY_AFTER + patience)
    assert match.reason == "timeout"


def test_nobody_ends_it_for_themselves_or_for_a_bot_or_for_a_seat_that_is_none(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, bots=1, clock=LIVE)
    for index in (0, 2, 3, 99):
        with pytest.raises(NotAway):
            press(match, alice, index, IN_FULL)
    assert match.status == Match.Status.RUNNING


def test_by_turns_there_is_no_such_wait(alice: User, bob: User) -> None:
    match = by_turns(alice, bob)
    with pytest.raises(NotAway):
        press(match, alice, 1, START + timedelta(days=2))


def test_only_who_plays_may(alice: User, bob: User, carol: User, mallory: User, time: Clock) -> None:
    match = sit_down(alice, bob, carol, clock=LIVE)
    resign(slug=match.slug, caller=Caller(carol), moment=START)
    for user in (carol, mallory):
        with pytest.raises(NotSeated):
            press(match, user, 1, IN_FULL)
    time.moment = IN_FULL
    before = frozen(match)
    for asker, form, status, code in (
        (None, {"seat": "1"}, 403, "not-logged-in"),
        (mallory, {"seat": "1"}, 403, "not-seated"),
        (alice, {"seat": "x"}, 422, "bad-input"),
        (alice, {}, 422, "bad-input"),
        (alice, {"seat": "0"}, 409, "not-away"),
    ):
        response = act(asker, match, "end-wait", form)
        assert (response.status_code, notice_in(response)) == (status, code)
    assert frozen(match) == before


def test_a_flag_that_fell_before_has_decided(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, clock=LIVE)
    mover = player_to_move(match)
    press(match, other(mover, alice, bob), seat_of(match, mover), START + timedelta(minutes=10))
    assert match.seats.get(user=mover).exit == Seat.Exit.FLAGGED
    with pytest.raises(NotRunning):
        press(match, other(mover, alice, bob), seat_of(match, mover), START + timedelta(minutes=11))


def test_keeper_ends_nothing_by_itself(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    look_at(match, 3_600_000)
    assert match.status == Match.Status.RUNNING


# What people see


def test_choice_is_shown_to_the_others_only_and_in_time(
    alice: User, bob: User, carol: User, mallory: User, time: Clock
) -> None:
    match = sit_down(alice, bob, carol, clock=LIVE)
    for user in (alice, carol):
        renew_presence(slug=match.slug, user=user, moment=IN_FULL)
    time.moment = IN_FULL - MS
    people = (alice, bob, carol, mallory, None)
    assert [('id="end-wait-1"' in shown(match, user)) for user in people] == [False] * 5
    time.moment = IN_FULL
    assert [('id="end-wait-1"' in shown(match, user)) for user in people] == [True, False, True, False, False]
    assert "Bob is away. You may wait, or go on: then a stand-in plays their seat." in shown(match, alice)
    resign(slug=match.slug, caller=Caller(carol), moment=IN_FULL)
    assert "Bob is away. You may wait, or end the match: then you have won." in shown(match, alice)


def test_partner_s_absence_decides_nothing(alice: User, bob: User, carol: User, mallory: User, time: Clock) -> None:
    people = (alice, bob, carol, mallory)
    match = sit_down(*people, game=get_game("block_buster"), options={"mode": "pairs"}, clock=LIVE)
    for user in (alice, bob, carol):
        renew_presence(slug=match.slug, user=user, moment=IN_FULL)
    time.moment = IN_FULL
    assert "a stand-in plays their seat" in shown(match, alice)
    press(match, alice, 3, IN_FULL)
    assert match.status == Match.Status.RUNNING


# Races


@pytest.mark.django_db(transaction=True)
@pytest.mark.soak
def test_press_and_move_at_once_one_of_them_stands(alice: User, bob: User, time: Clock) -> None:
    rounds = size("move and end of the wait at once", ci=25, soak=500)
    outcomes: Counter[str] = Counter()
    for number in range(rounds):
        time.moment = START
        match = sit_down(alice, bob, clock=LIVE)
        mover = player_to_move(match)
        waiting, seat, form = other(mover, alice, bob), to_move(match), move_form(match)
        time.moment = IN_FULL
        moves = Browser(mover).act(match, "move", **form)
        if number % 2:
            moves = straight(match, mover, "move", form, IN_FULL)
        presses = [straight(match, waiting, "end-wait", {"seat": str(seat)}, IN_FULL)] * (1 + number % 3)
        jobs = [*presses, moves] if number % 4 < 2 else [moves, *presses]
        answers = at_once(jobs)
        moved = answers[jobs.index(moves)]
        pressed = sorted(answer.code or "" for job, answer in zip(jobs, answers, strict=True) if job is not moves)
        assert_sound(match)
        if moved == MOVED:
            assert pressed == ["not-away"] * len(presses)
            assert (match.status, match.ply) == (Match.Status.RUNNING, 1)
        else:
            assert moved == Answer(409, "not-running")
            assert pressed == ["", *["not-running"] * (len(presses) - 1)]
            assert (match.status, match.reason, match.ply) == (Match.Status.OVER, "timeout", 0)
            assert LogEntry.objects.filter(match=match).count() == 1
        outcomes[moved.code or "moved"] += 1
        match.delete()
    assert sum(outcomes.values()) == rounds


@pytest.mark.django_db(transaction=True)
def test_press_and_return_at_once_one_of_them_stands(alice: User, bob: User, time: Clock) -> None:
    for number in range(20):
        match = sit_down(alice, bob, clock=LIVE)
        press_it = straight(match, alice, "end-wait", {"seat": "1"}, IN_FULL)

        def come_back(match: Match = match) -> Answer:
            renew_presence(slug=match.slug, user=bob, moment=IN_FULL)
            return Answer(0, None)

        jobs = [press_it, come_back] if number % 2 else [come_back, press_it]
        answer = at_once(jobs)[jobs.index(press_it)]
        match.refresh_from_db()
        ended = match.status == Match.Status.OVER
        assert answer == (MOVED if ended else Answer(409, "not-away"))
        if not ended:
            assert Presence.objects.filter(match=match, user=bob, last_seen=IN_FULL).exists()
        match.delete()


@pytest.mark.django_db(transaction=True)
def test_pressed_by_several_at_once_one_leaves_once(alice: User, bob: User, carol: User, mallory: User) -> None:
    match = sit_down(alice, bob, carol, mallory, clock=LIVE)
    for user in (alice, bob, carol):
        renew_presence(slug=match.slug, user=user, moment=IN_FULL)
    presses = [straight(match, user, "end-wait", {"seat": "3"}, IN_FULL) for user in (alice, bob, carol)] * 3
    answers = at_once(presses)
    assert Counter(answer.code for answer in answers) == {None: 1, "not-away": 8}
    assert LogEntry.objects.filter(match=match, code="gone").count() == 1
    assert_sound(match)


def test_moves_go_on_meanwhile(alice: User, bob: User) -> None:
    """Nothing about the absence is stored at the match: who moves has forgotten it."""
    match = sit_down(alice, bob, clock=LIVE)
    move_at(match, 100_000)
    seat = to_move(match)
    with pytest.raises(NotAway):
        press(match, player_to_move(match), 1 - seat, IN_FULL)
