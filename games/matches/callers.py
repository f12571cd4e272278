"""Who asks, and what they may see: the access checks of the house, in one place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.utils.crypto import constant_time_compare
from django.utils.module_loading import import_string

from games.matches.errors import NotLoggedIn
from games.matches.models import Match, Seat

if TYPE_CHECKING:
    from accounts.people.models import User


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks for something: a person or a guest, and whether they hold this match's invitation."""

    user: User | None
    invited: bool = False

    def require_user(self) -> User:
        """The person. Raises `NotLoggedIn` for a guest."""
        if self.user is None:
            raise NotLoggedIn
        return self.user

    def may_see(self, match: Match, seats: Iterable[Seat]) -> bool:
        """Whether the caller may know of the match: a private one is open to its people and the invited alone."""
        if match.public or self.invited:
            return True
        if self.user is None:
            return False
        user_id = self.user.pk
        return self.user.is_staff or match.host_id == user_id or any(seat.user_id == user_id for seat in seats)


INVITATIONS = "invitations"
"""The session's key for the matches whose invitation its holder has followed."""

MAX_INVITATIONS = 100


def caller_of(*, user: Any, session: Any, slug: str) -> Caller:
    """The caller behind a request's or a socket's user and session."""
    invited = slug in session.get(INVITATIONS, [])
    return Caller(user=user if user.is_authenticated else None, invited=invited)


def person_now(user: User, session_key: str | None) -> User | None:
    """The person as stored now, if this session is still theirs; None after a log-out, a new password, a ban.

    For whoever came in some time ago: a socket outlives the request that opened it.
    """
    found: User | None = get_user_model().objects.filter(pk=user.pk, is_active=True).first()
    session = import_string(f"{settings.SESSION_ENGINE}.SessionStore")(session_key)
    if found is None or session.get(SESSION_KEY) != str(found.pk):
        return None
    known = constant_time_compare(session.get(HASH_SESSION_KEY, ""), found.get_session_auth_hash())
    return found if known else None


def remember_invitation(*, session: Any, slug: str) -> None:
    """The holder of this session has followed the invitation to that match."""
    kept = [other for other in session.get(INVITATIONS, []) if other != slug]
    session[INVITATIONS] = [*kept, slug][-MAX_INVITATIONS:]
