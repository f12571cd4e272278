"""Who may read and write what in the chat of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.matches import clock
from games.matches.callers import Caller
from games.matches.models import Match, Seat
from games.matches.talk import Room


@dataclass(frozen=True, slots=True)
class Rights:
    """The rooms that somebody may read, and the one in which they may write (None: in none).

    Who is `muted` would have that room, and may not write for a while.
    """

    reads: tuple[Room, ...] = ()
    writes: Room | None = None
    muted: bool = False

    @property
    def writes_now(self) -> str:
        """The room in which they may write as things stand; "" for none."""
        return "" if self.muted or self.writes is None else self.writes.value


NONE = Rights()


def chat_rights(*, status: str, may_see: bool, member: bool, plays: bool) -> Rights:
    """What one person may do at a match of that status.

    `may_see` says whether they may know of the match, `member` whether they are logged in, `plays` whether they count
    among its players. Until the end each reads the own room alone: neither may players be told what others see, nor
    may all hear what players agree on. After it both lie open to all who may see the match. Guests only read.
    """
    if not may_see:
        return NONE
    own = Room.PLAYERS if plays else Room.SPECTATORS
    if status in (Match.Status.TABLE, Match.Status.RUNNING):
        return Rights(reads=(own,), writes=own if member else None)
    talks = member and status == Match.Status.OVER
    return Rights(reads=(Room.PLAYERS, Room.SPECTATORS), writes=own if talks else None)


def rights_at(match: Match, seats: Sequence[Seat], caller: Caller) -> Rights:
    """The caller's rights at this match.

    Who has left a running match looks on from then on; once it is over all who sat there are its players again.
    """
    if not _has_company(match, seats):
        return NONE
    user = caller.user
    own = next((seat for seat in seats if user is not None and seat.user_id == user.pk), None)
    begun_and_not_over = match.status == Match.Status.RUNNING
    rights = chat_rights(
        status=match.status,
        may_see=caller.may_see(match, seats),
        member=user is not None,
        plays=own is not None and (own.is_present or not begun_and_not_over),
    )
    is_muted = user is not None and user.is_muted(clock.now())
    return replace(rights, muted=is_muted and rights.writes is not None)


def _has_company(match: Match, seats: Sequence[Seat]) -> bool:
    """Whether there can be anybody to talk with: not for who plays in private against bots, or alone."""
    if match.public or match.status == Match.Status.TABLE:
        return match.seat_count > 1
    return sum(seat.user_id is not None for seat in seats) > 1
