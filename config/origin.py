"""Before a socket is accepted: whether a page of ours opens it, since browsers send cookies with a socket that any site
opens; and whether the database is there to say whose it is.
"""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from games.matches.away import AWAY, tell_of
from games.matches.sockets import LATER

logger = logging.getLogger(__name__)

FOREIGN_ORIGIN = 4403


class SameOriginOnly:
    """Lets a socket in only from a page of this very host, or of one in CSRF_TRUSTED_ORIGINS."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        headers = dict(scope["headers"])
        if _is_ours(headers.get(b"origin", b""), headers.get(b"host", b"")):
            return await self.application(scope, receive, send)
        return await close_socket(receive, send, code=FOREIGN_ORIGIN)


class NotWhileAway:
    """Turns sockets away whose person can't be looked up since the database is away: their pages try again later."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await self.application(scope, receive, send)
        except AWAY as error:
            tell_of(logger, error, "a socket could not be opened")
            await close_socket(receive, send, code=LATER)


async def close_socket(receive: Any, send: Any, *, code: int) -> None:
    """Refuse a socket before it is accepted; the browser sees a failed handshake (403)."""
    await receive()
    await send({"type": "websocket.close", "code": code})


def _is_ours(origin: bytes, host: bytes) -> bool:
    try:
        text = origin.decode("ascii").lower()
        parts = urlsplit(text)
        here = host.decode("ascii").lower()
        # Where the site is served over HTTPS alone, a page over http is whoever sits on the line.
        if parts.scheme not in ({"https"} if settings.HTTPS else {"http", "https"}) or not parts.netloc:
            return False
        return text in settings.CSRF_TRUSTED_ORIGINS or _address(parts.netloc, parts.scheme) == _address(
            here, parts.scheme
        )
    except (UnicodeDecodeError, ValueError):
        return False


def _address(netloc: str, scheme: str) -> str:
    """host:port without the scheme's own port, which browsers leave out and proxies may add."""
    return netloc.removesuffix(":443" if scheme == "https" else ":80")
