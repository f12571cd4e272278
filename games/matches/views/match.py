"""The page of one match, from the waiting table to the result; its door for acts by form, and its slow poll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from games.matches import clock, clock_texts, metrics, texts
from games.matches.attendance import Attendance, attendance, last_seen
from games.matches.conversations import conversation
from games.matches.errors import NotFound, Refused
from games.matches.fragments.attendance import draw_attendance
from games.matches.fragments.chat import draw_chat
from games.matches.fragments.lobby import draw_own_half
from games.matches.fragments.match import draw_notice, draw_sprite, draw_stage, draw_update, stage_kind
from games.matches.models import Match
from games.matches.selectors import stored_lag
from games.matches.services.acts import perform_act
from games.matches.services.presence import note_poll
from games.matches.snapshots import Snapshot, snapshot
from games.matches.views.people import caller, person
from games.matches.views.refusals import draw_refusal, wants_fragments
from games.matches.views.tokens import with_tokens

if TYPE_CHECKING:
    from django_htmx.middleware import HtmxDetails

VERSION_HEADER = "X-Match-Version"
"""The version that an answer draws: the page ignores answers older than what it shows."""

OWN_VERSION_HEADER = "X-Match-Own-Version"
"""The same within a version, where only the asker sees a difference."""


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
    """What has changed since the version that the page shows; 204 if nothing has. Who asks is there."""
    try:
        current = snapshot(slug=slug, caller=caller(request, slug))
    except NotFound as error:
        return HttpResponse(draw_notice(error), status=error.status)
    user = person(request)
    if user is not None:
        note_poll(slug=slug, user=user, moment=clock.now())
    shown = (request.GET.get("version"), request.GET.get("own", "0"))
    if shown != tuple(map(str, current.stamp_for(user))):
        return _update(request, current)
    there = _attendance(current)
    if request.GET.get("attendance", there.key) == there.key:
        return HttpResponse(status=204)
    # Without the version's header: to the page it is nothing new of the match.
    response = HttpResponse(draw_attendance(current, user, there))
    add_never_cache_headers(response)
    return response


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
    # A request measures no line: what a socket has found out a moment ago stands in.
    lag = stored_lag(slug=slug, user=asker.user, moment=arrived) if act == "move" and asker.user is not None else 0
    refusal: Refused | None = None
    leads_to: str | None = None
    try:
        leads_to = perform_act(act=act, slug=slug, caller=asker, data=request.POST.dict(), arrived=arrived, lag=lag)
    except Refused as error:
        refusal = error
        metrics.count_refusal(error)
    if leads_to is not None:
        return _lead_to(request, reverse("match", args=[leads_to]))
    if _comes_from_lobby(request):
        return _own_half(request, refusal)
    if request.POST.get("back") == "lobby" and refusal is None and not wants_fragments(request):
        return redirect("lobby")
    try:
        current = snapshot(slug=slug, caller=asker)
    except NotFound as missing:
        return _lead_to(request, reverse("lobby")) if refusal is None else draw_refusal(request, missing)
    if wants_fragments(request):
        return _update(request, current, refusal=refusal)
    return redirect("match", slug) if refusal is None else _page(request, current, refusal=refusal)


def _attendance(current: Snapshot) -> Attendance:
    seen = last_seen(match=current.match, seats=current.seats)
    return attendance(current.match, current.seats, seen, clock.now())


def _comes_from_lobby(request: HttpRequest) -> bool:
    """Whether htmx asks from the lobby, where invitations are answered."""
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    return (
        bool(htmx)
        and htmx.current_url_abs_path is not None
        and htmx.current_url_abs_path.partition("?")[0] == reverse("lobby")
    )


def _own_half(request: HttpRequest, refusal: Refused | None) -> HttpResponse:
    """The person's half of the lobby, with the reason if something was refused."""
    content = draw_own_half(person(request), pushed=True)
    if refusal is not None:
        content += draw_notice(refusal)
    response = HttpResponse(content, status=refusal.status if refusal is not None else 200)
    add_never_cache_headers(response)
    return response


def _lead_to(request: HttpRequest, path: str) -> HttpResponse:
    """To another page: as the lobby, for who has got up from a private table and may not see it any more."""
    if wants_fragments(request):
        return HttpResponse(headers={"HX-Redirect": path})
    return redirect(path)


def _page(request: HttpRequest, current: Snapshot, *, refusal: Refused | None = None) -> HttpResponse:
    user = person(request)
    spoken = conversation(match=current.match, seats=current.seats, caller=caller(request, current.match.slug))
    context = {
        "match": current.match,
        "chat": draw_chat(spoken, current.match, user),
        "may_report": user is not None and any(seat.user_id not in (None, user.pk) for seat in current.seats),
        "game": current.match.game,
        "sprite": draw_sprite(current.match.game),
        "stage": with_tokens(request, draw_stage(current, user, attendance=_attendance(current))),
        "stage_kind": stage_kind(current),
        "stamp": [str(part) for part in current.stamp_for(user)],
        "server_now": str(int(clock.now().timestamp() * 1000)),
        "notice": texts.refusal(refusal) if refusal is not None else "",
        "code": refusal.code if refusal is not None else "",
        "confirm": user.confirm_moves if user is not None else "never",
        "sound": user.sound if user is not None else False,
        "clock_days": clock_texts.days_and_hours(),
        "clock_low": clock_texts.clock_is_low(by_turns=current.match.pace == Match.Pace.TURNS),
        "language": get_language() or settings.LANGUAGE_CODE,
    }
    response = render(request, "matches/match.html", context, status=refusal.status if refusal is not None else 200)
    # Hands are in it: neither a shared cache nor the browser's history may show it again.
    add_never_cache_headers(response)
    return response


def _update(request: HttpRequest, current: Snapshot, *, refusal: Refused | None = None) -> HttpResponse:
    shown = request.POST.get("stage") or request.GET.get("stage", "")
    user = person(request)
    content = draw_update(current, user, shown=shown, attendance=_attendance(current))
    if refusal is not None:
        content += draw_notice(refusal)
    response = HttpResponse(content, status=refusal.status if refusal is not None else 200)
    stamp = current.stamp_for(user)
    response.headers[VERSION_HEADER], response.headers[OWN_VERSION_HEADER] = str(stamp.version), str(stamp.own)
    add_never_cache_headers(response)
    return response
