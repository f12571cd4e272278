"""The door of the pages: so many requests at once, each in one thread from its first middleware to its error page."""

from __future__ import annotations

import asyncio
from collections.abc import Container
from io import BytesIO
from typing import Any
from weakref import WeakKeyDictionary

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import RequestAborted, TooManyFieldsSent
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase

from config.middleware import CAREFUL


class Turnstile:
    """Lets `places` requests in at once, in each event loop. A crowd waits here, not for the database's connections.

    Who asks for one of the `free` paths need not wait.
    """

    def __init__(self, application: Any, *, places: int, free: Container[str] = ()) -> None:
        self.application = application
        self.places = places
        self.free = free
        self._gates: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope and scope["path"] in self.free:
            await self.application(scope, receive, send)
            return
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

    async def read_body(self, receive: Any) -> Any:
        """The body in memory, and no more of it than any form of ours may have: the rest is dropped.

        Whoever reads it compares it with its Content-Length, or stops before its end.
        """
        body = BytesIO()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RequestAborted
            body.write(message.get("body", b"")[: settings.FILE_UPLOAD_MAX_MEMORY_SIZE - body.tell()])
            more = message.get("more_body", False)
        body.seek(0)
        return body

    def create_request(self, scope: Any, body_file: Any) -> Any:
        try:
            request, refused = super().create_request(scope, body_file)
        except (ValueError, TooManyFieldsSent):
            # A Content-Type whose parameters can't be read, as `charset*=nope''x`; or one with a charset, for which
            # Django reads the query at once, and that has hundreds of fields.
            request, refused = None, HttpResponseBadRequest()
        return request, _dressed(refused.status_code) if refused is not None else None


def _dressed(status: int) -> HttpResponse:
    """For what no middleware has seen, since it could not be read as a request: a word, and the headers of all others.

    Who sends such a thing is hardly a person at a browser.
    """
    return HttpResponse(
        "The server could not read what your browser sent. Go back, reload the page, and try again.\n",
        status=status,
        content_type="text/plain",
        headers={
            "Cache-Control": "no-store",
            "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
            **CAREFUL,
        },
    )
