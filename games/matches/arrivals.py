"""What comes over a socket is met when it comes, and not when the socket has time for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

Message = dict[str, Any]

MOST_WAITING = 100
"""Messages that wait for one socket; more are left in the server's own hands."""


class Arrivals:
    """Hands on what `receive` brings, in its order. A consumer does one thing after the other: while it draws what
    others have done, a claim of its own person's may come in, and must not be stamped later for that.

    `meet` sees each message at once; it may write into it, and keeps it to itself by returning False. It must not
    raise. Needs a running loop, and an `end`.
    """

    def __init__(self, receive: Callable[[], Awaitable[Message]], meet: Callable[[Message], bool]) -> None:
        self._receive = receive
        self._meet = meet
        self._waiting: asyncio.Queue[Message] = asyncio.Queue(MOST_WAITING)
        self._taking_in = asyncio.create_task(self._take_in(), name="arrivals")

    async def next(self) -> Message:
        """The next message that is for the consumer."""
        return await self._waiting.get()

    def slip_in(self, message: Message) -> None:
        """Let the consumer have a message of ours when its turn comes; none where so many wait already."""
        if not self._waiting.full():
            self._waiting.put_nowait(message)

    def end(self) -> None:
        """Nothing more is taken in."""
        self._taking_in.cancel()

    async def _take_in(self) -> None:
        while True:
            message = await self._receive()
            if self._meet(message):
                await self._waiting.put(message)
