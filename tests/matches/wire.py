"""Sockets as browsers open them: through the whole application, with cookies and an Origin."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlencode

from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from accounts.people.models import User
from config.asgi import application
from games.matches.asides import MARK
from games.matches.models import Match

P = ParamSpec("P")
T = TypeVar("T")

HOST = "testserver"
PATIENCE_S = 30
"""For what must come: a slow machine is no failure."""
SILENCE_S = 0.15
"""How long nothing must come, where nothing may."""


async def do(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run something that uses the database, from a test that lives on the sockets' loop."""
    done: T = await database_sync_to_async(function)(*args, **kwargs)
    return done


def session_of(user: User | None) -> str:
    """The cookie of a browser in which that person is logged in; "" for a guest's."""
    if user is None:
        return ""
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


class Socket(WebsocketCommunicator):  # type: ignore[misc]
    """One page's socket. `pings`, and what came `beside` the match, have come and were not looked at yet."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.pings: list[dict[str, Any]] = []
        self.beside: list[str] = []

    async def hear(self) -> str:
        """The next frame that draws the match; what comes before it is kept for `ping` and `hear_beside`."""
        while True:
            frame: str = await self.receive_from(timeout=PATIENCE_S)
            if not self._keep(frame):
                return frame

    async def hear_beside(self) -> str:
        """The next frame that draws something beside the match; the match must not be drawn before it."""
        while not self.beside:
            frame = await self.receive_from(timeout=PATIENCE_S)
            assert self._keep(frame), frame[:300]
        return self.beside.pop(0)

    async def hears_nothing(self) -> bool:
        """Whether nothing of the match is drawn and the socket stays open."""
        while not await self.receive_nothing(timeout=SILENCE_S):
            if not self._keep(await self.receive_from(timeout=PATIENCE_S)):
                return False
        return True

    async def ping(self) -> dict[str, Any]:
        """The next ping; nothing may be drawn before it."""
        while not self.pings:
            frame = await self.receive_from(timeout=PATIENCE_S)
            assert self._keep(frame), frame[:300]
        return self.pings.pop(0)

    async def pong(self, token: str) -> None:
        """Answer a ping, as the page's script does."""
        await self.say(act="pong", token=token)

    async def say(self, **fields: str) -> None:
        """Send a message to which no answer comes."""
        await self.send_to(text_data=json.dumps(fields))

    def _keep(self, frame: str) -> bool:
        if frame.startswith("{"):
            self.pings.append(json.loads(frame))
        elif frame.startswith(MARK):
            self.beside.append(frame)
        return frame.startswith(("{", MARK))

    async def act(self, act: str, **fields: str) -> str:
        """Ask for an act, and hear the answer."""
        await self.send_to(text_data=json.dumps({"act": act, **fields, "HEADERS": {"HX-Request": "true"}}))
        return await self.hear()

    async def close_code(self) -> int:
        """The code with which the server closes this socket."""
        output: dict[str, Any] = await self.receive_output(timeout=PATIENCE_S)
        assert output["type"] == "websocket.close", output
        return int(output.get("code", 1000))


def socket_at(path: str, cookie: str = "", origin: str | None = f"http://{HOST}") -> Socket:
    """A socket that has not connected yet."""
    headers = [(b"host", HOST.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    if cookie:
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode()))
    return Socket(application, path, headers)


def match_path(match: Match, *, version: int | str = 0, stage: str = "match", lang: str = "en") -> str:
    """The address that the page of this match connects to."""
    return f"/ws/matches/{match.slug}/?{urlencode({'version': version, 'stage': stage, 'lang': lang})}"


@asynccontextmanager
async def connected(path: str, cookie: str = "") -> AsyncIterator[Socket]:
    """An open socket, closed at the end."""
    socket = socket_at(path, cookie)
    accepted, _ = await socket.connect(timeout=PATIENCE_S)
    assert accepted
    try:
        yield socket
    finally:
        await socket.disconnect(timeout=PATIENCE_S)


@asynccontextmanager
async def watching(match: Match, user: User | None, *, stage: str = "match") -> AsyncIterator[Socket]:
    """The open socket of a page that shows the match's present version, which came over it."""
    cookie = await do(session_of, user)
    async with connected(match_path(match, stage=stage), cookie) as socket:
        await socket.hear()
        yield socket


def version_of(frame: str) -> int:
    """The version that a frame draws."""
    found = re.search(r'id="freshness" data-version="(\d+)"', frame)
    assert found is not None, frame[:300]
    return int(found[1])


def notice_of(frame: str) -> str | None:
    """The code of the refusal in a frame; None without one."""
    found = re.search(r'id="notice"[^>]*>.*?data-code="([^"]+)"', frame, re.DOTALL)
    return found[1] if found else None


def hand_of(frame: str) -> list[str]:
    """The tiles of the hand in a frame of M."""
    return re.findall(r'data-tile="([A-Z0-9]+)"', frame)
