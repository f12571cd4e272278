"""Playing alone: a match begun at once, and the list of the best times."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from games.contract.errors import BadOption
from games.contract.registry import Game
from games.contract.rules import RanksSolo
from games.matches import clock, texts
from games.matches.bests import solo_variant
from games.matches.errors import BadInput, NotLoggedIn, Refused
from games.matches.forms import SoloForm
from games.matches.models import SoloBest
from games.matches.selectors import own_solo_best, solo_bests, solo_place
from games.matches.services.at_once import play_alone
from games.matches.views.lobby import game_or_404
from games.matches.views.people import person, require_within
from games.matches.views.refusals import refusal_answer, wants_fragments

LISTED = 50
"""People in the list; whoever stands further down is told the own place below it."""


@require_http_methods(["GET", "HEAD", "POST"])
def play_solo(request: HttpRequest, game: str) -> HttpResponse:
    """One click: a private match of one with the options chosen, from a form or by htmx.

    Who comes by the address alone finds the button in the lobby.
    """
    found = _solo_game(game)
    if request.method != "POST":
        return redirect("lobby")
    user, form = person(request), SoloForm(found, request.POST)
    try:
        if user is None:
            raise NotLoggedIn
        if not form.is_valid():
            raise BadInput(what="options")
        require_within(request, action="table", user=user)
        match = play_alone(user=user, game=found, options=form.options(), moment=clock.now())
    except Refused as error:
        return refusal_answer(request, error)
    if wants_fragments(request):
        return HttpResponse(headers={"HX-Redirect": match.get_absolute_url()})
    return redirect(match)


@require_safe
def best_times(request: HttpRequest, game: str) -> HttpResponse:
    """The best of each person, with the options that the query names; public, whatever the matches are."""
    found, user = _solo_game(game), person(request)
    form = SoloForm(found, request.GET)
    if not (isinstance(found.rules, RanksSolo) and form.is_valid()):
        raise Http404
    try:
        options = found.rules.complete_options(form.options(), 1)
    except BadOption:
        raise Http404 from None
    variant = solo_variant(options)
    bests = solo_bests(game=found.slug, variant=variant, limit=LISTED)
    own = own_solo_best(game=found.slug, variant=variant, user=user) if user is not None else None
    context = {
        "game": found,
        "form": SoloForm(found, chosen=options),
        "options": options,
        "rows": [_row(best, place, found, own) for place, best in _placed(bests)],
        "own_row": _row(own, solo_place(own), found, own) if own is not None and own not in bests else None,
    }
    return render(request, "matches/best_times.html", context)


def _placed(bests: list[SoloBest]) -> list[tuple[int, SoloBest]]:
    """Each with its place; equal scores share one."""
    return [(1 + sum(other.score < best.score for other in bests), best) for best in bests]


def _row(best: SoloBest, place: int, game: Game, own: SoloBest | None) -> dict[str, object]:
    # The own one knows its match, which nobody else gets a link to.
    shown = own if own is not None and best == own else best
    return {"place": place, "best": shown, "score": texts.score(game, best.score, 1), "own": best == own}


def _solo_game(slug: str) -> Game:
    found = game_or_404(slug)
    if not found.info.solo:
        raise Http404
    return found
