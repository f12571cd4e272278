"""The players' clocks in games played by turns: they run in match time, and whoever has none left is flagged."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from games.matches.models import Match, Seat
from games.matches.selectors import vacation_ends

if TYPE_CHECKING:
    from games.matches.services.sitting import Sitting

SECOND, MINUTE = 1000, 60_000
HOUR, DAY = 60 * MINUTE, 24 * 60 * MINUTE


class TimeLimit(NamedTuple):
    """The time a table gives, in ms: live `main` for the whole match and `increment` for each move, by turns `main`
    for each move. Without `main` there is no clock."""

    main: int | None
    increment: int = 0


NO_CLOCK = TimeLimit(None)

LIMITS: dict[str, tuple[TimeLimit, ...]] = {
    Match.Pace.LIVE: (
        TimeLimit(5 * MINUTE, 5 * SECOND),
        TimeLimit(10 * MINUTE, 10 * SECOND),
        TimeLimit(20 * MINUTE, 20 * SECOND),
        TimeLimit(45 * MINUTE, 30 * SECOND),
    ),
    Match.Pace.TURNS: tuple(TimeLimit(days * DAY) for days in (1, 3, 7)),
}
"""What a table may give, by its pace."""

USUAL_LIMITS: dict[str, TimeLimit] = {
    Match.Pace.LIVE: TimeLimit(20 * MINUTE, 20 * SECOND),
    Match.Pace.TURNS: TimeLimit(3 * DAY),
}
"""What is offered first: time to think, and an end for a match that somebody walks away from."""

NOT_STOPPED_WITHIN = HOUR
"""A vacation stops no clock that has less than that left: it is no way out of a turn that is all but lost."""


def set_clocks(sitting: Sitting) -> None:
    """Give every player the time of the table, before the first move. Bots have no clock: their time is ours."""
    for seat in sitting.seats:
        seat.clock_left = sitting.match.clock_main if seat.kind == Seat.Kind.PERSON else None


def run_clocks(sitting: Sitting, at: int) -> None:
    """From that match time on the clocks of those run whose turn it is and who are not on vacation, and no others."""
    if sitting.match.clock_main is None:
        return
    for seat in sitting.seats:
        if seat.clock_left is None or seat.left_order is not None:
            continue
        stands_still = seat.away_until is not None and seat.time_left(at) >= NOT_STOPPED_WITHIN
        runs = seat.index in sitting.match.to_move and not stands_still
        if runs and seat.clock_since is None:
            seat.clock_since = at
            sitting.keep(seat)
        elif not runs and seat.clock_since is not None:
            stop_clock(seat, at)
            sitting.keep(seat)


def stop_clock(seat: Seat, at: int) -> None:
    """The clock stands still from that match time on, with what is left then."""
    if seat.clock_since is not None:
        seat.clock_left, seat.clock_since = seat.time_left(at), None


def spend_time(match: Match, seat: Seat, at: int, *, earns: bool) -> None:
    """The seat has moved: its clock stops. Live the time added for a move comes in, by turns the time for the next."""
    if seat.clock_left is None or seat.left_order is not None:
        return
    stop_clock(seat, at)
    if match.pace == Match.Pace.TURNS:
        seat.clock_left = match.clock_main
    elif earns:
        seat.clock_left += match.clock_increment


def flagged_seats(sitting: Sitting, at: int) -> list[Seat]:
    """Seats whose clock has run out by that match time."""
    return [seat for seat in sitting.seats if seat.flags_at is not None and seat.flags_at <= at]


# Vacations


def follow_vacations(sitting: Sitting, moment: datetime) -> None:
    """Note at each seat whether its player is on vacation at that moment.

    Read under the match's lock and after every change, so that it does not matter which of several acts came first;
    and when a vacation was to end.
    """
    match = sitting.match
    if match.pace != Match.Pace.TURNS:
        return
    present = [seat.user_id for seat in sitting.seats if seat.is_present and seat.user_id is not None]
    ends = vacation_ends(user_ids=present, moment=moment)
    for seat in sitting.seats:
        ends_at = ends.get(seat.user_id) if seat.is_present and seat.user_id is not None else None
        away_until = match.first_at(ends_at) if ends_at is not None else None
        if away_until != seat.away_until:
            seat.away_until = away_until
            sitting.keep(seat)
            # Others see it; but nothing has been played, and lists keep their order.
            sitting.touch(match.touched_at)
