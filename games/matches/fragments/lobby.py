"""The lobby as its page and every push show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.matches import selectors

if TYPE_CHECKING:
    from accounts.people.models import User


def draw_lobby(user: User | None, *, pushed: bool = False) -> SafeString:
    """Open tables, the person's own matches, and matches to look on; with `pushed` as an out-of-band swap."""
    own = selectors.own_matches(user=user) if user is not None else []
    mine = {match.pk for match in own}
    context = {
        "own": [{"match": match, "my_turn": user is not None and selectors.is_to_move(match, user)} for match in own],
        "tables": [match for match in selectors.open_tables() if match.pk not in mine],
        "running": [match for match in selectors.public_matches() if match.pk not in mine],
        "member": user is not None,
        "pushed": pushed,
    }
    return render_to_string("matches/lobby_live.html", context)
