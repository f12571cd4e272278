"""Closed-loop players: who has sent a move waits until all at the match have seen it, then the next one thinks."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from random import Random
from statistics import fmean
from time import perf_counter

from games.matches.load.claimants import claim_on
from games.matches.load.lines import Line, open_line
from games.matches.load.scripts import Prepared
from games.matches.load.seating import PlayError, Seating, do_some_at_once

MARGIN = 1.6
"""So many times the moves of the warm-up's pace are prepared."""

AGAIN_WARM_S = 0.5
"""From the opening of further lines to the first move that is counted, beside what everybody thinks."""

More = Callable[[int], Awaitable[Iterable[Prepared]]]
"""Prepares so many further matches."""


@dataclass(slots=True)
class Tally:
    """What the players have noted; in seconds from the send: to the last other player's screen, to the own answer."""

    shown: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    matches: int = 0
    pushes: int = 0
    received: int = 0
    came_back: int = 0
    seconds: float = 0.0
    ran_out: bool = False


class Company:
    """All players of a load test. Lines are opened before the clock runs, also those of matches that come later.

    So connecting is not counted with the moves; and no page sends more than the site takes from one.
    """

    def __init__(self, addresses: Sequence[str], *, cookie: str, think: float, seed: int, apart: bool) -> None:
        self.tally = Tally()
        self._addresses = addresses
        self._cookie = cookie
        self._think = think
        self._apart = apart
        self._rng = Random(seed)
        self._all: list[Seating] = []
        self._next: list[Seating] = []
        self._measuring = False
        self._warm_moves = 0
        self._over = asyncio.Event()
        self._lacking = asyncio.Event()
        self._open = asyncio.Event()
        self._open.set()

    async def sit_down(self, matches: Iterable[Prepared]) -> None:
        """Open the lines of these matches too: all seats of one at the same address, as the proxy in front brings them;
        or apart, as far as there are several.

        Raises `PlayError`, `OSError`, in a group.
        """
        seatings = [self._seating(number, prepared) for number, prepared in enumerate(matches, len(self._all))]
        self._all += seatings
        await do_some_at_once([seating.open for seating in seatings])
        self._next = [*reversed(seatings), *self._next]

    async def play(
        self,
        *,
        at_once: int,
        warm_up: float,
        seconds: float,
        more: More | None,
        meanwhile: Callable[[], Awaitable[None]],
    ) -> None:
        """So many matches at once, one after the other each; the warm-up is not counted.

        `more` is asked for as many further matches as the pace of the warm-up makes probable; then `meanwhile` runs
        beside the moves that are counted, which go on until it has ended.
        """
        players = [asyncio.create_task(self._play_on()) for _ in range(at_once)]
        try:
            await self._warm_up(warm_up, seconds, at_once, more)
            self._measuring = True
            before, begun = self._received(), perf_counter()
            await asyncio.gather(self._pause(seconds), meanwhile())
            self._measuring = False
            self.tally.seconds = perf_counter() - begun
            pushes, received = self._received()
            self.tally.pushes, self.tally.received = pushes - before[0], received - before[1]
            self.tally.came_back = sum(seating.came_back for seating in self._all)
        finally:
            self._over.set()
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)

    def drop(self) -> None:
        """Break the lines of all who play."""
        for seating in self._all:
            if seating.is_under_way:
                seating.drop()

    def versions(self) -> dict[str, int]:
        """By slug, the newest version that anybody at the match has seen."""
        return {seating.prepared.slug: max(line.version for line in seating.lines) for seating in self._all}

    def leave(self) -> None:
        for seating in self._all:
            seating.leave()

    def _seating(self, number: int, prepared: Prepared) -> Seating:
        places, step = len(self._addresses), int(self._apart)
        return Seating(
            prepared,
            [
                partial(self._open_line, self._addresses[(number + seat * step) % places], prepared, session)
                for seat, session in enumerate(prepared.sessions)
            ],
        )

    async def _open_line(self, address: str, prepared: Prepared, session: str, version: int) -> Line:
        reads = bool(prepared.claims)
        return await open_line(address, prepared.slug, session, cookie=self._cookie, version=version, reads_turns=reads)

    async def _warm_up(self, warm_up: float, seconds: float, at_once: int, more: More | None) -> None:
        begun = perf_counter()
        await self._pause(warm_up, self._lacking)
        pace = self._warm_moves / max(perf_counter() - begun, 0.001)
        in_real_time = any(seating.prepared.claims for seating in self._all)
        lacking = MARGIN * pace * (seconds + AGAIN_WARM_S + self._think) - self._steps_left()
        if more is not None and not in_real_time and (lacking > 0 or self._lacking.is_set()):
            self._open.clear()
            length = fmean(len(seating.prepared.steps) for seating in self._all)
            # Not all places are done with their last match at the same time.
            await self.sit_down(await more(ceil(max(0, lacking) / length) + 1 + at_once // 2))
            self._lacking.clear()
            self._open.set()
            await self._pause(AGAIN_WARM_S + self._think)

    def _steps_left(self) -> int:
        return sum(len(seating.prepared.steps) for seating in self._next)

    async def _play_on(self) -> None:
        await self._pause(self._rng.uniform(0, self._think))
        while not self._over.is_set():
            await self._open.wait()
            if self._next:
                await self._play_match(self._next.pop())
            elif self._measuring:
                self.tally.ran_out = True
                self._over.set()
            else:
                self._lacking.set()
                await asyncio.sleep(0.01)

    async def _play_match(self, seating: Seating) -> None:
        try:
            if seating.prepared.claims:
                await self._claim_on(seating)
            else:
                await self._play_script(seating)
        except PlayError as error:
            self.tally.errors[str(error)] += 1

    async def _claim_on(self, seating: Seating) -> None:
        doings = [
            claim_on(seating, seat, rng=self._rng, think=self._think, pause=self._pause, note=self._note)
            for seat in range(len(seating.lines))
        ]
        seats = [asyncio.create_task(doing) for doing in doings]
        try:
            await asyncio.gather(*seats)
        finally:
            for seat in seats:
                seat.cancel()
        if self._measuring:
            self.tally.matches += 1

    async def _play_script(self, seating: Seating) -> None:
        while seating.at < len(seating.prepared.steps):
            if seating.at and self._think:
                await self._pause(self._think * self._rng.uniform(0.5, 1.5))
            await self._until_open()
            if self._over.is_set():
                return
            self._note(*await seating.play())
        if self._measuring:
            self.tally.matches += 1

    async def _until_open(self) -> None:
        """While further lines are opened nobody plays; then not all who have waited for it come at the same moment."""
        if not self._open.is_set():
            await self._open.wait()
            await self._pause(self._rng.uniform(0, self._think))

    def _note(self, shown: float, answered: float) -> None:
        if self._measuring:
            self.tally.moves += 1
            self.tally.shown.append(shown)
            self.tally.answered.append(answered)
        else:
            self._warm_moves += 1

    async def _pause(self, seconds: float, *sooner: asyncio.Event) -> None:
        """So long, or until all is over, or one of these is set."""
        events = [self._over, *sooner]
        if seconds <= 0 or any(event.is_set() for event in events):
            return
        waits = [asyncio.create_task(event.wait()) for event in events]
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    def _received(self) -> tuple[int, int]:
        lines = [line for seating in self._all for line in seating.lines]
        return sum(line.pushes for line in lines), sum(line.received for line in lines)
