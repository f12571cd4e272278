"""One match with its players' lines: who loses theirs comes back, and repeats what was not answered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import random
from time import perf_counter

from games.matches.load.lines import Line
from games.matches.load.scripts import Prepared

PATIENCE_S = 30.0
"""For so long a move, or a line that opens, is waited for."""

OPENING_AT_ONCE = 8
"""Lines that open at the same time before the clock runs: of more at once a busy server gives some up."""

TRIES = 3
"""So often a line is opened before the clock runs."""

RECONNECT_WITHIN_S = 4.0
"""The longest pause of a page whose line is broken, before it tries again (live.js)."""

FINAL = frozenset((401, 403, 404, 1008, 4401, 4404, 4429))
"""With these answers or close codes a page does not try again."""


HERE = {"act": "here"}
"""What a player's page says as soon as it is open."""


class PlayError(Exception):
    """What has kept a move from being shown, or a line from opening, in a word."""


Opener = Callable[[int], Awaitable[Line]]
"""Opens a line for a page that shows this version."""


class Seating:
    """The players of one match. `at` steps of its script have been played; `came_back` counts lines opened again."""

    def __init__(self, prepared: Prepared, openers: Sequence[Opener]) -> None:
        self.prepared = prepared
        self.lines: list[Line] = []
        self.at = 0
        self.version = 0
        self.came_back = 0
        self._openers = openers
        self._waiting: asyncio.Future[None] | None = None
        self._message: dict[str, str] = {}
        self._actor = 0
        self._left = False
        self._coming_back: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Open the lines of all seats. Raises `PlayError`, `OSError`."""
        self.lines = [await open_surely(opener) for opener in self._openers]
        for line in self.lines:
            line.told = self._told
            line.send(**HERE)
        self.version = max(line.version for line in self.lines)

    @property
    def is_under_way(self) -> bool:
        return bool(self.prepared.claims) or 0 < self.at < len(self.prepared.steps)

    async def play(self) -> tuple[float, float]:
        """Send the next step; seconds until all others have it, and until its own player has the answer.

        Raises `PlayError` with a word for what went wrong; the match can't go on then.
        """
        step = self.prepared.steps[self.at]
        key = f"{self.at}-{step.seat}"
        self.at += 1
        self.version += 1
        self._actor = step.seat
        self._message = {"act": "move", "move": step.text, "turn_key": step.turn_key, "key": key}
        self._waiting = asyncio.get_running_loop().create_future()
        sent_at = perf_counter()
        self.lines[step.seat].send(**self._message)
        try:
            await asyncio.wait_for(self._waiting, PATIENCE_S)
        except TimeoutError:
            raise PlayError("timeout") from None
        finally:
            self._waiting = None
        actor = self.lines[step.seat]
        others = [line.heard_at for line in self.lines if line is not actor]
        return max(others, default=actor.heard_at) - sent_at, actor.answered_at - sent_at

    def drop(self) -> None:
        """Break all lines, as when the server dies."""
        for line in self.lines:
            line.hang_up()

    def leave(self) -> None:
        """Break them for good."""
        self._left = True
        for task in self._coming_back:
            task.cancel()
        self.drop()

    def _told(self, line: Line) -> None:
        if self._left:
            return
        if line.closed_with in FINAL:
            self._fail(f"closed-{line.closed_with}")
        elif line.closed_with is not None:
            task = asyncio.create_task(self._come_back(self.lines.index(line)))
            self._coming_back.add(task)
            task.add_done_callback(self._coming_back.discard)
        elif line.refusal and self._waiting is not None and line is self.lines[self._actor]:
            self._fail(f"refused-{line.refusal}")
        elif (waiting := self._waiting) is not None and not waiting.done() and self._all_have_it():
            waiting.set_result(None)

    def _all_have_it(self) -> bool:
        answered = self.lines[self._actor].answered == self._message["key"]
        return answered and all(line.version >= self.version for line in self.lines)

    def _fail(self, word: str) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(PlayError(word))

    async def _come_back(self, seat: int) -> None:
        old, tries = self.lines[seat], 0
        while not self._left:
            await asyncio.sleep(pause_before(tries))
            tries += 1
            try:
                line = await self._openers[seat](old.version)
                if not await asyncio.wait_for(asyncio.shield(line.served), PATIENCE_S):
                    continue
            except OSError:  # also a timeout
                continue
            line.answered, line.answered_at = old.answered, old.answered_at
            line.told = self._told
            self.lines[seat] = line
            line.send(**HERE)
            self.came_back += 1
            if seat == self._actor and self._waiting is not None and line.answered != self._message["key"]:
                # Whether it was done is not known; with the same key it is done once.
                line.send(**self._message)
            self._told(line)
            return


def pause_before(tries: int) -> float:
    """Seconds before a page tries again that has tried so often: by chance, as the page itself has it."""
    return random() * min(RECONNECT_WITHIN_S, 2.0**tries)


async def open_surely(opener: Opener) -> Line:
    """A line that has been served, after some tries. Raises `PlayError`, `OSError`."""
    for left in reversed(range(TRIES)):
        line = await opener(0)
        try:
            if await asyncio.wait_for(asyncio.shield(line.served), PATIENCE_S):
                return line
        except TimeoutError:
            line.hang_up()
            continue
        if not left or line.closed_with in FINAL:
            break
    raise PlayError("not served" if line.closed_with is None else f"closed-{line.closed_with}")


async def do_some_at_once(doings: Sequence[Callable[[], Awaitable[None]]], *, at_once: int = OPENING_AT_ONCE) -> None:
    """Do all of these, so many at the same time. The first that raises ends it."""
    places = asyncio.Semaphore(at_once)

    async def do(doing: Callable[[], Awaitable[None]]) -> None:
        async with places:
            await doing()

    async with asyncio.TaskGroup() as group:
        for doing in doings:
            group.create_task(do(doing))
