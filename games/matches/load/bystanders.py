"""Sockets that only listen: what memory each costs, and how soon all are back when dropped at once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Any

from games.matches.load.figures import percentile, resident_bytes
from games.matches.load.lines import Line, open_line
from games.matches.load.scripts import Crowd
from games.matches.load.seating import (
    PATIENCE_S,
    Opener,
    do_some_at_once,
    open_surely,
    pause_before,
)

BACK_WITHIN_S = 120.0
"""After so long whoever has not been served counts as lost."""

WARM = 100
"""Idle sockets before the first look at the memory: what a process gets ready once is not counted."""

SETTLE_S = 1.0


class Bystanders:
    """People without a seat, each at the page of one of the matches."""

    def __init__(self, addresses: Sequence[str], *, cookie: str, crowd: Crowd) -> None:
        self._addresses = addresses
        self._cookie = cookie
        self._slugs = [prepared.slug for prepared in crowd.matches]
        self._people = crowd.onlookers
        self._lines: dict[int, Line] = {}

    async def sit_idle(self, number: int, pids: Sequence[int]) -> dict[str, Any]:
        """Open so many sockets; what each costs the processes in KiB of memory, where they are on this machine."""
        warm = min(WARM, number // 2)
        await self.sit_down(warm)
        await asyncio.sleep(SETTLE_S)
        before = [resident_bytes(pid) for pid in pids]
        await self.sit_down(number)
        await asyncio.sleep(SETTLE_S)
        after = [resident_bytes(pid) for pid in pids]
        grown = [now - then for now, then in zip(after, before, strict=True) if now is not None and then is not None]
        return {"sockets": number} | (
            {"kib_per_socket": round(sum(grown) / (number - warm) / 1024, 1)} if grown and number > warm else {}
        )

    async def sit_down(self, number: int) -> None:
        """So many sockets in all. Raises `PlayError`, `OSError`, in a group."""

        async def open_one(place: int) -> None:
            self._lines[place] = await open_surely(self._opener(place))

        await do_some_at_once([partial(open_one, place) for place in range(len(self._lines), number)])

    async def storm(self) -> dict[str, Any]:
        """Drop all lines, and let them come back at once; times in seconds."""
        versions = {place: line.version for place, line in self._lines.items()}
        for line in self._lines.values():
            line.hang_up()
        begun = perf_counter()
        found = await asyncio.gather(*(self._come_back(place, version, begun) for place, version in versions.items()))
        times = [seconds for seconds in found if seconds is not None]
        result: dict[str, Any] = {"sockets": len(found), "not_served": len(found) - len(times)}
        if times:
            spread = {f"p{percent}_s": round(percentile(times, percent), 2) for percent in (50, 95)}
            result |= {"first_s": round(min(times), 2), **spread, "all_s": round(max(times), 2)}
        return result

    async def behind(self, versions: Mapping[str, int]) -> int:
        """A moment later, how many do not have the newest version of their match."""
        await asyncio.sleep(SETTLE_S)
        return sum(line.version < versions[line.slug] for line in self._lines.values())

    def leave(self) -> None:
        for line in self._lines.values():
            line.hang_up()

    def _opener(self, place: int) -> Opener:
        address = self._addresses[place % len(self._addresses)]
        return partial(self._open_line, address, self._slugs[place % len(self._slugs)], self._people[place])

    async def _open_line(self, address: str, slug: str, session: str, version: int) -> Line:
        return await open_line(address, slug, session, cookie=self._cookie, version=version)

    async def _come_back(self, place: int, version: int, begun: float) -> float | None:
        """The seconds until it was served; it tries again as a page does."""
        tries, opener = 0, self._opener(place)
        while perf_counter() - begun < BACK_WITHIN_S:
            await asyncio.sleep(pause_before(tries))
            tries += 1
            try:
                line = await asyncio.wait_for(opener(version), PATIENCE_S)
                if await asyncio.wait_for(asyncio.shield(line.served), BACK_WITHIN_S):
                    self._lines[place] = line
                    return perf_counter() - begun
            except OSError:  # also a timeout
                pass
        return None
