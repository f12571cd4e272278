"""What every request passes besides Django's own middleware."""

from __future__ import annotations

from collections.abc import Callable

from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpRequest, HttpResponse

Respond = Callable[[HttpRequest], HttpResponse]

NOT_NEEDED = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")


def permissions_policy(respond: Respond) -> Respond:
    """Says which of the browser's powers no page of ours has a use for."""
    policy = ", ".join(f"{power}=()" for power in NOT_NEEDED)

    def middleware(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        response.headers.setdefault("Permissions-Policy", policy)
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
