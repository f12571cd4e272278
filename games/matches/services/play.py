"""Playing: a move, and the ways to leave a running match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.db import IntegrityError

from games.contract.errors import IllegalMove
from games.matches import metrics
from games.matches.attendance import attendance, last_seen
from games.matches.callers import Caller
from games.matches.errors import (
    BadInput,
    KeyReused,
    MoveRefused,
    NotAway,
    NotIdle,
    NotSeated,
    NotYourTurn,
    Refused,
    StaleTurn,
    TooLateToCancel,
)
from games.matches.log import END_DECLINED
from games.matches.models import Match, Move, Seat, idle_seats, may_cancel
from games.matches.services.leavers import note_calling_off, note_leaving
from games.matches.services.results import ABANDONED, CANCELLED, finish_match, leave_for_good
from games.matches.services.sitting import Sitting, change_match, locked_match
from games.matches.services.timing import bring_up_to, settle

if TYPE_CHECKING:
    from accounts.people.models import User

MAX_MOVE_LENGTH = 120
KEY = re.compile(r"[A-Za-z0-9_-]{0,64}")


def play_move(
    *, slug: str, caller: Caller, text: str, turn_key: str, key: str, arrived: datetime, lag: int = 0
) -> None:
    """Play the move that the person in a seat has composed.

    `turn_key` is the one that the page showed, `key` makes a repetition harmless: the same key with the same move is
    answered as the first time, with another move it is a `KeyReused`. `arrived` was stamped before any waiting, `lag`
    is the person's line as the server has measured it, in ms.
    Raises `Refused`; what was due before has been done all the same.
    """
    if len(text) > MAX_MOVE_LENGTH:
        raise BadInput(what="move")
    if not KEY.fullmatch(key):
        raise BadInput(what="key")
    repeated = partial(_is_repetition, slug, caller.require_user(), text=text, key=key)

    def act(sitting: Sitting) -> None:
        seat = sitting.seat_of(caller)
        # A move for the turn that waits now is no repetition of one that was played.
        if not _is_for_this_turn(sitting, seat, turn_key) and repeated():
            return
        moment = sitting.counted(arrived)
        bring_up_to(sitting, moment)
        try:
            _play(sitting, seat, text=text, turn_key=turn_key, key=key, arrived=moment, lag=lag)
        except Refused as error:
            sitting.refuse(error)
            metrics.count_refused_move(sitting.match.game_slug)

    try:
        change_match(act, slug=slug, caller=caller)
    except IntegrityError:  # unless its key has been used all the same
        if not repeated():
            raise


def _is_for_this_turn(sitting: Sitting, seat: Seat, turn_key: str) -> bool:
    """Whether the seat is to move, and the page has seen so. In real time several moves may be meant for one turn."""
    if sitting.in_real_time or not sitting.running or seat.index not in sitting.match.to_move:
        return False
    return turn_key == sitting.match.turn_key(sitting.position, seat.index)


def _is_repetition(slug: str, user: User, *, text: str, key: str) -> bool:
    """Whether the person has played this move with this key before. Raises `KeyReused` if it was another move."""
    if not key:
        return False
    own = Seat.objects.filter(match__slug=slug, user=user).values("index")
    first = Move.objects.filter(match__slug=slug, seat__in=own, key=key).values_list("text", flat=True).first()
    if first is not None and first != text:
        raise KeyReused
    return first is not None


def _play(sitting: Sitting, seat: Seat, *, text: str, turn_key: str, key: str, arrived: datetime, lag: int) -> None:
    sitting.require_running()
    if not seat.is_present:
        raise NotSeated
    if turn_key != sitting.match.turn_key(sitting.position, seat.index):
        raise StaleTurn
    # In real time there are no turns: the rules say why a claim is not possible now.
    if not sitting.in_real_time and seat.index not in sitting.match.to_move:
        raise NotYourTurn
    try:
        sitting.play(seat, sitting.rules.parse_move(text), arrived=arrived, lag=lag, key=key)
    except IllegalMove as error:
        game = sitting.match.game_slug
        raise MoveRefused(game=game, rule=error.code, rule_params=error.params) from None
    settle(sitting, arrived)


def resign(*, slug: str, caller: Caller, moment: datetime) -> None:
    """The person leaves for good: a match of two is lost, in a larger one a stand-in plays the seat on."""
    with _in_play(slug, caller, moment) as (sitting, seat, moment):
        # What was due may have ended the match; then there is nothing left to resign.
        if seat is not None:
            _leave(sitting, seat, moment, how=Seat.Exit.RESIGNED)


def cancel_match(*, slug: str, caller: Caller, moment: datetime) -> None:
    """Call the match off without a result, before every seat has moved once; it is counted who did."""
    with _in_play(slug, caller, moment) as (sitting, seat, moment):
        if seat is None:
            return  # it has ended by the rules; that result stands
        if not may_cancel(sitting.seats):
            sitting.refuse(TooLateToCancel())
            return
        seat.cancelled = True
        note_calling_off(sitting, seat, moment)
        seat.save()
        finish_match(sitting, moment, reason=CANCELLED, places=None)


def agree_to_end(*, slug: str, caller: Caller, agreed: bool, moment: datetime) -> None:
    """Say, or take back, that one would end the match without a result; it ends when all who are left say so."""
    with _in_play(slug, caller, moment) as (sitting, seat, moment):
        if seat is not None:
            seat.wants_end = agreed
            seat.save()
            sitting.touch(moment)
            _end_if_all_agree(sitting, moment)


def decline_end(*, slug: str, caller: Caller, moment: datetime) -> None:
    """Play on: what the others have offered, to end the match without a result, is gone, and everybody is told.

    Without such an offer, or with one of their own standing, nothing happens: twice is the same as once.
    """
    with _in_play(slug, caller, moment) as (sitting, seat, moment):
        if seat is None or seat.wants_end:
            return
        offering = [other for other in sitting.seats if other.is_present and other.wants_end]
        for other in offering:
            other.wants_end = False
            other.save()
        if offering:
            sitting.note_act(END_DECLINED, at=sitting.match_time(moment), seat=seat.index)


def abandon_match(*, slug: str, caller: Caller, moment: datetime) -> None:
    """End a match without a clock, and without a result, since somebody else has not moved for `ABANDON_AFTER`."""
    with _in_play(slug, caller, moment) as (sitting, seat, moment):
        if seat is None:
            return
        idle = idle_seats(sitting.match, sitting.seats, moment)
        if not idle or seat in idle:
            sitting.refuse(NotIdle())
            return
        note_leaving(sitting, idle, moment, how=Seat.Exit.IDLE)
        for other in idle:
            other.exit = Seat.Exit.IDLE
            sitting.keep(other)
            sitting.note_act(Seat.Exit.IDLE, at=sitting.match_time(moment), seat=other.index)
        finish_match(sitting, moment, reason=ABANDONED, places=None)


def end_wait(*, slug: str, caller: Caller, index: int, moment: datetime) -> None:
    """Wait no longer for the player on that seat, who is away from a live match: they have left it.

    Raises `NotAway` if they are back, or have not been away for so long: of a press and a return that meet, one stands.
    """
    with _in_play(slug, caller, moment) as (sitting, seat, moment):
        if seat is None:
            return
        # Read under the lock: a move that came first is a sign of its player.
        seen = last_seen(match=sitting.match, seats=sitting.seats)
        absent = attendance(sitting.match, sitting.seats, seen, moment).absent
        if index not in absent or index == seat.index:
            sitting.refuse(NotAway())
            return
        _leave(sitting, sitting.seats[index], moment, how=Seat.Exit.GONE)


@contextmanager
def _in_play(slug: str, caller: Caller, moment: datetime) -> Iterator[tuple[Sitting, Seat | None, datetime]]:
    """A running match under its lock, when what was due has been done; and the moment as it counts.

    With the caller's seat, or None if by what was due the match has ended, or its player has left.
    """
    with locked_match(slug=slug, caller=caller) as sitting:
        seat = sitting.seat_of(caller)
        sitting.require_running()
        moment = sitting.counted(moment)
        bring_up_to(sitting, moment)
        yield sitting, seat if sitting.running and seat.is_present else None, moment


def _leave(sitting: Sitting, seat: Seat, moment: datetime, *, how: Seat.Exit) -> None:
    """This player leaves for good; whoever is left plays on, or may all have agreed to end it."""
    leave_for_good(sitting, [seat], moment, how=how)
    _end_if_all_agree(sitting, moment)
    if sitting.running:
        settle(sitting, moment)


def _end_if_all_agree(sitting: Sitting, moment: datetime) -> None:
    left = [seat for seat in sitting.seats if seat.is_present]
    if sitting.match.status == Match.Status.RUNNING and left and all(seat.wants_end for seat in left):
        finish_match(sitting, moment, reason=ABANDONED, places=None)
