"""One load test from the first line that opens to the figures."""

from __future__ import annotations

import asyncio
import os
import resource
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from games.matches.load.bots import Bots, Parlour
from games.matches.load.bystanders import Bystanders
from games.matches.load.figures import cpu_of_all, listener_of, spent_between
from games.matches.load.players import Company, More
from games.matches.load.report import as_figures
from games.matches.load.scripts import Crowd
from games.matches.load.seating import PlayError
from games.matches.load.stores import Stores

OWN = "load test"
SOCKETS = "sockets"

STORM_AFTER_S = 1.0
"""Of moves that are counted, before the lines break."""


def allow_many_sockets() -> None:
    """Each socket is a file: as many as this user may have, here and in processes that are started from now on."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class RunError(Exception):
    """A load test could not be done; the text says why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked of a load test; times in seconds. `processes` are those whose processor time is looked at."""

    addresses: list[str]
    matches: int
    think: float
    seconds: float
    warm_up: float
    idle: int = 0
    storm: int = 0
    bots: int = 0
    seed: int = 1
    apart: bool = False  # the seats of a match at different addresses
    processes: dict[str, list[int]] = field(default_factory=dict)

    @property
    def prepared(self) -> int:
        """Matches that are there from the beginning; the pace of the warm-up tells how many more there must be."""
        return self.matches + max(10, self.matches // 10)


async def run(
    plan: Plan, crowd: Crowd, *, cookie: str, stores: Stores, more: More | None, parlour: Parlour | None = None
) -> dict[str, Any]:
    """Play, and give the figures. Raises `RunError` if nobody can sit down. `cookie` is the name of the session's;
    `parlour` makes the matches of bots, if there are to be any."""
    company = Company(plan.addresses, cookie=cookie, think=plan.think, seed=plan.seed, apart=plan.apart)
    bystanders = Bystanders(plan.addresses, cookie=cookie, crowd=crowd)
    bots = Bots(plan.addresses, cookie=cookie, number=plan.bots, parlour=parlour) if plan.bots and parlour else None
    processes = {**_listeners(plan.addresses), **plan.processes}
    meter = _Meter(processes, stores)
    cpu: dict[str, float] = {}
    extra: dict[str, Any] = {}

    async def meanwhile() -> None:
        if plan.storm:
            await asyncio.sleep(STORM_AFTER_S)
            company.drop()
            extra["storm"] = await bystanders.storm()

    async def begin() -> None:
        await meter.begin()
        if bots is not None:
            bots.measure()
        await meanwhile()

    try:
        await company.sit_down(crowd.matches)
        if plan.idle:
            extra["idle"] = await bystanders.sit_idle(plan.idle, processes.get(SOCKETS, []))
        await bystanders.sit_down(plan.storm)
        if bots is not None:
            await bots.begin()
        await company.play(at_once=plan.matches, warm_up=plan.warm_up, seconds=plan.seconds, more=more, meanwhile=begin)
        cpu = await meter.end()
        if plan.storm:
            extra["storm"]["behind"] = await bystanders.behind(company.versions())
    except* (OSError, PlayError) as errors:
        first = _first_of(errors)
        raise RunError(f"Not all could sit down at {', '.join(plan.addresses)}: {first}") from first
    finally:
        if bots is not None:
            extra["bots"] = await bots.end()
        company.leave()
        bystanders.leave()
    return {**as_figures(company.tally, cpu=cpu), **extra}


class _Meter:
    """The processor time of everything that has a part in it, from `begin` to `end`."""

    def __init__(self, processes: dict[str, list[int]], stores: Stores) -> None:
        self._processes = {**processes, OWN: [os.getpid()]}
        self._stores = stores
        self._before: dict[str, dict[int, float]] = {}

    async def begin(self) -> None:
        self._before = await self._look()

    async def end(self) -> dict[str, float]:
        """Seconds by name."""
        after = await self._look()
        return {name: spent_between(self._before.get(name, {}), found) for name, found in after.items()}

    async def _look(self) -> dict[str, dict[int, float]]:
        stores = await asyncio.to_thread(self._stores.look)
        return {**{name: cpu_of_all(pids) for name, pids in self._processes.items()}, **stores}


def _listeners(addresses: list[str]) -> dict[str, list[int]]:
    """The processes at these addresses, if they are on this machine."""
    found = [pid for parts in map(urlsplit, addresses) if parts.port and (pid := listener_of(parts.port)) is not None]
    return {SOCKETS: sorted(set(found))} if found else {}


def _first_of(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    first: BaseException = errors
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return first
