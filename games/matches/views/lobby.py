"""Home, the lobby, and the rules of each game."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.contract.registry import Game, UnknownGame, all_games, get_game
from games.matches.fragments.lobby import draw_own_half, draw_public_half
from games.matches.fragments.match import draw_sprite
from games.matches.selectors import open_table_count
from games.matches.views.people import person


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, and how to play now."""
    games = all_games()
    context = {"games": games, "sprites": map(draw_sprite, games), "open_tables": open_table_count()}
    return render(request, "matches/home.html", context)


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Open tables, my matches and whose turn it is; kept current over a socket."""
    context = {"games": all_games(), "own": draw_own_half(person(request)), "public": draw_public_half()}
    return render(request, "matches/lobby.html", context)


@require_safe
def all_rules(request: HttpRequest) -> HttpResponse:
    """The games of the house."""
    return render(request, "matches/all_rules.html", {"games": all_games()})


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of a game, from its own folder."""
    found = game_or_404(game)
    return render(request, f"{found.slug}/rules.html", {"game": found, "sprite": draw_sprite(found)})


def game_or_404(slug: str) -> Game:
    """The game of that slug, or the page that says that there is none."""
    try:
        return get_game(slug)
    except UnknownGame:
        raise Http404 from None
