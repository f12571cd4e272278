"""Whether a match may be played once more: the conditions, the same for pages and services. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from games.matches.models import Match, Seat

REMATCH_WITHIN = timedelta(days=1)
"""After so long an offer is gone: who would still play opens a table and invites the others."""


def players_of(seats: Iterable[Seat]) -> list[Seat]:
    """The seats of people, also of those who have left before the end."""
    return [seat for seat in seats if seat.kind != Seat.Kind.BOT]


def may_rematch(match: Match, seats: Sequence[Seat], moment: datetime) -> bool:
    """Whether its people may still agree to a rematch. Against bots alone there is nobody to wait for, at any time."""
    if match.status not in (Match.Status.OVER, Match.Status.CLOSED) or match.started_at is None:
        return False
    if len(players_of(seats)) == 1:
        return True
    return match.finished_at is not None and moment < match.finished_at + REMATCH_WITHIN
