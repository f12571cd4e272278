"""The chat's door for forms, and its slow poll, where no socket is."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods

from games.matches import clock, metrics
from games.matches.conversations import as_heard, conversation
from games.matches.errors import NotFound, Refused
from games.matches.fragments.chat import draw_news, rooms_text
from games.matches.fragments.match import draw_notice
from games.matches.services.chat import KEY, send_line
from games.matches.snapshots import snapshot
from games.matches.views.people import caller, person
from games.matches.views.refusals import draw_refusal, wants_fragments


@require_http_methods(["GET", "HEAD", "POST"])
def chat(request: HttpRequest, slug: str) -> HttpResponse:
    """Say something, by POST; by GET what is new since what the page has heard, 204 if nothing is.

    The page's script gets fragments; a plain form leads back to the match, and so does the address alone.
    """
    if request.method == "POST":
        return _say(request, slug)
    if not wants_fragments(request):
        return redirect("match", slug)
    try:
        return _news(request, slug)
    except NotFound as error:
        return HttpResponse(draw_notice(error), status=error.status)


def _say(request: HttpRequest, slug: str) -> HttpResponse:
    moment = clock.now()
    room, text, key = (request.POST.get(name, "") for name in ("room", "text", "key"))
    refusal: Refused | None = None
    try:
        send_line(slug=slug, caller=caller(request, slug), room=room, text=text, key=key, moment=moment)
    except Refused as error:
        refusal = error
        metrics.count_refusal(error)
    if not wants_fragments(request):
        return redirect(f"{reverse('match', args=[slug])}#chat") if refusal is None else draw_refusal(request, refusal)
    try:
        return _news(request, slug, key=key if KEY.fullmatch(key) else "", refusal=refusal)
    except NotFound as error:
        return draw_refusal(request, error)


def _news(request: HttpRequest, slug: str, *, key: str | None = None, refusal: Refused | None = None) -> HttpResponse:
    """What the page has not heard; with `key` the answer to a line, whether there is any."""
    fields = request.POST if request.method == "POST" else request.GET
    heard = as_heard(fields.get("heard", ""))
    asker = caller(request, slug)
    current = snapshot(slug=slug, caller=asker)
    spoken = conversation(match=current.match, seats=current.seats, caller=asker, heard=heard)
    response = HttpResponse(status=204)
    shown = (fields.get("reads", ""), fields.get("writes", spoken.rights.writes_now))
    if key is not None or not spoken.is_silent or shown != (rooms_text(spoken.rights), spoken.rights.writes_now):
        drawn = draw_news(spoken, person(request), key=key or "", refusal=refusal)
        response = HttpResponse(drawn, status=refusal.status if refusal is not None else 200)
    add_never_cache_headers(response)
    return response
