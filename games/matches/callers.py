"""Who asks, and what they may see: the access checks of the house, in one place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils.crypto import constant_time_compare

from games.matches import clock, rows
from games.matches.errors import NotLoggedIn
from games.matches.models import Invitation, Match, Seat

if TYPE_CHECKING:
    from accounts.people.models import User


class Known(NamedTuple):
    """How a person was found when looked up last: by which session, and the mark of all that was stored of both."""

    session_key: str
    user_id: int
    mark: int


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks for something: a person or a guest, whether they hold this match's invitation, and from where they do.

    `address` is only counted (limits); None for the house itself, as in tests. With `known` they are not looked up
    again before: what they do is stored on the condition that they are still so (`still_known`).
    """

    user: User | None
    invited: bool = False
    address: str | None = None
    known: Known | None = None

    def require_user(self) -> User:
        """The person. Raises `NotLoggedIn` for a guest."""
        if self.user is None:
            raise NotLoggedIn
        return self.user

    def may_see(self, match: Match, seats: Iterable[Seat]) -> bool:
        """Whether the caller may know of the match: who keeps the house looks at all."""
        return (self.user is not None and self.user.is_staff) or self.is_welcome(match, seats)

    def is_of_its_people(self, match: Match, seats: Iterable[Seat]) -> bool:
        """Whether the match is open to the caller without anything being looked up."""
        if match.public or self.invited:
            return True
        user_id = self.user.pk if self.user is not None else None
        return user_id is not None and (match.host_id == user_id or any(seat.user_id == user_id for seat in seats))

    def is_welcome(self, match: Match, seats: Iterable[Seat]) -> bool:
        """Whether the match is open to the caller: a private one is to its people and the invited alone."""
        if self.is_of_its_people(match, seats):
            return True
        if self.user is None:
            return False
        asked = Invitation.objects.filter(match=match, user=self.user.pk)
        return asked.exclude(state=Invitation.State.DECLINED).exists()


INVITATIONS = "invitations"
"""The session's key for the matches whose invitation its holder has followed."""

MAX_INVITATIONS = 100


def caller_of(*, user: Any, session: Any, slug: str, address: str | None = None) -> Caller:
    """The caller behind a request's user and session."""
    invited = slug in session.get(INVITATIONS, [])
    return Caller(user=user if user.is_authenticated else None, invited=invited, address=address)


class Visitor(NamedTuple):
    """Who opens a socket: the person, None for a guest; and the session that brought them, with what it holds."""

    user: User | None
    session_key: str | None
    held: Mapping[str, Any]

    def is_invited_to(self, slug: str) -> bool:
        """Whether the session has followed that match's invitation."""
        return slug in self.held.get(INVITATIONS, [])


def visitor_of(session_key: str) -> Visitor:
    """Whoever comes with this session's key: a guest if nobody is logged in by it, or may be."""
    row = rows.ask(_LIVE_SESSION, [session_key]).fetchone()
    if row is None:
        return Visitor(None, None, {})
    held = SessionStore(session_key).decode(row[0])
    user = None
    if SESSION_KEY in held and held.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS:
        user = person_now(get_user_model()(pk=int(held[SESSION_KEY])), session_key)
    return Visitor(user, session_key, held)


def person_now(user: User, session_key: str | None) -> User | None:
    """The person as stored now, if this session is still theirs; None after a log-out, a new password, a ban.

    For whoever came in some time ago: a socket outlives the request that opened it, and asks before every act. What
    has not changed since it asked last is not worked out again: then it is given the same object back.
    """
    people, moment = get_user_model(), clock.now()
    row = rows.ask(_whose_session(people), [session_key, user.pk]).fetchone()
    if row is None:
        return None
    mark = row[-1] if connection.vendor == "postgresql" else hash(row)
    if user.mark_known != mark:
        *values, session_data, _expires, _mark = row
        user, session = rows.row_of(people, values), SessionStore(session_key).decode(session_data)
        is_theirs = session.get(SESSION_KEY) == str(user.pk)
        if not (is_theirs and constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())):
            return None
        user.mark_known = mark
    return None if user.is_barred(moment) else user


# A session that has run out is none; the database's clock is the house's.
_NOT_RUN_OUT = "expire_date > CURRENT_TIMESTAMP"
_LIVE_SESSION = f"SELECT session_data FROM {Session._meta.db_table} WHERE session_key = %s AND {_NOT_RUN_OUT}"  # noqa: S608


@cache
def _whose_session(people: type[User]) -> str:
    return rows.selection(people, _live_person(people), "s.session_data", "s.expire_date", _mark(people))


@cache
def still_known() -> str:
    """The condition that a person is stored as they are `Known`, whose values it takes."""
    people = get_user_model()
    return f"EXISTS (SELECT FROM {people._meta.db_table} {_live_person(people)} AND {_mark(people)} = %s)"


def _live_person(people: type[User]) -> str:
    join = f"JOIN {Session._meta.db_table} s ON s.session_key = %s AND s.{_NOT_RUN_OUT}"
    return f"{join} WHERE {people._meta.db_table}.id = %s AND is_active"


def _mark(people: type[User]) -> str:
    """Changes with anything that is stored of the person or the session. Elsewhere than in PostgreSQL the row tells."""
    if connection.vendor != "postgresql":
        return "0"
    return f"hashtextextended(ROW({people._meta.db_table}.*, s.session_data, s.expire_date)::text, 0)"


def remember_invitation(*, session: Any, slug: str) -> None:
    """The holder of this session has followed the invitation to that match."""
    kept = [other for other in session.get(INVITATIONS, []) if other != slug]
    session[INVITATIONS] = [*kept, slug][-MAX_INVITATIONS:]
