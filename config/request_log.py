"""One line in the log for each request, where the log is for programs; and the time that answers take, counted."""

from __future__ import annotations

import logging
import re
import secrets
from time import perf_counter

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from prometheus_client import Histogram

from config.log import request_id, sayable_path
from config.middleware import Respond

logger = logging.getLogger("tesela.requests")

ANSWERS = Histogram(
    "tesela_response_seconds",
    "Pages and pieces of pages: how long they took, by the first digit of the answer's status.",
    ["status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
)

_NUMBER = re.compile(r"[A-Za-z0-9-]{8,64}")


def note_requests(respond: Respond) -> Respond:
    """Numbers each request and times it. Neither costs a query, and nothing a person typed gets into the line."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        number = request_id.set(_number_of(request))
        try:
            response = respond(request)
            took = perf_counter() - began
            ANSWERS.labels(f"{response.status_code // 100}xx").observe(took)
            logger.info("%s", response.status_code, extra=_said(request, response.status_code, took))
        finally:
            request_id.reset(number)
        return response

    return middleware


def _said(request: HttpRequest, status: int, took: float) -> dict[str, object]:
    # Only who has been looked up anyway: a line must not cost a query, nor fail where the database is away.
    user = getattr(request, "_cached_user", None)
    return {
        "method": request.method if request.method in _METHODS else "(another)",
        "path": sayable_path(request),
        "status": status,
        "duration_ms": round(took * 1000, 1),
        "user": user.pk if user is not None else None,
    }


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})


def _number_of(request: HttpRequest) -> str:
    """Our own number, or the one that a proxy of ours has given the request, so that both logs can be compared."""
    given = request.headers.get("X-Request-ID", "")
    if settings.ALLAUTH_TRUSTED_PROXY_COUNT and _NUMBER.fullmatch(given):
        return given
    return secrets.token_hex(8)
