"""Players of a match in real time: each claims, right or wrong, once in every round that opens on their page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from time import perf_counter

from games.matches.errors import StaleTurn
from games.matches.load.seating import PATIENCE_S, PlayError, Seating

LOOK_EVERY_S = 0.02

TOO_LATE = StaleTurn.code
"""Somebody else has ended the round meanwhile: that happens to people as well, and is no error of anybody's."""

Note = Callable[[float, float], None]
"""Takes the seconds until all others have something new, and until the own answer."""


async def claim_on(
    seating: Seating, seat: int, *, rng: Random, think: float, pause: Callable[[float], Awaitable[None]], note: Note
) -> None:
    """Play that seat until the match is over. Raises `PlayError`.

    In a page of this kind nothing tells to which claim a change belongs: what counts for a claim is the first new
    version that all others have after it, with the time for which the rules hold it back.
    """
    claimed = ""
    while True:
        line = seating.lines[seat]
        if line.status not in ("", "running"):
            return
        if line.closed_with is None and line.may_act and line.turn_key != claimed:
            claimed = line.turn_key
            await pause(think * rng.uniform(0.5, 1.5))
            if line.may_act and line.turn_key == claimed:
                await _claim(seating, seat, claimed, rng.choice(seating.prepared.claims), note)
        await asyncio.sleep(LOOK_EVERY_S)


async def _claim(seating: Seating, seat: int, turn_key: str, text: str, note: Note) -> None:
    line = seating.lines[seat]
    others = [other for other in seating.lines if other is not line]
    before = [other.version for other in others] or [line.version]
    key = f"{turn_key}-{seat}"
    line.refusal, sent_at = "", perf_counter()
    line.send(act="move", move=text, turn_key=turn_key, key=key)
    await _until(lambda: line.answered == key or line.closed_with is not None, seating)
    if line.closed_with is not None:
        return
    if line.refusal == TOO_LATE:
        return
    if line.refusal:
        raise PlayError(f"refused-{line.refusal}")
    watched = others or [line]
    await _until(lambda: all(other.version > seen for other, seen in zip(watched, before, strict=True)), seating)
    note(max(other.heard_at for other in watched) - sent_at, line.answered_at - sent_at)


async def _until(is_so: Callable[[], bool], seating: Seating) -> None:
    """Wait for what comes over any of the lines. Raises `PlayError` after too long."""
    deadline = perf_counter() + PATIENCE_S
    while not is_so():
        if perf_counter() > deadline:
            raise PlayError("timeout")
        await asyncio.sleep(LOOK_EVERY_S)
