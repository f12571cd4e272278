"""The door of the pages: so many requests at once, each in one thread from its first middleware to its error page."""

from __future__ import annotations

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponseBadRequest
from django.http.response import HttpResponseBase


class Turnstile:
    """Lets `places` requests in at once, in each event loop. A crowd waits here, not for the database's connections."""

    def __init__(self, application: Any, *, places: int) -> None:
        self.application = application
        self.places = places
        self._gates: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async with self._gates.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self.places)):
            await self.application(scope, receive, send)


class PagesHandler(ASGIHandler):
    """Django's handler, for a site whose middleware and views are all synchronous.

    Django would draw error pages in a thread of the loop's pool, where a connection to the database, once opened for
    the frame of the page, stays open for good.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)

    def create_request(self, scope: Any, body_file: Any) -> Any:
        try:
            return super().create_request(scope, body_file)
        except ValueError:
            # A Content-Type whose parameters can't be read, as `charset*=nope''x`.
            return None, HttpResponseBadRequest()
