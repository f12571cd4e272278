"""The lobby as its page and every push show it: the own half for each person, the public half the same for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.matches import selectors

if TYPE_CHECKING:
    from accounts.people.models import User


def draw_own_half(user: User | None, *, pushed: bool = False) -> SafeString:
    """The person's tables and running matches, those that wait for them first; nothing for a guest."""
    own = selectors.own_matches(user=user) if user is not None else []
    context = {
        "own": [{"match": match, "my_turn": user is not None and selectors.is_to_move(match, user)} for match in own],
        "member": user is not None,
        "pushed": pushed,
    }
    return render_to_string("matches/lobby_own.html", context)


def draw_public_half(*, pushed: bool = False) -> SafeString:
    """Open tables, and matches to look on: the same bytes for everybody who reads the same language."""
    context = {"tables": selectors.open_tables(), "running": selectors.public_matches(), "pushed": pushed}
    return render_to_string("matches/lobby_public.html", context)
