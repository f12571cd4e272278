"""Whose a socket is, by the session of the page that opens it: two prepared queries tell, in a thread of ours."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from games.matches.callers import Visitor, visitor_of
from games.matches.threads import in_db_thread

NOBODY = Visitor(None, None, {})


class KnownVisitors:
    """Tells the consumers in their scope who comes, as `visitor`; inside Channels' CookieMiddleware."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        key = scope["cookies"].get(settings.SESSION_COOKIE_NAME)
        visitor = await in_db_thread(visitor_of, key) if key else NOBODY
        return await self.application({**scope, "visitor": visitor}, receive, send)
