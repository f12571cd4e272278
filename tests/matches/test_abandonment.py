"""A match without a clock in which somebody does not move: after 14 days the others may end it, without a result."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.errors import NotIdle, NotSeated
from games.matches.models import LogEntry, Match, Seat
from games.matches.services.play import abandon_match, agree_to_end, resign
from tests.contract.sampled import TOY
from tests.matches.browsing import act, browser, notice_in, text_of
from tests.matches.conftest import START, Clock, frozen, player_to_move, sit_down, to_move
from tests.matches.playing import other
from tests.matches.test_exported_records import exported, replayed
from tests.matches.timekeeping import LIVE, look_at, move_at

pytestmark = pytest.mark.django_db

LONG = timedelta(days=14)
MS = timedelta(milliseconds=1)


def abandon(match: Match, user: User, moment: datetime) -> None:
    abandon_match(slug=match.slug, caller=Caller(user), moment=moment)
    match.refresh_from_db()


def page_of(match: Match, user: User | None, path: str = "") -> str:
    """The match's page as that person sees it, without the marks around names."""
    return re.sub("[\u2068\u2069]", "", text_of(browser(user).get(f"/matches/{match.slug}/{path}")))


@pytest.mark.parametrize("pace", [Match.Pace.LIVE, Match.Pace.TURNS])
def test_after_fourteen_days_without_a_move_the_other_may_end_it(alice: User, bob: User, pace: str) -> None:
    match = sit_down(alice, bob, pace=pace)
    move_at(match, 60_000)
    seat, idle = to_move(match), player_to_move(match)
    waiting = other(idle, alice, bob)
    due = START + timedelta(minutes=1) + LONG
    before = frozen(match)
    with pytest.raises(NotIdle):
        abandon(match, waiting, due - MS)
    assert frozen(match) == before
    abandon(match, waiting, due)
    assert (match.status, match.reason, match.standing) == (Match.Status.OVER, "abandoned", None)
    assert match.finished_at == due
    assert [one.exit for one in match.seats.order_by("index")] == (
        [Seat.Exit.IDLE, ""] if seat == 0 else ["", Seat.Exit.IDLE]
    )
    (entry,) = LogEntry.objects.filter(match=match)
    assert (entry.code, entry.params, entry.at) == ("idle", {"seat": seat}, 60_000 + LONG // MS)
    record = exported(match)
    assert replayed(record) is None
    assert (record["outcome"], record.get("left")) == ({"reason": "abandoned"}, None), "nobody has left"


def test_match_in_which_nobody_has_moved_counts_from_its_start(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    abandon(match, other(player_to_move(match), alice, bob), START + LONG)
    assert match.reason == "abandoned"


def test_who_keeps_the_others_waiting_may_not(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    with pytest.raises(NotIdle):
        abandon(match, player_to_move(match), START + 2 * LONG)
    assert match.status == Match.Status.RUNNING


def test_a_move_begins_the_time_anew(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    move_at(match, 13 * 86_400_000)
    for user in (alice, bob):
        with pytest.raises(NotIdle):
            abandon(match, user, START + LONG + timedelta(days=12))


def test_other_acts_do_not(alice: User, bob: User) -> None:
    """Who only says something has not moved."""
    match = sit_down(alice, bob)
    idle = player_to_move(match)
    for agreed in (True, False):
        agree_to_end(slug=match.slug, caller=Caller(idle), agreed=agreed, moment=START + timedelta(days=13))
    abandon(match, other(idle, alice, bob), START + LONG)
    assert match.reason == "abandoned"


def test_with_a_clock_the_clock_sees_to_it(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, clock=LIVE)
    waiting = other(player_to_move(match), alice, bob)
    abandon(match, waiting, START + LONG)
    assert match.reason == "timeout", "which it did before anything could be abandoned"


def test_games_in_real_time_have_no_such_wait(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    from games.contract import registry

    monkeypatch.setitem(registry._added, TOY.slug, TOY)
    match = sit_down(alice, bob, game=TOY)
    before = match.due_at
    assert before is not None
    with pytest.raises(NotIdle):
        abandon(match, alice, START)


@pytest.mark.parametrize("slug", ["m", "block_buster"])
def test_any_of_several_others_may(alice: User, bob: User, carol: User, mallory: User, slug: str) -> None:
    people = [alice, bob, carol]
    for number in range(2):
        match = sit_down(*people, game=get_game(slug))
        waiting = [user for user in people if user != player_to_move(match)]
        for outsider in (mallory,):
            with pytest.raises(NotSeated):
                abandon(match, outsider, START + LONG)
        abandon(match, waiting[number], START + LONG)
        assert match.reason == "abandoned"


def test_who_has_left_may_not_end_it_for_the_others(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol)
    leaver = other(player_to_move(match), alice, bob, carol)
    resign(slug=match.slug, caller=Caller(leaver), moment=START)
    with pytest.raises(NotSeated):
        abandon(match, leaver, START + LONG)


# What people see


def test_button_appears_only_then_and_only_to_the_others(alice: User, bob: User, carol: User, time: Clock) -> None:
    match = sit_down(alice, bob, carol)
    idle = player_to_move(match)
    everybody = (alice, bob, carol, None)
    for user in everybody:
        assert "leave-abandon" not in page_of(match, user)
    time.moment = START + LONG - MS
    for user in everybody:
        assert "leave-abandon" not in page_of(match, user)
    time.tick(milliseconds=1)
    for user in everybody:
        page = page_of(match, user)
        offered = user not in (idle, None)
        assert ("leave-abandon" in page) is offered, "also where the page was drawn before"
        words = f"{idle.display_name} has not moved for 14 days. You may end this match without a result."
        assert (words in page) is offered


def test_button_ends_the_match_and_every_page_says_why(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob)
    idle = player_to_move(match)
    waiting = other(idle, alice, bob)
    time.moment = START + LONG
    response = act(waiting, match, "abandon", {"stage": "match"})
    assert (response.status_code, notice_in(response)) == (200, None)
    assert "The match has ended without a result." in page_of(match, waiting)
    assert f"{idle.display_name} had not moved for 14 days." in page_of(match, waiting)
    assert "You had not moved for 14 days." in page_of(match, idle)
    assert f"{idle.display_name} had not moved for 14 days." in page_of(match, None, "replay/")
    assert f"{idle.display_name} had not moved for 14 days, and the match was ended." in page_of(match, None)
    for user in (alice, bob):
        assert "agreed" not in page_of(match, user)
        assert "ended for want of moves, without a result" in text_of(browser(user).get("/history/"))


def test_act_that_is_not_due_gets_its_reason(alice: User, bob: User, mallory: User, time: Clock) -> None:
    match = sit_down(alice, bob)
    before = frozen(match)
    cases: list[tuple[Any, int, str]] = [
        (alice, 409, "not-idle"),
        (bob, 409, "not-idle"),
        (mallory, 403, "not-seated"),
        (None, 403, "not-logged-in"),
    ]
    for user, status, code in cases:
        response = act(user, match, "abandon")
        assert (response.status_code, notice_in(response)) == (status, code)
    assert frozen(match) == before
    table = sit_down(alice, seats=2, start=False)
    response = act(alice, table, "abandon")
    assert (response.status_code, notice_in(response)) == (409, "not-running")


def test_agreement_is_not_taken_for_it(alice: User, bob: User, carol: User) -> None:
    """Also where somebody has resigned before."""
    match = sit_down(alice, bob, carol)
    resign(slug=match.slug, caller=Caller(carol), moment=START)
    for user in (alice, bob):
        agree_to_end(slug=match.slug, caller=Caller(user), agreed=True, moment=START)
    page = page_of(match, alice)
    assert "Everybody who was left agreed to end it." in page
    assert "had not moved" not in page
    assert "ended by agreement, without a result" in text_of(browser(bob).get("/history/"))


def test_keeper_ends_nothing_by_itself(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    look_at(match, 3 * 14 * 86_400_000)
    assert match.status == Match.Status.RUNNING
