"""Somebody leaves the house: out of every match and from every table, by a moderator's word or their own."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Q

from games.matches.callers import Caller
from games.matches.errors import Refused
from games.matches.models import Invitation, Match, Seat
from games.matches.services import play, tables
from games.matches.services.sitting import locked_match

if TYPE_CHECKING:
    from accounts.people.models import User


def resign_everywhere(*, user: User, moment: datetime) -> None:
    """Resign all running matches, close the tables that the person hosts, get up from others, take back invitations.

    Each match in a transaction of its own: call it outside of any, after what caused it is committed, or the locks of
    all these matches would be held at once. Done twice it is the same, so what was interrupted is begun again.
    Of matches that are over nothing changes, but that the person would play once more.
    """
    caller = Caller(user)
    for slug in list(_hosted(user)):
        with suppress(Refused):  # it has begun or was closed meanwhile
            tables.close_table(slug=slug, caller=caller, moment=moment)
    for slug in list(_seated(user, Match.Status.TABLE)):
        with suppress(Refused):
            tables.leave_table(slug=slug, caller=caller, moment=moment)
    # After the tables: one that has begun at this very moment is a match by now.
    for slug in list(_seated(user, Match.Status.RUNNING)):
        with suppress(Refused):
            play.resign(slug=slug, caller=caller, moment=moment)
    for slug in list(_invited(user)):
        with suppress(Refused):
            _withdraw(slug, user)
    for slug in list(_offering(user)):
        with suppress(Refused):
            _play_no_more(slug, user)


def _hosted(user: User) -> Iterable[str]:
    return Match.objects.filter(host=user, status=Match.Status.TABLE).values_list("slug", flat=True)


def _seated(user: User, status: Match.Status) -> Iterable[str]:
    own = Seat.objects.filter(user=user, kind=Seat.Kind.PERSON, match__status=status)
    return own.order_by("match_id").values_list("match__slug", flat=True)


def _invited(user: User) -> Iterable[str]:
    waiting = Invitation.objects.filter(Q(user=user) | Q(inviter=user), state=Invitation.State.OPEN)
    return waiting.filter(match__status=Match.Status.TABLE).values_list("match__slug", flat=True).distinct()


def _offering(user: User) -> Iterable[str]:
    return Seat.objects.filter(user=user, wants_rematch_at__isnull=False).values_list("match__slug", flat=True)


def _withdraw(slug: str, user: User) -> None:
    """Nobody waits for an answer any more, neither this person's nor to them."""
    with locked_match(slug=slug) as sitting:
        waiting = Invitation.objects.filter(Q(user=user) | Q(inviter=user), match=sitting.match)
        waiting = waiting.filter(state=Invitation.State.OPEN)
        for user_id in waiting.values_list("user_id", flat=True):
            sitting.tell(user_id)
        waiting.delete()
        sitting.touch(sitting.match.touched_at)


def _play_no_more(slug: str, user: User) -> None:
    with locked_match(slug=slug) as sitting:
        for seat in sitting.seats:
            if seat.user_id == user.pk and seat.wants_rematch_at is not None:
                seat.wants_rematch_at = None
                sitting.keep(seat)
                sitting.touch(sitting.match.touched_at)
