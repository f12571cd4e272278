"""The lobby, and the rules of each game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.people.selectors import kept_apart
from games.contract.registry import Game, UnknownGame, all_games, get_game
from games.contract.rules import RanksSolo
from games.matches.forms import SoloForm
from games.matches.fragments.leaving import draw_rated_pause
from games.matches.fragments.lobby import draw_own, draw_public_half
from games.matches.fragments.match import draw_sprite
from games.matches.views.people import person
from games.matches.views.tokens import with_tokens


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Open tables, my matches and whose turn it is; kept current over a socket."""
    user = person(request)
    own, slugs = draw_own(user)
    public = draw_public_half(apart=kept_apart(user=user)).without(slugs)
    context = {
        "cards": game_cards(all_games()),
        "own": with_tokens(request, own),
        "public": public,
        "rated_pause": draw_rated_pause(user),
    }
    return render(request, "matches/lobby.html", context)


def game_cards(games: Iterable[Game]) -> list[dict[str, Any]]:
    """Each game, with the form of a match of one where that can be played, and whether its best times are listed."""
    return [
        {
            "game": game,
            "solo": SoloForm(game) if game.info.solo else None,
            "ranks": isinstance(game.rules, RanksSolo),
        }
        for game in games
    ]


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
