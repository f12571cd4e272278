"""The pages for what went wrong on the way to a view, and the sign of life for whoever watches the process."""

from __future__ import annotations

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.matches.errors import StaleForm
from games.matches.fragments.match import draw_notice


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
