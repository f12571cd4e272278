"""A refusal as a page of its own, for forms that have no page to come back to."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.matches import texts
from games.matches.errors import Refused


def refusal_page(request: HttpRequest, error: Refused) -> HttpResponse:
    """The reason and ways on, with the refusal's status."""
    context = {"notice": texts.refusal(error), "code": error.code}
    return render(request, "matches/refused.html", context, status=error.status)
