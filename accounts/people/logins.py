"""Where a person is logged in: the list of it, and ending what should not go on.

allauth keeps a row for each session. Whoever ends sessions says so (`announce_person_on_commit`), and the sockets of
that person look whether they may stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.http import HttpRequest

from accounts.people.announcer import announce_person_on_commit
from accounts.people.browsers import browser_in_words
from accounts.people.models import User
from accounts.people.naming import is_still_there
from accounts.people.sessions import end_other_sessions

SEEN_EVERY = timedelta(minutes=5)
"""A page says every minute that it is there; more closely nobody needs to know."""


@dataclass(frozen=True)
class LogIn:
    """One of the places, as the list shows it."""

    pk: int
    is_current: bool
    browser: str
    address: str
    begun_at: datetime
    seen_at: datetime


class LoginsAdapter(DefaultUserSessionsAdapter):  # type: ignore[misc]
    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        ended = list(sessions)
        with transaction.atomic():
            super().end_sessions(ended)
            for user_id in {session.user_id for session in ended}:
                announce_person_on_commit(user_id)


def logins_of(*, user: User, session_key: str | None) -> list[LogIn]:
    """Where the person is logged in, here first, then by when it was last seen; what has ended is forgotten."""
    rows: Sequence[UserSession] = UserSession.objects.purge_and_list(user)
    found = [
        LogIn(
            pk=row.pk,
            is_current=row.session_key == session_key,
            browser=browser_in_words(row.user_agent),
            address=row.ip,
            begun_at=row.created_at,
            seen_at=row.last_seen_at,
        )
        for row in rows
    ]
    return sorted(found, key=lambda row: (row.is_current, row.seen_at), reverse=True)


def end_login(*, user: User, session_key: str | None, pk: int) -> bool:
    """Log the person out in one other place; whether they were logged in there."""
    ended = list(UserSession.objects.filter(user=user, pk=pk).exclude(session_key=session_key or ""))
    LoginsAdapter().end_sessions(ended)
    return bool(ended)


def end_other_logins(*, request: HttpRequest, user: User) -> None:
    """Log the person out everywhere but here, also where a session is in no list: not all of them have a row."""
    here = UserSession.objects.filter(user=user, session_key=request.session.session_key or "").first()
    with transaction.atomic():
        for row in UserSession.objects.filter(user=user).exclude(pk=here.pk if here else None):
            row.end()
        end_other_sessions(request=request, user=user)
        if here is not None:
            UserSession.objects.filter(pk=here.pk).update(session_key=request.session.session_key)


def forget_login(*, session_key: str | None) -> None:
    """The session has ended by itself, by a log-out."""
    UserSession.objects.filter(session_key=session_key or "").delete()


def note_seen(*, request: HttpRequest, moment: datetime) -> None:
    """Somebody is at a page of this session: note when, now and then."""
    found = UserSession.objects.filter(session_key=request.session.session_key or "")
    if found.filter(last_seen_at__lt=moment - SEEN_EVERY).update(last_seen_at=moment) or found.exists():
        return
    # A session whose key is another one since it was listed.
    with transaction.atomic():
        if isinstance(request.user, User) and is_still_there(request.user):
            UserSession.objects.create_from_request(request)
