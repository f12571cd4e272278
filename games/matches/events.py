"""Tells everybody who looks that a match has changed: the match, its version, and nothing secret."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from channels.layers import InMemoryChannelLayer, get_channel_layer

logger = logging.getLogger(__name__)

LOBBY = "lobby"
"""The group of all who look at the lobby."""


def match_group(slug: str) -> str:
    """The group of all sockets that show this match."""
    return f"match.{slug}"


def person_group(user_id: int) -> str:
    """The group of one person's lobby sockets."""
    return f"person.{user_id}"


@dataclass(frozen=True, slots=True)
class Change:
    """A match has a new version. `people` have a seat there; `in_lobby` if the open tables look different now."""

    slug: str
    version: int
    people: tuple[int, ...]
    in_lobby: bool


# The loop on which the sockets of this process live; an in-memory layer belongs to it alone.
_server_loop: asyncio.AbstractEventLoop | None = None


def remember_server_loop() -> None:
    """Called on the server's loop by the first socket: from now on announcements are handed to that loop."""
    global _server_loop
    _server_loop = asyncio.get_running_loop()


def announce(change: Change) -> None:
    """Send word of a committed change. Never raises: the move stands, and a slow poll repairs what nobody heard."""
    loop = _server_loop if _server_loop is not None and _server_loop.is_running() else None
    if loop is None:
        if isinstance(get_channel_layer(), InMemoryChannelLayer):
            return  # no server in this process, so nobody listens
        loop = _own_loop()
    _run_on(loop, _send(change))


def _run_on(loop: asyncio.AbstractEventLoop, job: Coroutine[Any, Any, None]) -> None:
    try:
        asyncio.run_coroutine_threadsafe(job, loop)
    except RuntimeError:  # the loop was closed in between: the process is going down
        job.close()


async def _send(change: Change) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    for group, kind in _groups(change):
        message = {"type": kind, "slug": change.slug, "version": change.version}
        try:
            await layer.group_send(group, message)
        except Exception:
            # A layer that is away must not undo or delay what is committed.
            logger.warning("could not announce version %s of match %s", change.version, change.slug, exc_info=True)
            return


def _groups(change: Change) -> Iterable[tuple[str, str]]:
    """The groups that hear of it, and as what: the type names the consumer's handler."""
    yield match_group(change.slug), "match.changed"
    yield from ((person_group(user_id), "match.changed") for user_id in change.people)
    if change.in_lobby:
        yield LOBBY, "lobby.changed"


@cache
def _own_loop() -> asyncio.AbstractEventLoop:
    """A loop for processes that serve no sockets (the keeper, a WSGI server): one, in a thread of its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="announcer", daemon=True).start()
    return loop
