"""The pages for what went wrong on the way to a view; where htmx has a page to come back to, a notice on that page."""

from __future__ import annotations

import sys
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.matches.errors import Failed, FormTooBig, NotFound, Refused, StaleForm, TooOften
from games.matches.fragments.match import draw_notice

RETRY_AFTER_S = 10

NOTICES: dict[int, tuple[str | Promise, ...]] = {
    400: (_("The server could not read what your browser sent."), _("Go back, reload the page, and try again.")),
    403: (_("You are not allowed to see this page or to do this."),),
    404: (_("The address may be mistyped, or what was here has been taken away."),),
    503: (
        _("The site can't answer just now"),
        _("Its database is away, or has too much to do. Nothing you sent was half done: it was taken back whole."),
    ),
}
"""What a notice says where no refusal has the words: what the page of the same number says, in short."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, or 413 where the form was too big to be read."""
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent):
        return _answer(request, 413, "413.html", refusal=FormTooBig())
    return _answer(request, 400, "400.html")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 for what a person has no right to; it does not say what that would be."""
    return _answer(request, 403, "403.html")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form whose token is missing or stale. Rendered with the request, for the frame of the page."""
    return _answer(request, 403, "403_csrf.html", refusal=StaleForm())


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: nothing there, or nothing for this person."""
    is_match = request.resolver_match is not None and "slug" in request.resolver_match.kwargs
    return _answer(request, 404, "404.html", refusal=NotFound() if is_match else None)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """429: a rate limit was reached; shown by allauth and by our own views."""
    return _answer(request, 429, "429.html", refusal=TooOften())


def server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 where the database is away or had no connection left. Django calls it while it handles the fault.

    Asks for nothing that may be what is broken: no database, no session, nothing of the request.
    """
    away = isinstance(sys.exc_info()[1], OperationalError | InterfaceError)
    status = 503 if away else 500
    if _asks_from_a_page(request):
        content = _notice(503) if away else draw_notice(Failed())
    else:
        content = render_to_string(f"{status}.html")
    return HttpResponse(content, status=status, headers={"Retry-After": str(RETRY_AFTER_S)} if away else {})


def _answer(request: HttpRequest, status: int, template: str, *, refusal: Refused | None = None) -> HttpResponse:
    if _asks_from_a_page(request):
        content = draw_notice(refusal) if refusal is not None else _notice(status)
        return HttpResponse(content, status=status)
    return render(request, template, status=status)


def _asks_from_a_page(request: HttpRequest) -> bool:
    """Whether htmx asks; by the header alone, since the fault may lie before its middleware."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-Boosted") != "true"


def _notice(status: int) -> str:
    sentences: list[Any] = [str(sentence) for sentence in NOTICES[status]]
    words = " ".join(sentence if sentence.endswith(".") else f"{sentence}." for sentence in sentences)
    return render_to_string("matches/notice.html", {"notice": words, "code": str(status), "pushed": True})
