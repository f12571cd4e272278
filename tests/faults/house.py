"""The house as the processes that it is made of, each of which can be killed and started again.

Embedded it is `manage.py serve` alone. Where DATABASE_URL names PostgreSQL, or with stores of its own, it is some
processes for pages and sockets (doors) and two keepers.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from deploy.ports import free_port
from tests.browser.server import Site, answers_at
from tests.faults.stores import Stores

WEB = "web"
KEEPERS = ("keeper 1", "keeper 2")

ASKS_FOR_S = 60

ENDS_WITHIN_S = 15
"""After the signal to end: longer than an orderly farewell takes (`games/matches/management/server.py`). What is still
there then is killed, as service managers do."""


def door_command(port: int) -> tuple[str, ...]:
    """Starts a process for pages and sockets in the production shape."""
    return ("manage.py", "serve", "--without-keeper", "--port", str(port))


class House:
    """Started and killed in parts, at the same addresses each time.

    With `stores` it keeps its data there and has so many `doors`; `environment` is for processes of one part alone.
    """

    def __init__(self, folder: Path, *, stores: Stores | None = None, doors: int = 1) -> None:
        self.stores = stores
        self._site = Site(folder, _kept_in(stores) if stores is not None else None)
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._production = stores is not None or os.environ.get("DATABASE_URL", "").startswith("postgres")
        self._ports: dict[str, int] = {}
        self._starting = threading.Lock()
        self.doors: tuple[str, ...] = (WEB,)
        if self._production:
            self.doors = (WEB, *(f"{WEB} {number}" for number in range(2, doors + 1)))
            self._ports = {door: free_port() for door in self.doors}
            self._site.port = self._ports[WEB]
        self.parts = (*self.doors, *KEEPERS) if self._production else (WEB,)

    @property
    def address(self) -> str:
        """Of the first door, without a slash at its end."""
        return self._site.address

    @property
    def addresses(self) -> list[str]:
        """Of all doors."""
        return [self._address(door) for door in self.doors]

    def pid(self, door: str = WEB) -> int:
        """Of the process behind that door."""
        return self._running[door].pid if self._production else self._site.server.pid

    def open(self) -> None:
        """Prepare the data, and start everything."""
        if self.stores is not None:
            self.stores.start()
            with self.stores.postgres.session() as session:
                session.execute("CREATE DATABASE tesela")
        self._site.prepare()
        self.start(self.parts)

    def start(self, parts: Iterable[str]) -> None:
        """Start these, and wait until pages come."""
        parts = list(parts)
        self.launch(parts)
        self.wait_until_open(parts)

    def launch(self, parts: Iterable[str], environment: Mapping[str, str] | None = None) -> None:
        """Start these, without waiting for them in the production shape; those that run already run on."""
        for part in parts:
            if not self._production:
                self._site.start()
                continue
            command = door_command(self._ports[part]) if part in self._ports else ("manage.py", "keeper")
            with self._starting:
                if part not in self._running:
                    self._running[part] = self._site.spawn(*command, environment=environment)

    def wait_until_open(self, parts: Iterable[str] | None = None) -> None:
        """Until pages come from all doors among these parts, or from all."""
        for door in self._ports:
            if parts is None or door in parts:
                address = self._address(door)
                self._site.wait_for(self._running[door], lambda address=address: answers_at(address))  # type: ignore[misc]

    def kill(self, parts: Iterable[str]) -> None:
        """End these in the middle of whatever they do."""
        if not self._production:
            self._site.kill()
            return
        killed = [self._running.pop(part) for part in parts if part in self._running]
        for process in killed:
            process.kill()
        for process in killed:
            process.wait()

    def stop(self, parts: Iterable[str]) -> None:
        """Ask these to end, as a service manager would, and see that they do."""
        if not self._production:
            self._site.stop()
            return
        asked = [self._running.pop(part) for part in parts if part in self._running]
        for process in asked:
            process.terminate()
        deadline = time.monotonic() + ENDS_WITHIN_S
        for process in asked:
            try:
                process.wait(timeout=max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def close(self) -> None:
        """End everything that was started."""
        if self._production:
            self.kill(list(self._running))
        self._site.close()

    def ask(self, act: str, **arguments: Any) -> Any:
        """Have something done or looked up by one of the functions of `tests/browser/backstage.py`.

        With stores of its own, whose database comes and goes, it is waited for.
        """
        deadline = time.monotonic() + ASKS_FOR_S
        while True:
            try:
                return self._site.ask(act, **arguments)
            except RuntimeError as error:
                is_away = "OperationalError" in str(error) or "InterfaceError" in str(error)
                if self.stores is None or not is_away or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    @property
    def log(self) -> str:
        """What all its processes have written."""
        return self._site.log.read_text()

    def _address(self, door: str) -> str:
        return f"http://127.0.0.1:{self._ports[door]}" if door in self._ports else self._site.address


def _kept_in(stores: Stores) -> dict[str, str]:
    return {"DATABASE_URL": stores.postgres.url("tesela"), "REDIS_URL": stores.redis.url}
