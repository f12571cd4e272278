"""Taking back the last move by consent: asked by who made it, done when everybody else has agreed.

The move stays in the log, marked undone, and leaves the record. The position is replayed from the deal by what still
stands; the clocks have again what they had when the move arrived, and that of its player runs from now on.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from games.matches.callers import Caller
from games.matches.errors import BadInput, NoTakeback, NotRunning, Refused
from games.matches.log import RETURNED
from games.matches.models import LogEntry, Match, Move, Seat, TurnNotice
from games.matches.services.outages import counted
from games.matches.services.sitting import Sitting, locked_match
from games.matches.services.timing import bring_up_to, settle
from games.matches.takebacks import REFUSED, TAKEN_BACK, was_refused, why_final


def answer_takeback(*, slug: str, caller: Caller, answer: str, ply: int, moment: datetime) -> None:
    """Say something about taking back the move of that ply: `ask`, `withdraw`, `agree` or `refuse`.

    Bots and stand-ins agree at once. Asked, agreed or withdrawn twice it is as once. Raises `NoTakeback`; what was due
    before has been done all the same.
    """
    act = _ANSWERS.get(answer)
    if act is None:
        raise BadInput(what="answer")
    with locked_match(slug=slug, caller=caller) as sitting:
        sitting.seat_of(caller)
        sitting.require_running()
        moment = counted(moment)
        bring_up_to(sitting, moment)
        try:
            if not sitting.running:
                raise NotRunning
            # What was due may just have cost them the seat.
            act(sitting, sitting.seat_of(caller), ply, moment)
        except Refused as error:
            sitting.refuse(error)


def _ask(sitting: Sitting, seat: Seat, ply: int, moment: datetime) -> None:
    match, last = sitting.match, sitting.last_move()
    if ply != match.ply:
        raise NoTakeback(what="gone")
    why = why_final(match, last)
    if why is not None or last is None:
        raise NoTakeback(what=why or "nothing")
    if last.seat != seat.index:
        raise NoTakeback(what="other")
    if was_refused(last, LogEntry.objects.filter(match=match, code=REFUSED, ply=last.ply)):
        raise NoTakeback(what="refused")
    if match.takeback_by is None:
        match.takeback_by = seat.index
        sitting.touch(moment)
        _take_back_if_all_agree(sitting, moment)


def _withdraw(sitting: Sitting, seat: Seat, ply: int, moment: datetime) -> None:
    if sitting.match.takeback_by == seat.index:
        sitting.drop_takeback()
        sitting.touch(moment)


def _agree(sitting: Sitting, seat: Seat, ply: int, moment: datetime) -> None:
    _require_asked(sitting, seat, ply)
    if not seat.allows_takeback:
        seat.allows_takeback = True
        sitting.keep(seat)
        sitting.touch(moment)
        _take_back_if_all_agree(sitting, moment)


def _refuse(sitting: Sitting, seat: Seat, ply: int, moment: datetime) -> None:
    _require_asked(sitting, seat, ply)
    sitting.drop_takeback()
    sitting.note_act(REFUSED, at=sitting.match_time(moment), seat=seat.index)


_ANSWERS: dict[str, Callable[[Sitting, Seat, int, datetime], None]] = {
    "ask": _ask,
    "withdraw": _withdraw,
    "agree": _agree,
    "refuse": _refuse,
}


def _require_asked(sitting: Sitting, seat: Seat, ply: int) -> None:
    """Somebody else asks for just that move. Raises `NoTakeback`: an answer never goes to another question."""
    match = sitting.match
    if match.takeback_by in (None, seat.index) or ply != match.ply:
        raise NoTakeback(what="gone")


def _take_back_if_all_agree(sitting: Sitting, moment: datetime) -> None:
    asking = sitting.match.takeback_by
    others = [seat for seat in sitting.seats if seat.is_present and seat.index != asking]
    if all(seat.allows_takeback for seat in others):
        _take_back(sitting, moment)


def _take_back(sitting: Sitting, moment: datetime) -> None:
    match, last = sitting.match, sitting.last_move()
    assert last is not None
    at = sitting.match_time(moment)
    Move.objects.filter(pk=last.pk).update(undone=True)
    standing = list(Move.objects.filter(match=match, undone=False, ply__lt=last.ply).order_by("ply"))
    # What the log says after it now stands after the move before.
    LogEntry.objects.filter(match=match, ply__gte=last.ply).update(ply=last.ply - 1)
    sitting.rewind(_replayed(match, standing), ply=last.ply - 1, at=at)
    match.takebacks += 1
    _forget_notices(match)
    moved, returned = {move.seat for move in standing}, _returned_since(match, last)
    for seat in sitting.seats:
        seat.has_moved, seat.acts_at = seat.index in moved, None
        _set_clock(match, seat, last, has_returned=seat.index in returned)
        sitting.keep(seat)
    sitting.drop_takeback()
    sitting.note_act(TAKEN_BACK, at=at, seat=last.seat, move=last.public_text)
    settle(sitting, moment)


def _forget_notices(match: Match) -> None:
    """Turns that begin now are others, though their plies may have the numbers of those that were written about."""
    # In one order everywhere, so that keepers wait for this and not in a ring.
    notices = TurnNotice.objects.select_for_update().filter(seat__match=match).order_by("seat")
    TurnNotice.objects.filter(pk__in=[notice.pk for notice in notices]).delete()


def _replayed(match: Match, moves: list[Move]) -> Any:
    """The position to which these moves lead from the deal."""
    rules = match.game.rules
    position = rules.start(match.options, match.deal or {}, match.seat_count)
    for move in moves:
        position, _events = rules.play(position, move.seat, rules.parse_move(move.text), at=move.at, lag=move.lag)
    return position


def _returned_since(match: Match, last: Move) -> set[int]:
    """The seats whose players have had them back since that move arrived."""
    entries = LogEntry.objects.filter(match=match, of_house=True, code=RETURNED, at__gte=last.at)
    return {int(params["seat"]) for params in entries.values_list("params", flat=True)}


def _set_clock(match: Match, seat: Seat, last: Move, *, has_returned: bool) -> None:
    """Let the seat have what its clock had left when that move arrived; it stands still until clocks run again.

    Who has left has no clock any more, and who has returned since then keeps what they were given to go on with. Of
    moves from before clocks were noted nothing is given back.
    """
    if last.clocks is None or seat.left_order is not None:
        return
    had = last.clocks[seat.index]
    if has_returned and had is not None and seat.clock_left is not None:
        had = max(had, seat.clock_left)
    seat.clock_left, seat.clock_since = had, None
