"""Starts the processes of a house, says what they say, starts them again when they die, and ends them together."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from time import monotonic
from typing import Any

from deploy.ports import HERE

UP_WITHIN_S = 90.0
DOWN_WITHIN_S = 13.0
"""Longer than any of ours takes (`games/matches/management/server.py`); what is left then is killed."""

LOOK_EVERY_S = 0.1

SOON_S = 5.0
"""Who dies sooner than that after its start will do so again: each time it is left alone for twice as long."""

LONGEST_REST_S = 30.0

LONGEST_LINE = 1 << 20


@dataclass(frozen=True, slots=True)
class Part:
    """One process: its name in the log, its command, and how it is known to be up.

    With a `port` it is up when it answers /readyz there with 200, with `accepts` as soon as it takes connections at
    that port, and with neither when it has said something. It is told to end by SIGTERM, and with `reloads` reads its
    files anew on SIGHUP instead of being started again.
    """

    name: str
    command: Sequence[str]
    port: int | None = None
    accepts: int | None = None
    reloads: bool = False


class NotUp(Exception):
    """A process did not come up, and why as far as we know."""


class Running:
    """A part that is kept running until it is told to end."""

    def __init__(self, part: Part, environment: Mapping[str, str]) -> None:
        self.part = part
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._heard = False
        self._ended = False

    async def start(self) -> None:
        """Start it, wait until it is up, and keep it so. Raises `NotUp`."""
        self._ended = False
        await self._spawn()
        try:
            await self._wait_until_up()
        finally:  # however that ends, it has a process that somebody must look after
            if not self._ended:
                self._keeping = asyncio.create_task(self._keep())

    async def renew(self) -> None:
        """End it, and start it anew, with the code and the settings of now. Raises `NotUp`."""
        if self.part.reloads:
            self._send(signal.SIGHUP)
            return
        await self.stop(signal.SIGTERM)
        await self.start()

    async def stop(self, number: signal.Signals) -> None:
        """Tell it to end by this signal, wait until it has, and if need be kill it."""
        self._ended = True
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.wait([self._keeping])
            self._keeping = None
        if self._process is None:
            return
        self._send(number)
        try:
            await asyncio.wait_for(self._process.wait(), DOWN_WITHIN_S)
        except TimeoutError:
            say(self.part.name, f"has not ended within {DOWN_WITHIN_S:.0f} s, and is killed")
            self._send(signal.SIGKILL)
            await self._process.wait()
        if self._reading is not None:
            await asyncio.wait([self._reading], timeout=1)
        self._process = None

    def _send(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def _spawn(self) -> None:
        self._heard = False
        self._process = await asyncio.create_subprocess_exec(
            *self.part.command,
            env=dict(self._environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            limit=LONGEST_LINE,
            # Ctrl-C goes to everybody in the terminal's group: these are told by us, in their order.
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self._reading = asyncio.create_task(self._read(self._process.stdout))

    async def _read(self, stream: asyncio.StreamReader) -> None:
        while True:
            try:
                line = await stream.readline()
            except ValueError:  # longer than anything of ours: what of it was read is dropped
                continue
            if not line:
                return
            self._heard = True
            say(self.part.name, line.decode(errors="replace").rstrip("\n"))

    async def _wait_until_up(self) -> None:
        deadline = monotonic() + UP_WITHIN_S
        while not await self._is_up():
            assert self._process is not None
            if self._process.returncode is not None:
                raise NotUp(f"{self.part.name} has ended with status {self._process.returncode}")
            if monotonic() > deadline:
                raise NotUp(f"{self.part.name} is not ready after {UP_WITHIN_S:.0f} s")
            await asyncio.sleep(LOOK_EVERY_S)

    async def _is_up(self) -> bool:
        if self.part.port is not None:
            return await asyncio.to_thread(_is_ready, self.part.port)
        if self.part.accepts is not None:
            return await asyncio.to_thread(_takes_connections, self.part.accepts)
        return self._heard

    async def _keep(self) -> None:
        rest = 1.0
        while True:
            assert self._process is not None
            began = monotonic()
            status = await self._process.wait()
            rest = min(2 * rest, LONGEST_REST_S) if monotonic() - began < SOON_S else 1.0
            say(self.part.name, f"has died (status {status}), and is started again in {rest:.0f} s")
            await asyncio.sleep(rest)
            await self._spawn()


def _is_ready(port: int) -> bool:
    line = HTTPConnection(HERE, port, timeout=5)
    try:
        line.request("GET", "/readyz")
        return line.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        line.close()


def _takes_connections(port: int) -> bool:
    try:
        socket.create_connection((HERE, port), timeout=5).close()
    except OSError:
        return False
    return True


class House:
    """Several parts. They are started in their order, renewed one at a time, and ended all at once.

    The last one, which stands in front of the others, is ended last.
    """

    def __init__(self, parts: Sequence[Part], environment: Mapping[str, str]) -> None:
        self._parts = [Running(part, environment) for part in parts]
        self._ending: asyncio.Future[signal.Signals] | None = None
        self._renewal = asyncio.Event()

    async def run(self, opened: str) -> int:
        """Start everything, say `opened`, and go on until SIGTERM or Ctrl-C; SIGHUP renews. The exit status."""
        loop = asyncio.get_running_loop()
        self._ending = loop.create_future()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end, number)
        loop.add_signal_handler(signal.SIGHUP, self._renewal.set)
        opening = asyncio.create_task(self._open(opened))
        try:
            await _either(opening, self._ending)
            if opening.done() and not self._ending.done():
                if not opening.result():
                    return 1
                await self._renew_until_the_end()
            return 0
        finally:
            opening.cancel()
            await asyncio.wait([opening])
            number = self._ending.result() if self._ending.done() else signal.SIGTERM
            *behind, front = self._parts
            await asyncio.gather(*(running.stop(number) for running in behind))
            await front.stop(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._ending is not None and not self._ending.done():
            self._ending.set_result(number)

    async def _open(self, opened: str) -> bool:
        try:
            first, *others = self._parts
            await first.start()
            *behind, front = others
            await asyncio.gather(*(running.start() for running in behind))
            await front.start()
        except NotUp as error:
            say("house", f"{error}: everything is ended")
            return False
        say("house", opened)
        return True

    async def _renew_until_the_end(self) -> None:
        assert self._ending is not None
        renewing = asyncio.create_task(self._renew_when_asked())
        try:
            await _either(renewing, self._ending)
        finally:
            renewing.cancel()
            await asyncio.wait([renewing])

    async def _renew_when_asked(self) -> None:
        while True:
            await self._renewal.wait()
            self._renewal.clear()
            say("house", "renewing everything, one after the other")
            try:
                # The keepers, which come first, last: what newer code does by itself comes after all can read it.
                for running in reversed(self._parts):
                    await running.renew()
            except NotUp as error:
                say("house", f"{error}: the others stay as they are")
            else:
                say("house", "everything is renewed")


async def _either(*futures: asyncio.Future[Any]) -> None:
    """Until one of them is done."""
    await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)


def say(name: str, text: str) -> None:
    """A line of the log, with whose it is."""
    print(f"{name:<10} | {text}", flush=True)


def run(parts: Sequence[Part], environment: Mapping[str, str], *, opened: str) -> int:
    """Run these until told to end; the exit status."""
    return asyncio.run(House(parts, {**os.environ, **environment}).run(opened))


def python(*command: str) -> list[str]:
    """A command of this very Python."""
    return [sys.executable, *command]
