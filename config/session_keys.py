"""Session keys as cookies bring them: what can't be one of ours is as good as none, and is not looked up."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.middleware import Respond


def plain_session_keys(respond: Respond) -> Respond:
    """For pages; before the session's own middleware."""

    def middleware(request: HttpRequest) -> HttpResponse:
        _forget_odd_key(request.COOKIES)
        return respond(request)

    return middleware


class PlainSessionKeys:
    """For sockets; inside Channels' CookieMiddleware."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        _forget_odd_key(scope["cookies"])
        return await self.application(scope, receive, send)


def _forget_odd_key(cookies: dict[str, str]) -> None:
    key = cookies.get(settings.SESSION_COOKIE_NAME, "")
    # A quoted cookie may hold any character, and PostgreSQL takes no NUL.
    if not (key.isascii() and key.isalnum()):
        cookies.pop(settings.SESSION_COOKIE_NAME, None)
