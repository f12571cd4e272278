"""One's turns and invitations, counted: in the head of every page, and pushed where there is a socket."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.matches import selectors

if TYPE_CHECKING:
    from accounts.people.models import User


def draw_your_turn(user: User | None, *, pushed: bool = False) -> SafeString:
    """The counter; hidden while nothing waits, and nothing at all for a guest."""
    if user is None:
        return SafeString()
    return draw_count(*selectors.waiting_count(user=user), pushed=pushed)


def draw_count(turns: int, invitations: int, *, pushed: bool) -> SafeString:
    """The counter of so many."""
    return _draw(turns, invitations, pushed, get_language())


@lru_cache(maxsize=512)
def _draw(turns: int, invitations: int, pushed: bool, language: str | None) -> SafeString:
    context = {"turns": turns, "invitations": invitations, "count": turns + invitations, "pushed": pushed}
    return render_to_string("matches/your_turn.html", context)
