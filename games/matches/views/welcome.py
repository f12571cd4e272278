"""The home page with what can be played and watched, and the help page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from games.contract.registry import all_games
from games.matches.callers import Caller
from games.matches.errors import NotFound
from games.matches.fragments.match import draw_sprite
from games.matches.fragments.showcase import draw_showcase, rows_to_watch
from games.matches.models import Match
from games.matches.selectors import last_public_finish, open_table_count, public_matches
from games.matches.snapshots import Snapshot, snapshot
from games.matches.views.lobby import game_cards
from games.matches.views.people import person

SHOWN = 6
"""Running matches that the home page lists; the lobby has more."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is and a match to look at, for a guest; how to play now, for who is registered."""
    games = all_games()
    running = public_matches(limit=SHOWN)
    context = {
        "cards": game_cards(games),
        "sprites": map(draw_sprite, games),
        "open_tables": open_table_count(),
        "running": rows_to_watch(running),
        "showcase": _showcase(running) if person(request) is None else "",
    }
    return render(request, "matches/home.html", context)


@require_safe
def showcase(request: HttpRequest) -> HttpResponse:
    """The match of the home page as it stands; 204 if `shown` is what stands there."""
    found = _shown_match(public_matches(limit=SHOWN))
    if found is None or request.GET.get("shown") == f"{found.match.slug}.{found.version}":
        return HttpResponse(status=204)
    return HttpResponse(draw_showcase(found))


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """How things are done here."""
    return render(request, "matches/help.html", {"games": all_games()})


def _showcase(running: list[Match]) -> SafeString | str:
    found = _shown_match(running)
    return draw_showcase(found) if found is not None else ""


def _shown_match(running: list[Match]) -> Snapshot | None:
    """The one that was moved in last, of games by turns; while there is none, the last one that has ended."""
    live = [match for match in running if not match.in_real_time]
    # In its first moves there is little to be seen.
    chosen = next((match for match in live if match.ply >= 4), live[0] if live else None) or last_public_finish()
    if chosen is None:
        return None
    try:
        return snapshot(slug=chosen.slug, caller=Caller(user=None), at_least=chosen.version)
    except NotFound:  # closed a moment ago
        return None
