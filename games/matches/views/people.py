"""The person behind a request, typed as the house knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest

from games.matches.callers import Caller, caller_of

if TYPE_CHECKING:
    from accounts.people.models import User


def person(request: HttpRequest) -> User | None:
    """The logged-in person, None for a guest."""
    return request.user if request.user.is_authenticated else None


def caller(request: HttpRequest, slug: str) -> Caller:
    """Who asks about that match."""
    return caller_of(user=request.user, session=request.session, slug=slug)
