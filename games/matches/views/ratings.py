"""Leaderboards: the best of each game, and where one stands oneself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.contract.registry import all_games
from games.matches.fragments.leaderboard import draw_lines
from games.matches.rating_lists import BEST, leaderboard
from games.matches.skill import SETTLED_AFTER
from games.matches.views.lobby import game_or_404
from games.matches.views.people import person


@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    """To the first game's."""
    return redirect("leaderboard", all_games()[0].slug)


@require_safe
def best(request: HttpRequest, game: str) -> HttpResponse:
    """The best of one game."""
    found = game_or_404(game)
    user = person(request)
    board = leaderboard(game=found.slug, viewer=user)
    own = board.own
    context = {
        "game": found,
        "games": [each for each in all_games() if each.info.max_seats > 1],
        "board": board,
        "lines": draw_lines(board.lines, user),
        "best": str(BEST),
        "settled_after": SETTLED_AFTER,
        "own_shown": str(own.shown) if own is not None else "",
        "own_listed": own is not None and any(line.user_id == own.user_id for line in board.lines),
        "own_missing": SETTLED_AFTER - (own.matches if own is not None else 0),
    }
    return render(request, "matches/leaderboard.html", context)
