"""Playing: a move, and the ways to leave a running match."""

from __future__ import annotations

import re
from datetime import datetime

from games.contract.errors import IllegalMove
from games.matches.callers import Caller
from games.matches.errors import (
    BadInput,
    KeyReused,
    MoveRefused,
    NotYourTurn,
    Refused,
    StaleTurn,
    TooLateToCancel,
)
from games.matches.models import Match, Move, Seat, may_cancel
from games.matches.services.results import ABANDONED, CANCELLED, finish_match, settle_leaving, settle_outcome
from games.matches.services.sitting import Sitting, locked_match

MAX_MOVE_LENGTH = 120
KEY = re.compile(r"[A-Za-z0-9_-]{0,64}")


def play_move(*, slug: str, caller: Caller, text: str, turn_key: str, key: str, arrived: datetime) -> None:
    """Play the move that the person in a seat has composed.

    `turn_key` is the one that the page showed, `key` makes a repetition harmless: the same key with the same move is
    answered as the first time, with another move it is a `KeyReused`. `arrived` was stamped before any waiting.
    Raises `Refused`; what was due before has been done all the same.
    """
    if len(text) > MAX_MOVE_LENGTH:
        raise BadInput(what="move")
    if not KEY.fullmatch(key):
        raise BadInput(what="key")
    refusal: Refused | None = None
    with locked_match(slug=slug, caller=caller) as sitting:
        seat = sitting.seat_of(caller)
        if _is_repetition(sitting, seat, text=text, key=key):
            return
        bring_up_to(sitting, arrived)
        try:
            _play(sitting, seat, text=text, turn_key=turn_key, key=key, arrived=arrived)
        except Refused as error:
            refusal = error
    if refusal is not None:
        raise refusal


def _is_repetition(sitting: Sitting, seat: Seat, *, text: str, key: str) -> bool:
    if not key:
        return False
    first = Move.objects.filter(match=sitting.match, seat=seat.index, key=key).values_list("text", flat=True).first()
    if first is not None and first != text:
        raise KeyReused
    return first is not None


def _play(sitting: Sitting, seat: Seat, *, text: str, turn_key: str, key: str, arrived: datetime) -> None:
    sitting.require_running()
    if turn_key != sitting.rules.turn_key(sitting.position, seat.index):
        raise StaleTurn
    if seat.index not in sitting.match.to_move:
        raise NotYourTurn
    try:
        sitting.play(seat, sitting.rules.parse_move(text), arrived=arrived, key=key)
    except IllegalMove as error:
        game = sitting.match.game_slug
        raise MoveRefused(game=game, rule=error.code, rule_params=error.params) from None
    settle(sitting, arrived)


def settle(sitting: Sitting, moment: datetime) -> None:
    """After a move or a leaving: stand-ins play on, and the match ends if it has to."""
    sitting.play_stand_ins(moment)
    if sitting.match.status == Match.Status.RUNNING:
        settle_outcome(sitting, moment)


def bring_up_to(sitting: Sitting, moment: datetime) -> None:
    """Do what is due at or before that moment, each thing at its own time: the same, whoever looks when."""
    match = sitting.match
    while match.status == Match.Status.RUNNING and match.due_at is not None and match.due_at <= moment:
        due_at, match.due_at = match.due_at, None
        sitting.play_bot(due_at)
        settle(sitting, due_at)


def resign(*, slug: str, caller: Caller, moment: datetime) -> None:
    """The person leaves for good: a match of two is lost, in a larger one a stand-in plays the seat on."""
    with locked_match(slug=slug, caller=caller) as sitting:
        seat = sitting.seat_of(caller)
        sitting.require_running()
        bring_up_to(sitting, moment)
        # What was due may have ended the match; then there is nothing left to resign.
        if sitting.match.status == Match.Status.RUNNING:
            seat.kind = Seat.Kind.STAND_IN
            seat.left_order = 1 + max(other.left_order or 0 for other in sitting.seats)
            seat.save()
            sitting.touch(moment, in_lobby=True)
            settle_leaving(sitting, moment)
            _end_if_all_agree(sitting, moment)
            settle(sitting, moment)


def cancel_match(*, slug: str, caller: Caller, moment: datetime) -> None:
    """Call the match off without a result, before every seat has moved once; it is counted who did."""
    with locked_match(slug=slug, caller=caller) as sitting:
        seat = sitting.seat_of(caller)
        sitting.require_running()
        bring_up_to(sitting, moment)
        # What was due may have ended the match by the rules; that result stands.
        if sitting.match.status == Match.Status.RUNNING:
            if not may_cancel(sitting.seats):
                raise TooLateToCancel
            seat.cancelled = True
            seat.save()
            finish_match(sitting, moment, reason=CANCELLED, places=None)
            sitting.match.status = Match.Status.CLOSED


def agree_to_end(*, slug: str, caller: Caller, agreed: bool, moment: datetime) -> None:
    """Say, or take back, that one would end the match without a result; it ends when all who are left say so."""
    with locked_match(slug=slug, caller=caller) as sitting:
        seat = sitting.seat_of(caller)
        sitting.require_running()
        bring_up_to(sitting, moment)
        if sitting.match.status == Match.Status.RUNNING:
            seat.wants_end = agreed
            seat.save()
            sitting.touch(moment)
            _end_if_all_agree(sitting, moment)


def _end_if_all_agree(sitting: Sitting, moment: datetime) -> None:
    left = [seat for seat in sitting.seats if seat.is_present]
    if sitting.match.status == Match.Status.RUNNING and left and all(seat.wants_end for seat in left):
        finish_match(sitting, moment, reason=ABANDONED, places=None)
