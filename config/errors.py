"""The pages for what went wrong on the way to a view, and the sign of life for whoever watches the process."""

from __future__ import annotations

import sys

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views import defaults

from games.matches.errors import StaleForm
from games.matches.fragments.match import draw_notice

RETRY_AFTER_S = 10


def health(request: HttpRequest) -> HttpResponse:
    """Answers without touching the database or the session."""
    return HttpResponse("ok\n", content_type="text/plain")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, or 413 where the form was too big to be read."""
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent):
        return render(request, "413.html", status=413)
    return render(request, "400.html", status=400)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form whose token is missing or stale. Rendered with the request, for the frame of the page.

    A form that htmx sent has a page to come back to, and would show nothing of a whole one.
    """
    if getattr(request, "htmx", False):
        return HttpResponse(draw_notice(StaleForm()), status=StaleForm.status)
    return render(request, "403_csrf.html", status=403)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """429: a rate limit was reached; shown by allauth and by our own views."""
    return render(request, "429.html", status=429)


def server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 where the database is away or had no connection left. Django calls it while it handles the fault."""
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        content = render_to_string("503.html")
        return HttpResponse(content, status=503, headers={"Retry-After": str(RETRY_AFTER_S)})
    return defaults.server_error(request)
