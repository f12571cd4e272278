"""What every request passes besides Django's own middleware."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import BadRequest
from django.core.handlers.asgi import ASGIRequest
from django.db import DataError, connections
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils.cache import add_never_cache_headers

from config.errors import bad_request

Respond = Callable[[HttpRequest], HttpResponse]

NOT_NEEDED = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")


CAREFUL = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{power}=()" for power in NOT_NEEDED),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""On every answer. Django's middleware says most of it too, but not on what itself refuses."""


def careful_headers(respond: Respond) -> Respond:
    """Says which of the browser's powers no page of ours needs, and that nothing here is for pages of others."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        for name, value in CAREFUL.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


def pages_with_a_session_are_kept_nowhere(respond: Respond) -> Respond:
    """After a log-out nobody pages back to what was shown. Only the cookie is looked at, which costs no query."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        if settings.SESSION_COOKIE_NAME in request.COOKIES and not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return middleware


def connections_end_with_the_request(respond: Respond) -> Respond:
    """Closes the database connections that a request opened in a thread of its own.

    Under ASGI the thread ends with the request, and a connection meant to persist would linger, file handles and all,
    until the garbage collector comes by.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        if isinstance(request, ASGIRequest):
            for connection in connections.all(initialized_only=True):
                if not connection.in_atomic_block:
                    connection.close()
        return response

    return middleware


def only_what_can_be_read(respond: Respond) -> Respond:
    """Refuses forms in a charset other than UTF-8, and hosts that no address can hold.

    Django takes any codec that Python knows, also those that are none of text ("hex", "undefined"), and fails late.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "utf-8")
        if charset.lower() not in ("utf-8", "utf8"):
            request.encoding = "utf-8"
            raise BadRequest(f"a form in {charset!r}")
        try:
            urlsplit(f"//{request.get_host()}")
            # Single fields of a form name charsets too; and who goes away half way has sent none.
            _ = request.POST
        except (LookupError, UnicodeError, UnreadablePostError) as error:
            raise BadRequest from error
        except ValueError as error:
            raise BadRequest("a host like [::1::2]") from error
        return respond(request)

    return middleware


class OddQueriesOfTheAdmin:
    """400 where what an address asks of a list in the admin is nothing that the database or a date can hold.

    Django answers other such queries by itself, before they reach the database.
    """

    def __init__(self, respond: Respond) -> None:
        self.respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.respond(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        page = request.resolver_match
        if page is None or page.app_name != "admin" or not (page.url_name or "").endswith("_changelist"):
            return None
        if request.GET and isinstance(exception, DataError | OverflowError | ValueError):
            return bad_request(request, exception)
        return None
