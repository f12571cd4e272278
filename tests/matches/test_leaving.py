"""Leaving: resignation, stand-ins, calling a match off, ending it by agreement, voiding; and who stands where then."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from accounts.people.models import User
from games.matches.callers import Caller
from games.matches.errors import NotRunning, NotSeated, TooLateToCancel
from games.matches.models import Match, Seat
from games.matches.services import play
from games.matches.services.acts import perform_act
from games.matches.services.play import agree_to_end, cancel_match, resign
from games.matches.services.results import finish_match, standing_places, void_match
from games.matches.services.sitting import Sitting
from tests.matches.conftest import START, move_form, player_to_move, sit_down, to_move
from tests.matches.playing import play_form, play_to_the_end


def leave(match: Match, user: User) -> None:
    resign(slug=match.slug, caller=Caller(user), moment=START)
    match.refresh_from_db()


def test_resigning_a_match_of_two_loses_it(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    leave(match, alice)
    assert match.status == Match.Status.OVER
    assert match.reason == "resigned"
    assert match.outcome is None, "the rules know no leavers"
    assert match.standing is not None
    assert match.standing["places"] == [2, 1]
    assert match.to_move == []


def test_in_a_match_of_several_a_stand_in_plays_on(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol)
    leaver = player_to_move(match)
    left = to_move(match)
    leave(match, leaver)
    assert match.status == Match.Status.RUNNING
    assert match.seats.get(index=left).kind == Seat.Kind.STAND_IN
    assert match.seats.get(index=left).user == leaver, "the match stays theirs in the history"
    assert match.moves.get().kind == Seat.Kind.STAND_IN
    assert to_move(match) != left, "its turn was played in the act that made it its turn"
    with pytest.raises(NotSeated):
        play_form(match, leaver, move_form(match))
    play_to_the_end(match)
    assert match.reason in match.game.info.reasons
    assert match.standing is not None
    assert match.standing["places"][left] == 3, "the leaver is behind all who stayed"
    stand_in_moves = match.moves.filter(seat=left)
    assert stand_in_moves.count() > 1
    assert {move.kind for move in stand_in_moves} == {Seat.Kind.STAND_IN}


def test_last_one_left_has_won(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol)
    leave(match, carol)
    leave(match, alice)
    assert match.status == Match.Status.OVER
    assert match.standing is not None
    assert match.standing["places"] == [2, 1, 3], "who left first has the last place"


def test_match_against_bots_ends_when_no_person_is_left(alice: User) -> None:
    match = sit_down(alice, bots=2)
    leave(match, alice)
    assert match.status == Match.Status.OVER
    assert match.standing is not None
    assert match.standing["places"] == [3, 1, 1]


def test_resigning_twice_or_as_an_outsider(alice: User, bob: User, carol: User, mallory: User) -> None:
    match = sit_down(alice, bob, carol)
    leave(match, alice)
    for user in (alice, mallory):
        with pytest.raises(NotSeated):
            resign(slug=match.slug, caller=Caller(user), moment=START)


@pytest.mark.parametrize(
    ("left", "places", "expected"),
    [
        ([None, None, None], [2, 1, 3], [2, 1, 3]),
        ([None, None, None], [1, 1, 3], [1, 1, 3]),
        ([1, None, None], [1, 2, 3], [3, 1, 2]),
        ([2, 1, None], [1, 1, 1], [2, 3, 1]),
        ([None, 1, None, None], [1, 2, 3, 3], [1, 4, 2, 2]),
    ],
)
def test_standing_puts_leavers_behind(left: list[int | None], places: list[int], expected: list[int]) -> None:
    seats = [Seat(index=index, left_order=order) for index, order in enumerate(left)]
    assert standing_places(seats=seats, places=places) == expected


def test_match_can_be_called_off_until_every_seat_has_moved(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_form(match, player_to_move(match), move_form(match))
    cancel_match(slug=match.slug, caller=Caller(bob), moment=START)
    match.refresh_from_db()
    assert (match.status, match.reason, match.standing) == (Match.Status.CLOSED, "cancelled", None)
    assert [seat.cancelled for seat in match.seats.all()] == [False, True], "it is counted who did"

    second = sit_down(alice, bob)
    while not all(seat.has_moved for seat in second.seats.all()):
        play_form(second, player_to_move(second), move_form(second))
    with pytest.raises(TooLateToCancel):
        cancel_match(slug=second.slug, caller=Caller(alice), moment=START)


@pytest.mark.parametrize("act", ["cancel", "end", "resign"])
def test_what_was_due_may_have_ended_the_match_first(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    """A bot's move that was due before the act ends the match by the rules: that result stands."""
    match = sit_down(alice, bob)

    def ends(sitting: Sitting, moment: datetime) -> None:
        finish_match(sitting, moment, reason="blocked", places=[2, 1])

    monkeypatch.setattr(play, "bring_up_to", ends)
    perform_act(act=act, slug=match.slug, caller=Caller(alice), data={"agreed": "1"}, arrived=START)
    match.refresh_from_db()
    assert (match.status, match.reason) == (Match.Status.OVER, "blocked")
    assert match.standing is not None
    assert match.standing["places"] == [2, 1]
    assert [seat.cancelled or seat.wants_end or seat.left_order for seat in match.seats.all()] == [None, None]


def test_all_who_are_left_may_agree_to_end_without_a_result(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol)
    agree_to_end(slug=match.slug, caller=Caller(alice), agreed=True, moment=START)
    agree_to_end(slug=match.slug, caller=Caller(alice), agreed=False, moment=START)
    agree_to_end(slug=match.slug, caller=Caller(bob), agreed=True, moment=START)
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING, "alice has taken it back"
    leave(match, carol)
    agree_to_end(slug=match.slug, caller=Caller(alice), agreed=True, moment=START)
    match.refresh_from_db()
    assert (match.status, match.reason, match.standing) == (Match.Status.OVER, "abandoned", None)
    with pytest.raises(NotRunning):
        agree_to_end(slug=match.slug, caller=Caller(alice), agreed=True, moment=START)


def test_who_leaves_among_people_who_want_to_end_makes_the_agreement_whole(make_person: Callable[..., User]) -> None:
    people = [make_person(name) for name in ("ann", "ben", "cat", "dan")]
    match = sit_down(*people)
    for person in people[:3]:
        agree_to_end(slug=match.slug, caller=Caller(person), agreed=True, moment=START)
    leave(match, people[3])
    assert (match.status, match.reason) == (Match.Status.OVER, "abandoned")


def test_voided_match_has_no_result_and_keeps_its_log(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_to_the_end(match)
    moves, finished_at = match.moves.count(), match.finished_at
    void_match(slug=match.slug, moment=START)
    match.refresh_from_db()
    assert (match.reason, match.standing, match.finished_at) == ("voided", None, finished_at)
    assert match.moves.count() == moves
