"""The page of one match, from the waiting table to the result; its door for acts by form, and its slow poll."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from games.matches import clock, texts
from games.matches.errors import NotFound, Refused
from games.matches.fragments.match import draw_notice, draw_sprite, draw_stage, draw_update, stage_kind
from games.matches.selectors import Snapshot, snapshot
from games.matches.services.acts import perform_act
from games.matches.views.people import caller, person
from games.matches.views.refusals import refusal_answer, wants_fragments

VERSION_HEADER = "X-Match-Version"
"""The version that an answer draws: the page ignores answers older than what it shows."""


@require_safe
def match_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The match, live."""
    try:
        current = snapshot(slug=slug, caller=caller(request, slug))
    except NotFound:
        raise Http404 from None
    return _page(request, current)


@require_safe
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """What has changed since the version that the page shows; 204 if nothing has."""
    try:
        current = snapshot(slug=slug, caller=caller(request, slug))
    except NotFound as error:
        return HttpResponse(draw_notice(error), status=error.status)
    if request.GET.get("version") == str(current.version):
        return HttpResponse(status=204)
    return _update(request, current)


@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """The way out where no socket is: the same acts by form.

    htmx gets fragments; a plain form gets the page again, after a redirect if the act was done. Who comes by the
    address alone (a refused form stands under it) is led to the match.
    """
    if request.method != "POST":
        return redirect("match", slug)
    arrived = clock.now()
    asker = caller(request, slug)
    refusal: Refused | None = None
    try:
        perform_act(act=act, slug=slug, caller=asker, data=request.POST.dict(), arrived=arrived)
    except Refused as error:
        refusal = error
    try:
        current = snapshot(slug=slug, caller=asker)
    except NotFound as missing:
        return _lead_away(request) if refusal is None else refusal_answer(request, missing)
    if wants_fragments(request):
        return _update(request, current, refusal=refusal)
    return redirect("match", slug) if refusal is None else _page(request, current, refusal=refusal)


def _lead_away(request: HttpRequest) -> HttpResponse:
    """To the lobby: who has got up from a private table may not see its page any more."""
    if wants_fragments(request):
        return HttpResponse(headers={"HX-Redirect": reverse("lobby")})
    return redirect("lobby")


def _page(request: HttpRequest, current: Snapshot, *, refusal: Refused | None = None) -> HttpResponse:
    user = person(request)
    context = {
        "match": current.match,
        "game": current.match.game,
        "sprite": draw_sprite(current.match.game),
        "stage": draw_stage(current, user),
        "stage_kind": stage_kind(current),
        "version": str(current.version),
        "notice": texts.refusal(refusal) if refusal is not None else "",
        "code": refusal.code if refusal is not None else "",
        "confirm": user.confirm_moves if user is not None else "never",
        "sound": user.sound if user is not None else False,
        "language": get_language() or settings.LANGUAGE_CODE,
    }
    response = render(request, "matches/match.html", context, status=refusal.status if refusal is not None else 200)
    # Hands are in it: neither a shared cache nor the browser's history may show it again.
    add_never_cache_headers(response)
    return response


def _update(request: HttpRequest, current: Snapshot, *, refusal: Refused | None = None) -> HttpResponse:
    shown = request.POST.get("stage") or request.GET.get("stage", "")
    content = draw_update(current, person(request), shown=shown)
    if refusal is not None:
        content += draw_notice(refusal)
    response = HttpResponse(content, status=refusal.status if refusal is not None else 200)
    response.headers[VERSION_HEADER] = str(current.version)
    add_never_cache_headers(response)
    return response
