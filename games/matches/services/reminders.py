"""Mails to those whose turn it is and who are away: noted who is there, found out what is due, sent, and kept in mind.

Any number of keepers may do it: a person is taken under the lock of their row, and the mail goes outside of any
transaction, since a mail server may be slow.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Prefetch, Q, Subquery

from games.contract.registry import all_games
from games.matches import metrics
from games.matches.mails import Waiting, send_turns
from games.matches.models import Match, Reminder, Seat, TurnNotice
from games.matches.turn_times import MAIL_AFTER, WARN_AT, Known, Turn, is_warning, next_mail

if TYPE_CHECKING:
    from accounts.people.models import User

logger = logging.getLogger(__name__)

AT_ONCE = 200
"""Matches, and people, looked at in one go."""

TAKEN_FOR = timedelta(minutes=5)
"""A mail that a keeper has begun to send is its own for so long; if it died meanwhile, another one sends it."""

TRY_AGAIN_AFTER = timedelta(minutes=5)
"""A mail that did not go is tried again then, and each time after twice as long."""

MOST_TRIES = 6

LOOK_AGAIN_AFTER = timedelta(hours=1)
"""Who is on vacation may come back before it ends."""


@dataclass(frozen=True)
class Letter:
    """A mail to be sent: to whom, and which turns it tells of."""

    reminder: Reminder
    seats: Sequence[Seat]
    warning: bool


def note_visit(*, user: User, moment: datetime) -> None:
    """The person is at a page of the house, whichever."""
    Reminder.objects.bulk_create(
        [Reminder(user=user, seen_at=moment)],
        update_conflicts=True,
        unique_fields=["user"],
        update_fields=["seen_at"],
    )


def gather_turns(*, moment: datetime) -> int:
    """Look for turns that began `MAIL_AFTER` ago, or before, and were not looked at yet; how many there are.

    Found by the last change of a match, for which there is an index: one that is no move defers the mail by as much.
    """
    by_turns = [game.slug for game in all_games() if not game.info.real_time]
    noted = TurnNotice.objects.filter(seat__match=OuterRef("pk"), ply=OuterRef("ply"))
    people = Seat.objects.filter(kind=Seat.Kind.PERSON, user__isnull=False)
    late = Match.objects.filter(
        ~Exists(noted), status=Match.Status.RUNNING, game_slug__in=by_turns, touched_at__lte=moment - MAIL_AFTER
    )
    listed = late.order_by("touched_at", "pk").only("ply", "to_move").prefetch_related(Prefetch("seats", people))
    waiting: list[tuple[Match, Seat]] = []
    # Matches in which it is the turn of an account that is gone are never noted, and must not hide the others.
    for begin in count(0, AT_ONCE):
        found = list(listed[begin : begin + AT_ONCE])
        waiting = [(match, seat) for match in found for seat in match.seats.all() if seat.index in match.to_move]
        if waiting or len(found) < AT_ONCE:
            break
    if not waiting:
        return 0
    with transaction.atomic():
        # In one order everywhere, people before seats, so that keepers wait for each other and not in a ring.
        Reminder.objects.bulk_create(
            [Reminder(user_id=pk, due_at=moment) for pk in sorted({seat.user_id or 0 for _, seat in waiting})],
            update_conflicts=True,
            unique_fields=["user"],
            update_fields=["due_at"],
        )
        waiting.sort(key=lambda pair: pair[1].pk)
        notices = [TurnNotice(seat=seat, ply=match.ply) for match, seat in waiting]
        TurnNotice.objects.bulk_create(notices, ignore_conflicts=True)
        # What another keeper has noted, and perhaps told, since we looked stays so.
        now = Seat.objects.filter(pk=OuterRef("seat")).values("match__ply")[:1]
        others = TurnNotice.objects.filter(seat__in=[seat.pk for _, seat in waiting])
        others.exclude(ply=F("seat__match__ply")).update(ply=Subquery(now), told=False, warned=False)
    return len(waiting)


def send_reminders(*, moment: datetime) -> int:
    """Send what is due at that moment, each mail once; how many went. One that does not go is tried again later."""
    due = Reminder.objects.filter(_is_free(moment), due_at__lte=moment).order_by("due_at")
    sent = 0
    for pk in list(due.values_list("pk", flat=True)[:AT_ONCE]):
        letter = _take(pk, moment)
        if letter is None:
            continue
        user = letter.reminder.user
        try:
            turns = [_waiting(seat, moment) for seat in letter.seats]
            send_turns(user=user, language=user.language, turns=turns, warning=letter.warning)
        except Exception:
            logger.exception("a mail to person %s did not go", user.pk)
            metrics.TURN_MAILS.labels("failed").inc()
            _put_off(letter, moment)
        else:
            metrics.TURN_MAILS.labels("sent").inc()
            _note_sent(letter, moment)
            sent += 1
    return sent


def _is_free(moment: datetime) -> Q:
    return Q(taken_until=None) | Q(taken_until__lte=moment)


def _take(pk: int, moment: datetime) -> Letter | None:
    """The mail that is due to that person, which is this keeper's to send now; None if none is after all."""
    with transaction.atomic():
        free = Reminder.objects.select_for_update(skip_locked=True, of=("self",)).select_related("user")
        reminder = free.filter(_is_free(moment), pk=pk, due_at__lte=moment).first()
        if reminder is None:
            return None  # another keeper was here first
        seats = _seats_to_move(reminder)
        due_at = _next_look(reminder, seats, moment)
        if due_at is None or due_at > moment:
            reminder.due_at = due_at
            reminder.save(update_fields=["due_at"])
            return None
        reminder.taken_until = moment + TAKEN_FOR
        reminder.save(update_fields=["taken_until"])
        here = [seat for seat in seats if seat.away_until is None]
        return Letter(reminder, here, is_warning(map(_turn, here), _known(reminder), moment))


def _note_sent(letter: Letter, moment: datetime) -> None:
    """The mail has gone: all that stood in it has been told."""
    with transaction.atomic():
        reminder = Reminder.objects.select_for_update().select_related("user").get(pk=letter.reminder.pk)
        if letter.warning:
            reminder.warned_at = moment
        else:
            reminder.mailed_at = moment
        _note_told(letter.seats, moment)
        _give_back(reminder, moment)


def _put_off(letter: Letter, moment: datetime) -> None:
    """The mail did not go: it is tried again, less and less often, and then given up for the turns it tells of."""
    with transaction.atomic():
        reminder = Reminder.objects.select_for_update().select_related("user").get(pk=letter.reminder.pk)
        if reminder.failures + 1 >= MOST_TRIES:
            _note_told(letter.seats, moment)
            _give_back(reminder, moment)
            return
        reminder.due_at = moment + TRY_AGAIN_AFTER * 2**reminder.failures
        reminder.failures += 1
        # Turns that begin meanwhile are no reason to try sooner.
        reminder.taken_until = reminder.due_at
        reminder.save(update_fields=["due_at", "taken_until", "failures"])


def _give_back(reminder: Reminder, moment: datetime) -> None:
    reminder.taken_until, reminder.failures = None, 0
    reminder.due_at = _next_look(reminder, _seats_to_move(reminder), moment)
    reminder.save(update_fields=["mailed_at", "warned_at", "taken_until", "failures", "due_at"])


def _note_told(seats: Sequence[Seat], moment: datetime) -> None:
    for seat in seats:
        warn_from = _turn(seat).warn_from
        warned = warn_from is not None and warn_from <= moment
        told = {"ply": seat.match.ply, "told": True, "warned": warned}
        TurnNotice.objects.update_or_create(seat=seat, defaults=told)


def _seats_to_move(reminder: Reminder) -> list[Seat]:
    """The person's seats whose turn it is, with their matches; none if they want no mails, or can get none."""
    user = reminder.user
    if not (user.is_active and user.mail_turns and user.email):
        return []
    by_turns = [game.slug for game in all_games() if not game.info.real_time]
    seats = Seat.objects.filter(
        user=user, kind=Seat.Kind.PERSON, match__status=Match.Status.RUNNING, match__game_slug__in=by_turns
    )
    people = Prefetch("match__seats", Seat.objects.select_related("user"))
    found = seats.select_related("match", "notice").defer("match__position", "match__deal").prefetch_related(people)
    return [seat for seat in found.order_by("match_id") if seat.index in seat.match.to_move]


def _next_look(reminder: Reminder, seats: Sequence[Seat], moment: datetime) -> datetime | None:
    here = [seat for seat in seats if seat.away_until is None]
    due_at = next_mail(map(_turn, here), _known(reminder))
    if len(here) == len(seats):
        return due_at
    return min(filter(None, (due_at, moment + LOOK_AGAIN_AFTER)))


def _known(reminder: Reminder) -> Known:
    return Known(seen_at=reminder.seen_at, mailed_at=reminder.mailed_at, warned_at=reminder.warned_at)


def _turn(seat: Seat) -> Turn:
    match = seat.match
    notice: TurnNotice | None = getattr(seat, "notice", None)
    is_of_this = notice is not None and notice.ply == match.ply
    warn_from = None
    if match.pace == Match.Pace.TURNS and match.clock_main is not None and seat.flags_at is not None:
        warn_from = match.moment_of(seat.flags_at - match.clock_main // WARN_AT)
    return Turn(
        since=match.moment_of(match.reached),
        warn_from=warn_from,
        told=is_of_this and notice is not None and notice.told,
        warned=is_of_this and notice is not None and notice.warned,
    )


def _waiting(seat: Seat, moment: datetime) -> Waiting:
    match = seat.match
    left = seat.time_left(match.milliseconds(moment)) if seat.flags_at is not None else None
    others = [other for other in match.seats.all() if other.index != seat.index]
    since = max(timedelta(0), moment - match.moment_of(match.reached))
    return Waiting(match=match, others=others, since=since, left=left)
