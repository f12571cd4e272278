"""A refusal for whoever asked: as a notice where htmx has a page to show it on, as a page of its own otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.matches import metrics, texts
from games.matches.errors import Refused
from games.matches.fragments.match import draw_notice

if TYPE_CHECKING:
    from django_htmx.middleware import HtmxDetails


def wants_fragments(request: HttpRequest) -> bool:
    """Whether htmx asks, from a page that stays."""
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    return bool(htmx)


def refusal_answer(request: HttpRequest, error: Refused) -> HttpResponse:
    """The reason, with the refusal's status; on a page of its own with ways on. It is counted."""
    metrics.count_refusal(error)
    return draw_refusal(request, error)


def draw_refusal(request: HttpRequest, error: Refused) -> HttpResponse:
    """The same for a refusal that has been counted before."""
    if wants_fragments(request):
        return HttpResponse(draw_notice(error), status=error.status)
    context = {"notice": texts.refusal(error), "code": error.code}
    return render(request, "matches/refused.html", context, status=error.status)
