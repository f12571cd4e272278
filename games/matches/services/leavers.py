"""Leavers: who leaves others alone is noted at the seat, and when it comes to too much, rated play pauses for them.

What is noted is part of the match's transaction. What it comes to is reckoned once that is committed, under the lock of
the person's row alone: no match is held meanwhile, so it can't stand in anybody's way, in whatever order they lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial

from django.contrib.auth import get_user_model
from django.db import transaction

from accounts.people.telling import notify_person
from games.matches.attendance import AWAY_AFTER, Sign, attendance, last_seen
from games.matches.leaving_records import leaving_record
from games.matches.models import Match, Seat
from games.matches.services.sitting import Sitting


def note_leaving(sitting: Sitting, seats: Sequence[Seat], moment: datetime, *, how: Seat.Exit) -> None:
    """These players are about to leave. It counts where others still play, unless it is fair play.

    Resigning is; and so is to run out of time at the board.
    """
    if how == Seat.Exit.RESIGNED or not _are_others(sitting):
        return
    people = [seat for seat in seats if seat.is_present]  # not those whose account is gone
    _note(sitting, _who_was_away(sitting, people, moment) if how == Seat.Exit.FLAGGED else people, moment)


def note_calling_off(sitting: Sitting, seat: Seat, moment: datetime) -> None:
    """This player is about to call the match off. It counts unless, live, somebody did not come or went away."""
    if sitting.match.pace == Match.Pace.LIVE and _somebody_is_away(sitting, seat, moment):
        return
    if _are_others(sitting):
        _note(sitting, [seat], moment)


def forgive_leaving(sitting: Sitting, seat: Seat, moment: datetime) -> None:
    """This player is back: what was noted of their leaving counts no more."""
    if seat.abandoned_at is not None:
        seat.abandoned_at = None
        sitting.keep(seat)
        _weigh_on_commit([seat], moment)


def weigh_again(sitting: Sitting, moment: datetime) -> None:
    """What has been noted in this match may count no more, or count again: reckon anew once that is committed."""
    _weigh_on_commit([seat for seat in sitting.seats if seat.abandoned_at is not None], moment)


def weigh_leaving(*, user_id: int, moment: datetime) -> None:
    """Let rated play pause for this person as long as what they have left comes to, and tell them once a pause.

    Done twice it is the same. Call it while no match is locked.
    """
    with transaction.atomic():
        user = get_user_model().objects.select_for_update(no_key=True).filter(pk=user_id).first()
        if user is None:
            return
        account = leaving_record(user=user, moment=moment).account
        before, until = user.rated_pause_until, account.paused_until
        if until == before:
            return
        user.rated_pause_until = until
        user.save(update_fields=["rated_pause_until"])
        if until is not None and (before is None or before < until):
            said = {"until": until.isoformat(), "count": account.count}
            notify_person(user=user, code="rated-pause", params=said, moment=moment)


def _are_others(sitting: Sitting) -> bool:
    """Whether more than one person plays: whoever leaves bots and stand-ins leaves nobody alone."""
    return sum(seat.is_present for seat in sitting.seats) > 1


def _who_was_away(sitting: Sitting, seats: Iterable[Seat], moment: datetime) -> list[Seat]:
    """Of those whose time has run out: who never moved, or was not there, live at the end, by turns all that turn."""
    match = sitting.match
    seen = last_seen(match=match, seats=sitting.seats)
    live = match.pace == Match.Pace.LIVE

    def was_away(seat: Seat) -> bool:
        turn_began = match.moment_of(seat.clock_since or 0)
        return seen[seat.index] + AWAY_AFTER <= moment if live else seen[seat.index] < turn_began

    return [seat for seat in seats if not seat.has_moved or was_away(seat)]


def _somebody_is_away(sitting: Sitting, seat: Seat, moment: datetime) -> bool:
    seen = last_seen(match=sitting.match, seats=sitting.seats)
    signs = attendance(sitting.match, sitting.seats, seen, moment).signs
    return any(sign != Sign.HERE for index, sign in signs.items() if index != seat.index)


def _note(sitting: Sitting, seats: Sequence[Seat], moment: datetime) -> None:
    for seat in seats:
        seat.abandoned_at = moment
        sitting.keep(seat)
    _weigh_on_commit(seats, moment)


def _weigh_on_commit(seats: Iterable[Seat], moment: datetime) -> None:
    for user_id in sorted(seat.user_id for seat in seats if seat.user_id is not None):
        # Found wanting, it is reckoned with the next one: what is noted stands.
        transaction.on_commit(partial(weigh_leaving, user_id=user_id, moment=moment), robust=True)
