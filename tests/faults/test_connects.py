"""Sockets that come and go by the thousand, politely or cut off, leave nothing behind in the process that had them."""

from __future__ import annotations

import asyncio
import re
import socket
import struct
import time
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from tests.faults.house import House
from tests.sizes import SOAKING, size

WARM_UP = size("connects before it is measured", ci=500, soak=15_000)
"""In full so many that memory has found its level. What goes in circles waits for the collector's whole looks, one
after a thousand connects or so, and the room for it is taken bit by bit."""

CONNECTS = size("connects", ci=1_500, soak=10_000)
"""More than wait for one such look."""

AT_ONCE = 10

GROWTH = 0.05
"""Of the memory after the warm-up. A few connects cannot be told by that from what memory does by itself; then ..."""

LEAK_KIB = 4
"""... no connect may leave so much, in each of ..."""

ROUNDS = 1 if SOAKING else 3
"""... so many rounds: what leaks grows in all of them, and what a process takes for its first thousand visits does not.
"""

PATIENCE_S = 20
GONE_WITHIN_S = 40
"""The server cuts short after ten seconds what does not end by itself."""

KEPT = ("tesela_open_sockets", "tesela_groups", "tesela_group_members", "tesela_watching_sockets")


class Page(NamedTuple):
    """Somebody who opens a socket; the first push has the mark in it."""

    path: str
    session: str
    mark: str


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Nobody else's: what it keeps is compared."""
    house = House(tmp_path)
    try:
        house.open()
        yield house
        assert "Traceback" not in house.log, house.log
    finally:
        house.close()


@pytest.fixture
def pages(house: House) -> list[Page]:
    """Players and people who look on, at a match by turns and at one in real time, and some in the lobby."""
    sessions = {name: house.ask("add_person", username=name, display_name=name) for name in ("alice", "bob", "carol")}
    found = [Page("/ws/lobby/", session, "lobby") for session in (sessions["alice"], "")]
    for game in ("m", "blockyou"):
        slug = house.ask("seat_match", players=["alice", "bob"], seed=7, game=game, pace="live")["slug"]
        path = f"/ws/matches/{slug}/?version=0&stage=match"
        found += [Page(path, session, 'id="freshness"') for session in (*sessions.values(), "")]
    return found


def test_sockets_that_come_and_go_leave_nothing_behind(house: House, pages: list[Page]) -> None:
    asyncio.run(come_and_go(house.address, pages, WARM_UP))
    wait_until_nothing_is_kept(house.address)
    for left in reversed(range(ROUNDS)):
        before, began = memory_kib(house), time.monotonic()
        asyncio.run(come_and_go(house.address, pages, CONNECTS))
        took = time.monotonic() - began
        wait_until_nothing_is_kept(house.address)
        grown = memory_kib(house) - before
        said = f"{CONNECTS} connects in {took:.0f} s: from {before} KiB by {grown} KiB"
        print(said)  # noqa: T201
        if grown < (GROWTH * before if SOAKING else LEAK_KIB * CONNECTS):
            break
        assert left, said


async def come_and_go(address: str, pages: list[Page], visits: int) -> None:
    """So many visits, some at once; each as another of the pages, and each goes in another way."""
    numbers = iter(range(visits))

    async def visit_on() -> None:
        for number in numbers:
            await visit(address, pages[number % len(pages)], number // len(pages))

    async with asyncio.timeout(PATIENCE_S + visits), asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(visit_on())


async def visit(address: str, page: Page, way: int) -> None:
    """Open it, get the first push, and go: every other time politely. One in eight does not wait for the push."""
    line = await connect(
        address.replace("http", "ws", 1) + page.path,
        origin=Origin(address),
        additional_headers={"Cookie": f"sessionid={page.session}"},
        compression=None,
        proxy=None,
        open_timeout=PATIENCE_S,
        close_timeout=PATIENCE_S,
    )
    async with asyncio.timeout(PATIENCE_S):
        while way % 8 != 7 and page.mark not in await line.recv(decode=True):
            pass
        if way % 2:
            cut(line)
            await line.wait_closed()
        else:
            await line.close()


def cut(line: ClientConnection) -> None:
    """Break the connection: the other side is told by a reset, and not by a farewell."""
    line.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.transport.abort()


def wait_until_nothing_is_kept(address: str) -> None:
    """Until no socket is counted any more, no group is kept, and none is watched for."""
    deadline = time.monotonic() + GONE_WITHIN_S
    while any((kept := figures(address)).values()):
        assert time.monotonic() < deadline, kept
        time.sleep(0.1)


def figures(address: str) -> Mapping[str, float]:
    """What the process says it keeps."""
    with urlopen(f"{address}/metrics", timeout=PATIENCE_S) as answer:
        found = re.findall(r"^(\w+)(?:\{.*\})? ([\d.e+]+)$", answer.read().decode(), re.MULTILINE)
    assert {name for name, _ in found} >= set(KEPT)
    number = count()
    return {f"{name} {next(number)}": float(value) for name, value in found if name in KEPT}


def memory_kib(house: House) -> int:
    """What the process has taken for itself."""
    return int(Path(f"/proc/{house.pid()}/status").read_text().partition("RssAnon:")[2].split()[0])
