"""Who is at a running match, as the others see it, and for whom they need not wait any longer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property

from games.matches import rows
from games.matches.models import Match, Move, Outage, Presence, Seat

AWAY_AFTER = timedelta(seconds=45)
"""Who was seen at a match that long ago, and not since, is away."""

GONE_AFTER = timedelta(minutes=5)
"""In a live match: who has not been seen for so long has gone."""

GRACE = (timedelta(seconds=30), timedelta(minutes=3))
"""How long the others wait for who is away, at least and at the most; in between a tenth of the clock."""

REAL_TIME_GRACE = timedelta(minutes=1)
"""The same where there are rounds instead of a clock."""


class Sign(StrEnum):
    HERE = "here"
    AWAY = "away"
    GONE = "gone"


@dataclass(frozen=True)
class Attendance:
    """The people of a running match at one moment: by seat the sign of each who still plays it, and the seats that the
    others need not wait for any longer. `changes_at` is when time alone changes that next."""

    signs: Mapping[int, Sign]
    absent: tuple[int, ...] = ()
    changes_at: datetime | None = None

    @cached_property
    def key(self) -> str:
        """Text that differs exactly when what is shown differs."""
        return "".join(f"{seat}{sign[0]}{'!' if seat in self.absent else ''}" for seat, sign in self.signs.items())


NOBODY = Attendance({})
"""Of a match that does not run, or is played alone: there is nobody to wait for."""


def grace(match: Match) -> timedelta | None:
    """How long the others wait for somebody who is away; None by turns, where nobody has to be there."""
    if match.pace != Match.Pace.LIVE:
        return None
    if match.in_real_time:
        return REAL_TIME_GRACE
    least, most = GRACE
    if match.clock_main is None:
        return most
    return min(max(timedelta(milliseconds=match.clock_main) / 10, least), most)


def attendance(match: Match, seats: Iterable[Seat], seen: Mapping[int, datetime], moment: datetime) -> Attendance:
    """What is to be shown then; `seen` says by seat when its player was last seen, as `last_seen` gives it."""
    if match.status != Match.Status.RUNNING or match.seat_count == 1:
        return NOBODY
    live, patience = match.pace == Match.Pace.LIVE, grace(match)
    signs: dict[int, Sign] = {}
    absent: list[int] = []
    changes: list[datetime] = []
    for seat in seats:
        if not seat.is_present or seat.index not in seen:
            continue
        away_at = seen[seat.index] + AWAY_AFTER
        gone_at = seen[seat.index] + GONE_AFTER if live else None
        given_up_at = away_at + patience if patience is not None else None
        if moment < away_at:
            signs[seat.index] = Sign.HERE
        else:
            signs[seat.index] = Sign.GONE if gone_at is not None and moment >= gone_at else Sign.AWAY
        if given_up_at is not None and moment >= given_up_at:
            absent.append(seat.index)
        changes += [change for change in (away_at, gone_at, given_up_at) if change is not None and change > moment]
    return Attendance(signs, tuple(absent), min(changes, default=None))


def last_seen(*, match: Match, seats: Iterable[Seat]) -> dict[int, datetime]:
    """By seat that its own person plays, when they were last seen; at the earliest when the match began, and when the
    house last opened again, since nobody could be there before.

    A move is a sign of its player, too, except in real time, where others must not notice that a claim waits.
    """
    if match.status != Match.Status.RUNNING or match.started_at is None:
        return {}
    moves_count = match.pace == Match.Pace.LIVE and not match.in_real_time
    with rows.one_trip():
        at_pages = rows.ask(rows.selection(Presence, "WHERE match_id = %s"), [match.pk])
        last_outage = rows.ask(rows.selection(Outage, "ORDER BY ended_at DESC LIMIT 1"), [])
        last_moves = rows.ask(_LAST_MOVES, [match.pk, Seat.Kind.PERSON.value]) if moves_count else None
    pages = {one.user_id: one.last_seen for one in rows.rows_of(Presence, at_pages)}
    earliest = max([match.started_at, *(one.ended_at for one in rows.rows_of(Outage, last_outage))])
    moved: dict[int, int] = dict(last_moves.fetchall()) if last_moves is not None else {}
    found: dict[int, datetime] = {}
    for seat in seats:
        if seat.is_present and seat.user_id is not None:
            signs = [earliest, pages.get(seat.user_id, earliest)]
            if seat.index in moved:
                signs.append(match.moment_of(moved[seat.index]))
            found[seat.index] = max(signs)
    return found


_LAST_MOVES = f"SELECT seat, MAX(at) FROM {Move._meta.db_table} WHERE match_id = %s AND kind = %s GROUP BY seat"  # noqa: S608
