"""Matches of bots alone that go on beside the players, and how soon the bots' moves are on a screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from games.matches.load.figures import percentile
from games.matches.load.lines import Line, open_line
from games.matches.load.scripts import Watched
from games.matches.load.seating import PlayError, do_some_at_once, open_surely

LOOK_EVERY_S = 1.0
"""Where a match has ended, another one begins so soon."""


class Parlour(Protocol):
    """Who makes these matches; each waits for the database."""

    async def add(self, number: int) -> Iterable[Watched]:
        """So many more, begun."""

    async def count(self) -> tuple[int, int]:
        """How many run, and how many bots have failed."""

    async def end(self) -> None:
        """Take all of them away."""


class Bots:
    """So many matches of bots at the same time, each watched over a line of its own.

    A bot's turn begins with the move before it. What is noted is the time from that move's coming to the screen to its
    own: the pause that bots make on purpose is in it, as well as the waiting, the thinking, and the way.
    """

    def __init__(self, addresses: Sequence[str], *, cookie: str, number: int, parlour: Parlour) -> None:
        self._addresses = addresses
        self._cookie = cookie
        self._number = number
        self._parlour = parlour
        # The newest version, and when it came; what came as the line opened has come some time after its move.
        self._shown: dict[Line, tuple[int, float | None]] = {}
        self._times: list[float] = []
        self._fewest = number
        self._measuring = False
        self._over = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Let them play, from now on. Raises `PlayError`, `OSError`, in a group."""
        await self._add(self._number)
        self._keeping = asyncio.create_task(self._keep_on())

    def measure(self) -> None:
        """From now on moves count."""
        self._measuring = True

    async def end(self) -> dict[str, Any]:
        """No more of it; what was found, times in ms."""
        self._measuring = False
        self._over.set()
        if self._keeping is not None:
            await self._keeping  # whatever it has begun is taken away as well
        _running, failed = await self._parlour.count()
        for line in self._shown:
            line.told = None
            line.hang_up()
        await self._parlour.end()
        found: dict[str, Any] = {"fewest_matches": self._fewest, "moves": len(self._times), "failed": failed}
        if self._times:
            found |= {f"p{percent}_ms": round(1000 * percentile(self._times, percent), 1) for percent in (50, 95, 99)}
        return found

    async def _keep_on(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), LOOK_EVERY_S)
                return
            running, _failed = await self._parlour.count()
            if self._measuring:
                self._fewest = min(self._fewest, running)
            try:
                await self._add(self._number - running)
            except* (OSError, PlayError):
                pass  # it is played all the same, only not looked at

    async def _add(self, number: int) -> None:
        if number <= 0:
            return
        doings: list[Callable[[], Awaitable[None]]] = [
            partial(self._watch, watched) for watched in await self._parlour.add(number)
        ]
        await do_some_at_once(doings)

    async def _watch(self, watched: Watched) -> None:
        address = self._addresses[len(self._shown) % len(self._addresses)]

        async def open_it(version: int) -> Line:
            return await open_line(address, watched.slug, watched.session, cookie=self._cookie, version=version)

        line = await open_surely(open_it)
        self._shown[line] = (line.version, None)
        line.told = self._told

    def _told(self, line: Line) -> None:
        version, shown_at = self._shown[line]
        if line.version > version:
            if self._measuring and shown_at is not None:
                self._times.append(line.heard_at - shown_at)
            self._shown[line] = (line.version, line.heard_at)
