"""Rematches: all who have played agree, and exactly one new match comes of it, everybody one seat further round.

It has the same game, options, pace, clock and company. Its seats are as they are: who sat on the second is on the first
now. By turns, and live where all have just agreed, it begins at once. In real time, and live where somebody's word is
older than `FRESH`, it is a table at which all have their seats, and that waits until they are there and ready.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from accounts.people.selectors import may_sit_together
from games.matches.callers import Caller
from games.matches.errors import NoRatedPlay, NoRematch, TooMany
from games.matches.models import Match, Seat
from games.matches.rematches import REMATCH_WITHIN, may_rematch, players_of
from games.matches.services import admission, tables
from games.matches.services.outages import counted
from games.matches.services.sitting import Sitting, locked_match

if TYPE_CHECKING:
    from accounts.people.models import User

FRESH = timedelta(minutes=2)
"""Whoever agreed so long ago may have gone away since: no live clock starts without them."""


def offer_rematch(*, slug: str, caller: Caller, wanted: bool, moment: datetime) -> str | None:
    """Say, or take back, that one would play once more; the slug of the rematch once there is one.

    When it is there already, pressed late or twice, that one is it. Raises `NoRatedPlay`, `NoRematch`, `NotSeated`,
    `TooMany`.
    """
    with locked_match(slug=slug, caller=caller) as sitting:
        seat = sitting.seat_held_by(caller)
        # Under the lock: of all who press at once only the last finds everybody agreed, and nobody finds it twice.
        existing = Match.objects.filter(rematch_of=sitting.match).values_list("slug", flat=True).first()
        if existing is not None:
            return existing
        moment = counted(moment)
        _require_chance(sitting, moment)
        if wanted and sitting.match.rated:
            # Said at once to whom it concerns: the others learn nothing of it.
            admission.require_rated_play(caller.require_user(), moment)
        if (seat.wants_rematch_at is not None) != wanted:
            seat.wants_rematch_at = moment if wanted else None
            sitting.keep(seat)
            sitting.touch(sitting.match.touched_at)
        elif wanted:
            # Said again it counts from now.
            seat.wants_rematch_at = moment
            sitting.keep(seat)
        if wanted and all(other.wants_rematch_at is not None for other in players_of(sitting.seats)):
            return _begin(sitting, caller, moment)
    return None


def _require_chance(sitting: Sitting, moment: datetime) -> None:
    match, players = sitting.match, players_of(sitting.seats)
    if not may_rematch(match, sitting.seats, moment):
        finished = match.finished_at
        late = finished is not None and moment >= finished + REMATCH_WITHIN
        raise NoRematch(what="late" if late else "running")
    for seat in players:
        if seat.user is None or not seat.user.is_active or seat.user.is_barred(moment):
            raise NoRematch(what="gone", name=seat.shown_name)
    # Each with each: somebody may have been blocked by another since both have agreed.
    ids = [seat.user_id for seat in players]
    if not all(may_sit_together(user=seat.user, others=ids) for seat in players if seat.user is not None):
        raise NoRematch(what="apart")


def _require_time_of_others(sitting: Sitting, host: User, moment: datetime) -> None:
    """That the others may sit down at it as well. Raises `NoRematch`."""
    for seat in players_of(sitting.seats):
        if seat.user is not None and seat.user != host:
            try:
                admission.require_time_for_more(seat.user)
                if sitting.match.rated:
                    admission.require_rated_play(seat.user, moment)
            except TooMany:
                raise NoRematch(what="busy", name=seat.shown_name) from None
            except NoRatedPlay:
                # Why is theirs to know.
                raise NoRematch(what="unrated", name=seat.shown_name) from None


def _begin(sitting: Sitting, caller: Caller, moment: datetime) -> str:
    """The new match: begun, or waiting with everybody on their seat."""
    match, host = sitting.match, caller.require_user()
    _require_time_of_others(sitting, host, moment)
    admission.require_room_for_more(host, moment)
    new = Match(
        game_slug=match.game_slug,
        options=tables.complete_options(match.game, match.options, match.seat_count),
        seat_count=match.seat_count,
        host=host,
        public=match.public,
        pace=match.pace,
        seating=Match.Seating.ARRANGED,
        rated=match.rated,
        bot_takes_over=match.bot_takes_over,
        clock_main=match.clock_main,
        clock_increment=match.clock_increment,
        created_at=moment,
        touched_at=moment,
        rematch_of=match,
    )
    new.due_at = tables.idle_at(new)
    new.save()
    # Nobody else knows of the row yet, so there is nothing to lock.
    seats = Seat.objects.bulk_create(_rotated(new, sitting.seats, moment))
    begun = Sitting(new, seats)
    begun.touch(moment, in_lobby=True)
    if _starts_at_once(match, sitting.seats, moment):
        tables.start_match(begun, moment)
    begun.save()
    sitting.touch(match.touched_at)
    return new.slug


def _rotated(new: Match, seats: Sequence[Seat], moment: datetime) -> list[Seat]:
    """Who sits where: everybody one seat nearer to the first, and who had the first on the last."""
    rows = []
    for index in range(len(seats)):
        before = seats[(index + 1) % len(seats)]
        is_bot = before.kind == Seat.Kind.BOT
        rows.append(
            Seat(
                match=new,
                index=index,
                kind=Seat.Kind.BOT if is_bot else Seat.Kind.PERSON,
                level=before.level if is_bot else "",
                user=None if is_bot else before.user,
                # In real time everybody says so anew, there: who sees the table is not at the old match any more.
                ready=is_bot or (not new.in_real_time and _is_fresh(before, moment)),
            )
        )
    return rows


def _starts_at_once(match: Match, seats: Sequence[Seat], moment: datetime) -> bool:
    if match.in_real_time:
        return False
    return match.pace == Match.Pace.TURNS or all(_is_fresh(seat, moment) for seat in players_of(seats))


def _is_fresh(seat: Seat, moment: datetime) -> bool:
    return seat.wants_rematch_at is not None and seat.wants_rematch_at > moment - FRESH
