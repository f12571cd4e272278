"""Tables: sitting down, getting up, bots, readiness, the host's rights, and closing by themselves."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.errors import (
    AlreadySeated,
    BadInput,
    NotFound,
    NotHost,
    NotLoggedIn,
    NotSeated,
    NotWaiting,
    OptionRefused,
    SeatTaken,
    TableFull,
    TooMany,
)
from games.matches.models import Match, Seat
from games.matches.services import admission, at_once, tables
from games.matches.services.due import settle_due
from tests.matches.conftest import START, sit_down


def users(match: Match) -> list[str | None]:
    return [seat.user.username if seat.user else None for seat in match.seats.select_related("user")]


def test_live_match_starts_when_all_are_seated_and_ready(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, start=False)
    tables.set_ready(slug=match.slug, caller=Caller(alice), ready=True, moment=START)
    match.refresh_from_db()
    assert match.status == Match.Status.TABLE, "one alone cannot start it"
    tables.set_ready(slug=match.slug, caller=Caller(bob), ready=True, moment=START)
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    assert match.started_at == START
    assert [seat.shown_name for seat in match.seats.all()] == ["Alice", "Bob"]
    assert match.deal is not None
    assert len(match.to_move) == 1


def test_readiness_is_forgotten_when_the_company_changes(alice: User, bob: User, carol: User) -> None:
    """Nobody may find themselves in a match with people they had not agreed to."""
    match = sit_down(alice, bob, start=False)
    tables.set_ready(slug=match.slug, caller=Caller(alice), ready=True, moment=START)
    tables.leave_table(slug=match.slug, caller=Caller(bob), moment=START)
    tables.join_table(slug=match.slug, caller=Caller(carol), index=None, moment=START)
    assert [seat.ready for seat in match.seats.all()] == [False, False]


def test_bot_is_ready_whoever_comes_and_goes(alice: User, bob: User) -> None:
    """Readiness is a person's to give; a bot that were shown as not ready would be waited for, for ever."""
    match = sit_down(alice, bob, bots=1, start=False)
    tables.leave_table(slug=match.slug, caller=Caller(bob), moment=START)
    assert [seat.ready for seat in match.seats.all()] == [False, False, True]


def test_match_by_turns_starts_when_full(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, pace=Match.Pace.TURNS)
    assert match.status == Match.Status.RUNNING


def test_seats_as_arranged_stay(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol, start=False)
    tables.leave_table(slug=match.slug, caller=Caller(bob), moment=START)
    tables.join_table(slug=match.slug, caller=Caller(carol), index=1, moment=START)
    assert users(match) == ["alice", "carol", None]


def test_seats_by_lot_keep_everybody_once(alice: User, bob: User, carol: User) -> None:
    seen = set()
    for _ in range(30):
        match = sit_down(alice, bob, carol, seating=Match.Seating.LOT)
        order = tuple(users(match))
        assert sorted(order, key=str) == ["alice", "bob", "carol"]
        assert [seat.shown_name for seat in match.seats.all()] == [str(name).title() for name in order]
        seen.add(order)
    assert len(seen) > 1, "thirty draws of six orders never came out twice the same way only"


def test_two_on_one_seat_the_second_is_told(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, seats=3, start=False)
    with pytest.raises(SeatTaken):
        tables.join_table(slug=match.slug, caller=Caller(carol), index=1, moment=START)
    assert users(match) == ["alice", "bob", None]


def test_full_table_and_sitting_twice(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, start=False)
    with pytest.raises(TableFull):
        tables.join_table(slug=match.slug, caller=Caller(carol), index=None, moment=START)
    with pytest.raises(AlreadySeated):
        tables.join_table(slug=match.slug, caller=Caller(bob), index=None, moment=START)
    with pytest.raises(AlreadySeated):
        tables.join_table(slug=match.slug, caller=Caller(bob), index=1, moment=START)
    with pytest.raises(BadInput):
        tables.join_table(slug=match.slug, caller=Caller(bob), index=7, moment=START)


def test_private_table_does_not_exist_for_who_has_no_link(alice: User, bob: User) -> None:
    match = sit_down(alice, seats=2, public=False, start=False)
    with pytest.raises(NotFound):
        tables.join_table(slug=match.slug, caller=Caller(bob), index=None, moment=START)
    tables.join_table(slug=match.slug, caller=Caller(bob, invited=True), index=None, moment=START)
    assert users(match) == ["alice", "bob"]


def test_guest_cannot_sit_down(alice: User) -> None:
    match = sit_down(alice, seats=2, start=False)
    with pytest.raises(NotLoggedIn):
        tables.join_table(slug=match.slug, caller=Caller(None), index=None, moment=START)


def test_host_unseats_and_seats_bots_others_do_not(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, seats=3, start=False)
    with pytest.raises(NotHost):
        tables.unseat(slug=match.slug, caller=Caller(bob), index=0, moment=START)
    with pytest.raises(NotHost):
        tables.seat_bot(slug=match.slug, caller=Caller(bob), index=2, level="easy", moment=START)
    with pytest.raises(SeatTaken):
        tables.seat_bot(slug=match.slug, caller=Caller(alice), index=1, level="easy", moment=START)
    with pytest.raises(BadInput):
        tables.seat_bot(slug=match.slug, caller=Caller(alice), index=2, level="genius", moment=START)
    with pytest.raises(BadInput):
        tables.unseat(slug=match.slug, caller=Caller(alice), index=0, moment=START)
    tables.seat_bot(slug=match.slug, caller=Caller(alice), index=2, level="easy", moment=START)
    tables.unseat(slug=match.slug, caller=Caller(alice), index=1, moment=START)
    assert [seat.kind for seat in match.seats.all()] == [Seat.Kind.PERSON, Seat.Kind.PERSON, Seat.Kind.BOT]
    assert users(match) == ["alice", None, None]
    tables.unseat(slug=match.slug, caller=Caller(alice), index=2, moment=START)
    assert match.seats.get(index=2).is_free


def test_host_who_gets_up_hands_the_table_on(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, seats=3, start=False)
    tables.leave_table(slug=match.slug, caller=Caller(alice), moment=START)
    match.refresh_from_db()
    assert match.host == bob
    assert match.status == Match.Status.TABLE
    tables.leave_table(slug=match.slug, caller=Caller(bob), moment=START)
    match.refresh_from_db()
    assert match.status == Match.Status.CLOSED, "a table without people closes"


def test_closed_table_takes_nobody(alice: User, bob: User) -> None:
    match = sit_down(alice, seats=2, start=False)
    with pytest.raises(NotHost):
        tables.close_table(slug=match.slug, caller=Caller(bob), moment=START)
    tables.close_table(slug=match.slug, caller=Caller(alice), moment=START)
    with pytest.raises(NotWaiting):
        tables.join_table(slug=match.slug, caller=Caller(bob), index=None, moment=START)
    with pytest.raises(NotWaiting):
        tables.set_ready(slug=match.slug, caller=Caller(alice), ready=True, moment=START)


def test_outsider_cannot_make_ready_or_leave(alice: User, mallory: User) -> None:
    match = sit_down(alice, seats=2, start=False)
    with pytest.raises(NotSeated):
        tables.set_ready(slug=match.slug, caller=Caller(mallory), ready=True, moment=START)
    with pytest.raises(NotSeated):
        tables.leave_table(slug=match.slug, caller=Caller(mallory), moment=START)


@pytest.mark.parametrize(
    ("pace", "limit"), [(Match.Pace.LIVE, timedelta(minutes=30)), (Match.Pace.TURNS, timedelta(days=7))]
)
def test_idle_table_closes(alice: User, pace: str, limit: timedelta) -> None:
    match = sit_down(alice, seats=2, pace=pace, start=False)
    settle_due(moment=START + limit - timedelta(seconds=1))
    match.refresh_from_db()
    assert match.status == Match.Status.TABLE
    settle_due(moment=START + limit)
    match.refresh_from_db()
    assert match.status == Match.Status.CLOSED


def test_table_at_which_something_happens_is_not_idle(alice: User, bob: User) -> None:
    match = sit_down(alice, seats=3, start=False)
    later = START + timedelta(minutes=29)
    tables.join_table(slug=match.slug, caller=Caller(bob), index=None, moment=later)
    settle_due(moment=START + timedelta(minutes=31))
    match.refresh_from_db()
    assert match.status == Match.Status.TABLE
    settle_due(moment=later + timedelta(minutes=30))
    match.refresh_from_db()
    assert match.status == Match.Status.CLOSED


def test_wrong_tables_are_refused(alice: User) -> None:
    with pytest.raises(BadInput):
        sit_down(alice, seats=7)
    with pytest.raises(BadInput):
        sit_down(alice, seats=2, pace="blitz")
    with pytest.raises(BadInput):
        sit_down(alice, seats=2, seating="by strength")
    with pytest.raises(OptionRefused):
        sit_down(alice, seats=2, options={"start": "spiral"})
    with pytest.raises(OptionRefused):
        sit_down(alice, seats=2, options={"colour": "red"})
    assert not Match.objects.exists()


def test_a_host_has_a_limited_number_of_open_tables(alice: User) -> None:
    for _ in range(admission.MAX_OPEN_TABLES):
        sit_down(alice, seats=2, start=False)
    with pytest.raises(TooMany):
        sit_down(alice, seats=2, start=False)


def test_sitting_down_counts_as_well_as_opening(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "MAX_RUNNING", 1)
    sit_down(alice, bob)
    waiting = sit_down(carol, seats=2, start=False)
    with pytest.raises(TooMany):
        tables.join_table(slug=waiting.slug, caller=Caller(bob), index=None, moment=START)
    assert users(waiting)[1] is None


def test_what_one_person_opens_in_an_hour_has_a_limit(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closed tables stay stored for ever: opening and closing them in a loop must end somewhere."""
    monkeypatch.setattr(admission, "MAX_OPENED_AN_HOUR", 2)
    for _ in range(2):
        match = sit_down(alice, seats=2, start=False)
        tables.close_table(slug=match.slug, caller=Caller(alice), moment=START)
    with pytest.raises(TooMany):
        sit_down(alice, seats=2, start=False)
    sit_down(alice, seats=2, start=False, moment=START + timedelta(hours=1))


def test_play_now_begins_at_once_against_a_bot(alice: User) -> None:
    match = at_once.play_now(user=alice, game=get_game("m"), moment=START)
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    assert not match.rated
    kinds = sorted(seat.kind for seat in match.seats.all())
    assert kinds == [Seat.Kind.BOT, Seat.Kind.PERSON]
