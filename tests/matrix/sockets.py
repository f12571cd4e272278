"""How things are tried over sockets: through the whole application, on the one connection that is rolled back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from channels import db

from accounts.people.announcer import person_group, tell
from games.matches import threads
from games.matches.asides import MARK
from tests.matches.wire import PATIENCE_S, Socket, match_path, socket_at
from tests.matrix.answers import answer_on_socket
from tests.matrix.asking import Ask, Key, fields
from tests.matrix.world import World

CLOSED = "closed"

LINE = "key-1"
"""The key of what is said: its answer names it."""


def keep_to_this_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sockets use the database where the test does: other threads would not see what it has not committed."""

    async def run(pool: Any, job: Callable[[], Any]) -> Any:
        return _outside_of_the_loop(job)

    async def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return _outside_of_the_loop(partial(self.func, *args, **kwargs))

    monkeypatch.setattr(threads, "_run", run)
    monkeypatch.setattr(db.DatabaseSyncToAsync, "__call__", call)
    monkeypatch.setattr(db, "close_old_connections", lambda: None)


def _outside_of_the_loop(job: Callable[[], Any]) -> Any:
    """Django keeps one connection for a thread and another for the loop that runs in it: take the thread's."""
    loop = asyncio.get_running_loop()
    asyncio._set_running_loop(None)
    try:
        return job()
    finally:
        asyncio._set_running_loop(loop)


class Sockets:
    """The open pages of the cast. Each stays open for the next thing that is tried over it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._runner = asyncio.Runner()
        self._open: dict[str, tuple[str, Socket]] = {}

    def close(self) -> None:
        for role in list(self._open):
            self.forget(role)
        self._runner.close()

    def open_page(self, role: str) -> str:
        """Let that role have the match's page open; what came first, "" if it was open already."""
        path = match_path(self._world.match)
        if role in self._open:
            if self._open[role][0] == path:
                return ""
            self.forget(role)
        return self._connect(role, path)

    def open_lobby(self, role: str) -> str:
        """What comes to that role's page of the lobby first."""
        first = self._connect(role, "/ws/lobby/")
        self.forget(role)
        return first

    def send(self, key: Key, ask: Ask, role: str) -> str:
        """What comes back to that; the page is open."""
        message = {"act": _act(key), **fields(ask, self._world, role)}
        _, socket = self._open[role]
        answer = self._runner.run(_send(socket, message))
        if answer.startswith(CLOSED):
            self.forget(role)
        return answer

    def tell_of_change(self, role: str) -> None:
        """Let the open pages hear that something has changed with that person."""
        user = self._world.user(role)
        if user is not None:
            self._runner.run(tell(person_group(user.pk), {"type": "person.changed"}))

    def forget(self, role: str) -> None:
        """Close the page; the next one that is opened is another."""
        if role in self._open:
            _, socket = self._open.pop(role)
            self._runner.run(socket.disconnect(timeout=PATIENCE_S))

    def _connect(self, role: str, path: str) -> str:
        socket, first = self._runner.run(_connect(path, self._world.session(role)))
        self._open[role] = (path, socket)
        if first.startswith(CLOSED):
            self.forget(role)
        return first


def word_for_opening(frame: str) -> str:
    """What the first thing that comes over a socket means."""
    return _word_for_end(frame) if frame.startswith(CLOSED) else "yes"


def word_for_answer(key: Key, frame: str, *, changed: bool) -> str:
    """What an answer means."""
    if frame.startswith(CLOSED):
        # Whoever gets up from a private table may not see it any more.
        return "yes" if changed else _word_for_end(frame)
    if key.name == "match":
        return "yes" if changed else "nothing"
    return answer_on_socket(frame, changed=changed)


def _word_for_end(frame: str) -> str:
    return {f"{CLOSED} 4404": "hidden", f"{CLOSED} 4401": "log in"}.get(frame, frame)


def _act(key: Key) -> str:
    return "say" if key.name == "chat" else key.rest[0]


async def _connect(path: str, cookie: str) -> tuple[Socket, str]:
    socket = socket_at(path, cookie)
    accepted, code = await socket.connect(timeout=PATIENCE_S)
    return socket, await _hear(socket) if accepted else f"{CLOSED} {code}"


async def _send(socket: Socket, message: dict[str, str]) -> str:
    while not await socket.receive_nothing(timeout=0, interval=0):
        output = await socket.receive_output(timeout=PATIENCE_S)
        if output["type"] == "websocket.close":
            return f"{CLOSED} {output.get('code')}"
    await socket.send_to(text_data=json.dumps(message))
    if message["act"] == "here":
        # To which there is no answer; what is asked next has one, and comes after it.
        await socket.send_to(text_data="{")
    return await _hear(socket, LINE if message["act"] == "say" else "")


async def _hear(socket: Socket, key: str = "") -> str:
    """The next frame that draws the match or the lobby, or with `key` the answer to that line; or how it was closed."""
    while True:
        output = await socket.receive_output(timeout=PATIENCE_S)
        if output["type"] == "websocket.close":
            return f"{CLOSED} {output.get('code')}"
        text: str = output["text"]
        if text.startswith(("{", MARK)):
            continue
        if key in text if key else 'id="freshness"' in text or 'id="lobby-' in text:
            return text
