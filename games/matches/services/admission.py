"""What one person may open and sit down at: limits on tables and matches, and who may play rated."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model

from accounts.people.selectors import PAUSED, UNCONFIRMED, rated_obstacle
from games.matches import newcomers
from games.matches.errors import AddressUnconfirmed, RatedPaused, TooMany
from games.matches.models import Match, Seat

if TYPE_CHECKING:
    from accounts.people.models import User

MAX_OPEN_TABLES = 10
"""A host's tables that wait at the same time."""
MAX_RUNNING = 200
"""Running matches of one person; who has so many sits down nowhere else until some have ended."""
MAX_OPENED_AN_HOUR = 60
"""Tables and matches that one person opens; what is opened stays stored for ever."""

_RATED_REFUSALS = {UNCONFIRMED: AddressUnconfirmed, PAUSED: RatedPaused}


def lock_person(user: User) -> None:
    """Let other acts that count this person's matches wait until this one is done."""
    list(get_user_model().objects.select_for_update(no_key=True).filter(pk=user.pk).values_list("pk"))


def require_room_for_more(host: User, moment: datetime) -> None:
    """That this person may open one more table or match; others that ask the same wait. Raises `TooMany`."""
    lock_person(host)
    waiting = Match.objects.filter(host=host, status=Match.Status.TABLE).count()
    if waiting >= MAX_OPEN_TABLES:
        raise TooMany(what="tables")
    if waiting >= newcomers.MAX_OPEN_TABLES and newcomers.is_newcomer(user=host, moment=moment):
        raise TooMany(what="tables-new")
    if Match.objects.filter(host=host, created_at__gt=moment - timedelta(hours=1)).count() >= MAX_OPENED_AN_HOUR:
        raise TooMany(what="hour")
    require_time_for_more(host)


def require_rated_play(user: User, moment: datetime) -> None:
    """That this person may sit down to a rated match. Raises `NoRatedPlay`."""
    # A socket knows the person as they were a while ago.
    user.refresh_from_db(fields=["rated_pause_until"])
    obstacle = rated_obstacle(user=user, moment=moment)
    if obstacle is not None:
        raise _RATED_REFUSALS[obstacle]


def require_time_for_more(user: User) -> None:
    """That this person may sit down at one more match. Raises `TooMany`."""
    own = Seat.objects.filter(user=user, kind=Seat.Kind.PERSON, match__status=Match.Status.RUNNING)
    if own.count() >= MAX_RUNNING:
        raise TooMany(what="matches")
