"""The one security header that neither Django nor django-csp sends."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

Respond = Callable[[HttpRequest], HttpResponse]

NOT_NEEDED = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")


def permissions_policy(respond: Respond) -> Respond:
    """Middleware: says which of the browser's powers no page of ours has a use for."""
    policy = ", ".join(f"{power}=()" for power in NOT_NEEDED)

    def middleware(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        response.headers.setdefault("Permissions-Policy", policy)
        return response

    return middleware
