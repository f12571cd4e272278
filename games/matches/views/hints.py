"""The door for hints: a form of the match's page, answered to who asks alone."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods

from games.matches.errors import Refused
from games.matches.fragments.hints import draw_hint
from games.matches.services.hints import give_hint
from games.matches.views.people import caller, person
from games.matches.views.refusals import refusal_answer, wants_fragments


@require_http_methods(["GET", "HEAD", "POST"])
def hint(request: HttpRequest, slug: str) -> HttpResponse:
    """What a bot would play in the asker's place, as a fragment for the page's script; all else leads to the match."""
    if request.method != "POST":
        return redirect("match", slug)
    try:
        given = give_hint(slug=slug, caller=caller(request, slug))
    except Refused as error:
        return refusal_answer(request, error)
    if not wants_fragments(request):  # it is marked on the board by a script
        return redirect("match", slug)
    response = HttpResponse(draw_hint(given.current, person(request), given.hint))
    add_never_cache_headers(response)
    return response
