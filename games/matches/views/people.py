"""The person behind a request, typed as the house knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest

from accounts.people.addresses import address_of
from accounts.people.limits import wait_for
from games.matches.callers import Caller, caller_of
from games.matches.errors import TooOften

if TYPE_CHECKING:
    from accounts.people.models import User


def person(request: HttpRequest) -> User | None:
    """The logged-in person, None for a guest."""
    return request.user if request.user.is_authenticated else None


def require_within(request: HttpRequest, *, action: str, user: User | None) -> None:
    """Count one more of these acts of this person, and from their address; a guest's by that alone.

    Raises `TooOften`.
    """
    wait = wait_for(action=action, user=user, address=address_of(request))
    if wait is not None:
        raise TooOften(wait=wait)


def caller(request: HttpRequest, slug: str) -> Caller:
    """Who asks about that match."""
    return caller_of(user=request.user, session=request.session, slug=slug, address=address_of(request))
