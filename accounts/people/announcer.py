"""Words to the sockets of the site, from any thread and process; what is committed stands, heard or not."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any

from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import transaction

from accounts.people.hub import hub

logger = logging.getLogger(__name__)


def person_group(user_id: int) -> str:
    """The group of all sockets of one person."""
    return f"person.{user_id}"


def announce_person(user_id: int) -> None:
    """Send word that this person may be here no more, or not by every session: their sockets look. Never raises."""
    hand_over(tell(person_group(user_id), {"type": "person.changed"}))


def announce_person_on_commit(user_id: int) -> None:
    """The same, once what is done is committed: sockets look at what is stored."""
    transaction.on_commit(lambda: announce_person(user_id), robust=True)


# The loop on which the sockets of this process live; an in-memory layer belongs to it alone.
_server_loop: asyncio.AbstractEventLoop | None = None


def remember_server_loop() -> None:
    """Called on the server's loop by the first socket: from now on announcements are handed to that loop."""
    global _server_loop
    _server_loop = asyncio.get_running_loop()


def hand_over(job: Coroutine[Any, Any, object]) -> None:
    """Have a word sent by the loop that sends them in this process. Never raises, never waits."""
    loop = _server_loop if _server_loop is not None and _server_loop.is_running() else None
    if loop is None:
        if isinstance(get_channel_layer(), InMemoryChannelLayer):
            job.close()
            return  # no server in this process, so nobody listens
        loop = _own_loop()
    _run_on(loop, job)


def _run_on(loop: asyncio.AbstractEventLoop, job: Coroutine[Any, Any, object]) -> None:
    try:
        # Nobody waits for it, so no more is made of it than a task; if it fails, that stands in the log.
        loop.call_soon_threadsafe(loop.create_task, job)
    except RuntimeError:  # the loop was closed in between: the process is going down
        job.close()


async def tell(group: str, message: dict[str, Any]) -> bool:
    """Whether it was sent. A layer that is away must not undo or delay what is committed."""
    try:
        await hub().send(group, message)
    except Exception:
        logger.warning("could not announce %s to %s", message, group, exc_info=True)
        return False
    return True


@cache
def _own_loop() -> asyncio.AbstractEventLoop:
    """A loop for processes that serve no sockets (the keeper, a WSGI server): one, in a thread of its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="announcer", daemon=True).start()
    return loop
