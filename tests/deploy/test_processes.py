"""Processes that are kept running: again when they die, one after the other when renewed, and ended together."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from deploy.ports import free_port

ROOT = Path(__file__).parents[2]
WITHIN_S = 60

HOUSE = """
import sys
from deploy.processes import Part, python, run
speak = "import os, time; print('here', os.getpid(), flush=True); time.sleep(600)"
parts = [Part(name, python("-c", speak)) for name in ("first", "second", "front")]
if "--broken" in sys.argv:
    parts[1] = Part("second", python("-c", "raise SystemExit(3)"))
if "--late" in sys.argv:
    port = int(sys.argv[-1])
    listen = f"import socket, time; time.sleep(1); door = socket.create_server(('127.0.0.1', {port})); time.sleep(600)"
    parts[2] = Part("front", python("-c", listen), accepts=port)
sys.exit(run(parts, {}, opened="open"))
"""


class House:
    """Three processes that say their numbers."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOUSE, *options], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        self.lines: list[str] = []
        self._reader = Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.lines.append(line.rstrip())

    def wait_for(self, words: str, times: int = 1) -> None:
        """Until so many lines have these words."""
        deadline = time.monotonic() + WITHIN_S
        while sum(words in line for line in self.lines) < times:
            assert time.monotonic() < deadline, self.lines
            time.sleep(0.02)

    def pids(self, name: str) -> list[int]:
        """Of all that have run under that name, in order."""
        return [int(line.split()[-1]) for line in self.lines if line.startswith(name) and "here" in line]

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Tell it to end; its exit status."""
        self.process.send_signal(number)
        status = self.process.wait(timeout=WITHIN_S)
        self._reader.join()
        return status


@pytest.fixture
def house() -> Iterator[House]:
    house = House()
    yield house
    if house.process.poll() is None:
        house.end()


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_all_end_together(house: House, number: signal.Signals) -> None:
    house.wait_for("open")
    pids = [house.pids(name)[0] for name in ("first", "second", "front")]
    assert house.end(number) == 0
    assert all(map(is_gone, pids))


def test_who_dies_is_started_again(house: House) -> None:
    house.wait_for("open")
    os.kill(house.pids("second")[0], signal.SIGKILL)
    house.wait_for("second     | here", times=2)
    assert len(house.pids("first")) == 1
    assert house.end() == 0
    assert is_gone(house.pids("second")[1])


def test_renewed_each_is_another_process_one_after_the_other(house: House) -> None:
    house.wait_for("open")
    house.process.send_signal(signal.SIGHUP)
    house.wait_for("renewing everything")
    house.wait_for("everything is renewed")
    assert all(len(house.pids(name)) == 2 for name in ("first", "second", "front"))
    order = [line.split()[0] for line in house.lines if "here" in line][3:]
    assert order == ["front", "second", "first"]
    assert house.end() == 0
    assert all(map(is_gone, house.pids("first")))


def test_where_one_does_not_come_up_nothing_stays() -> None:
    house = House("--broken")
    assert house.process.wait(timeout=WITHIN_S) == 1
    house._reader.join()
    assert any("second has ended with status 3: everything is ended" in line for line in house.lines)
    assert all(map(is_gone, house.pids("first")))


def test_open_is_said_only_when_the_front_takes_connections() -> None:
    """nginx says nothing: whoever reads that the site is open must find it so."""
    port = free_port()
    house = House("--late", str(port))
    try:
        house.wait_for("open")
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    finally:
        assert house.end() == 0
