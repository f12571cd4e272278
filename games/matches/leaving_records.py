"""The reading side of leavers: what somebody has abandoned of late, and what it comes to. For them and moderators."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from games.matches.leavers import KNOWN_FOR, NOTHING, Abandonment, Account, settle_account, weight_of
from games.matches.models import VOIDED, Match, Seat

if TYPE_CHECKING:
    from accounts.people.models import User

_PLAYED_ON = (Seat.Result.WON, Seat.Result.SHARED, Seat.Result.LOST)


@dataclass(frozen=True)
class LeavingRecord:
    """How somebody stands, and the seats they have abandoned in the last weeks, the newest first, with their matches.

    How each was abandoned stands at the seat: `exit`, or `cancelled`. Of the matches the positions are not loaded.
    """

    account: Account
    seats: tuple[Seat, ...]


def leaving_record(*, user: User, moment: datetime) -> LeavingRecord:
    """What this person has abandoned, and what it comes to at that moment. One query, or two."""
    left = Seat.objects.filter(user=user, abandoned_at__isnull=False, abandoned_at__gt=moment - KNOWN_FOR)
    # Looked at anew each time: a match that is voided later is none that anybody has left.
    counting = left.exclude(match__reason=VOIDED).select_related("match").defer("match__position", "match__deal")
    seats = list(counting.order_by("-abandoned_at"))
    abandonments = [_abandonment(seat) for seat in seats]
    if not abandonments:
        return LeavingRecord(account=NOTHING, seats=())
    # Of two that happen at the same moment the later one may be stored first: it counts for whoever comes second.
    moment = max(moment, abandonments[0].at)
    finished = _rated_finishes(user, abandonments[-1].at)
    return LeavingRecord(account=settle_account(abandonments, finished, moment), seats=tuple(seats))


def _abandonment(seat: Seat) -> Abandonment:
    assert seat.abandoned_at is not None
    by_turns = seat.match.pace == Match.Pace.TURNS
    weight = weight_of(called_off=seat.cancelled, by_turns=by_turns, rated=seat.match.rated)
    return Abandonment(seat.abandoned_at, weight)


def _rated_finishes(user: User, since: datetime) -> list[datetime]:
    """When the rated matches since then ended in which the person stayed and that have a result."""
    ended = Seat.objects.filter(user=user, finished_at__isnull=False, finished_at__gt=since, rated=True)
    stayed = ended.filter(result__in=_PLAYED_ON, left_order=None, exit="")
    return [moment for moment in stayed.order_by().values_list("finished_at", flat=True) if moment is not None]
