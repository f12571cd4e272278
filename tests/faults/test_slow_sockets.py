"""Browsers that hardly read: others do not wait for them, the server keeps little for them, and lets them go."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median

import pytest

from tests.browser.server import Site
from tests.faults.page import Page
from tests.sizes import size

BLACKHOLES = 20
"""Pages that open their sockets and read nothing; as many read a byte now and then."""

ASKING, ASKED = 4, 50
"""So many of them ask so often for something, and each answer is a drawing of the match that joins the pile."""

MOVES = size("moves past slow sockets", ci=12, soak=150)

MOST_KIB_EACH = 1500
"""By which the server may grow for each of them, at the most: its pile, and the socket itself."""

AT_ONCE_S = 1.0
CLOSED_WITHIN_S = 30
PATIENCE_S = 20


class SlowPage(Page):
    """Keeps its socket, and reads of it only what it is told to: the server is left with the rest."""

    takes_in = 4096

    def read_a_byte(self) -> None:
        assert self._socket is not None
        self._socket.settimeout(0.001)
        with suppress(OSError):
            self._socket.recv(1)

    def is_gone(self) -> bool:
        """Whether the server has ended it."""
        assert self._socket is not None
        try:
            self._socket.settimeout(0.001)
            return not self._socket.recv(1 << 20)
        except TimeoutError:
            return False
        except OSError:
            return True


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that waits for nobody for long."""
    site = Site(tmp_path_factory.mktemp("site"), program=("-m", "tests.faults.impatient"))
    try:
        site.prepare()
        site.start()
        yield site
    finally:
        site.close()


def seat(site: Site) -> tuple[str, Page, Page]:
    """A match of M, and the open pages of its two players."""
    site.ask("clear")
    sessions = [site.ask("add_person", username=name, display_name=name) for name in ("alice", "bob")]
    slug = site.ask("seat_match", players=["alice", "bob"], seed=3)["slug"]
    pages = [Page(site.address, slug, session) for session in sessions]
    for page in pages:
        page.open()
        until_news(page)
    return slug, pages[0], pages[1]


def memory_kib(site: Site) -> int:
    """What the server holds in memory."""
    return int(Path(f"/proc/{site.server.pid}/status").read_text().partition("VmRSS:")[2].split()[0])


def until_news(page: Page) -> None:
    known, deadline = list(page.versions), time.monotonic() + PATIENCE_S
    while page.versions == known:
        assert time.monotonic() < deadline
        page.wait_for_news(0.1)


def move(site: Site, slug: str, alice: Page, bob: Page) -> float:
    """Whoever is to move does; seconds until the other's page has it."""
    (form,) = site.ask("open_moves", slug=slug)
    mover, other = (alice, bob) if form["username"] == "alice" else (bob, alice)
    began = time.monotonic()
    mover.send("move", move=form["text"], turn_key=form["turn_key"], key="")
    until_news(other)
    took = time.monotonic() - began
    until_news(mover)
    return took


def test_who_does_not_read_delays_nobody_costs_little_and_is_let_go(site: Site) -> None:
    slug, alice, bob = seat(site)
    alone = [move(site, slug, alice, bob) for _ in range(5)]
    before = memory_kib(site)
    pages = [SlowPage(site.address, slug, "") for _ in range(2 * BLACKHOLES)]
    for page in pages:
        page.open()
        alice.hear()
        bob.hear()
    for page in pages[:ASKING]:
        for _ in range(ASKED):
            page.send("nothing")
    beside, most = [], before
    for _ in range(MOVES):
        if site.ask("state", slug=slug)["status"] != "running":
            break
        beside.append(move(site, slug, alice, bob))
        most = max(most, memory_kib(site))
        for page in pages[::2]:
            if not page.is_gone():
                page.read_a_byte()
    assert median(beside) < max(AT_ONCE_S, 5 * median(alone))
    assert most - before < MOST_KIB_EACH * len(pages)
    deadline = time.monotonic() + CLOSED_WITHIN_S
    left = pages
    while left:
        assert time.monotonic() < deadline, f"{len(left)} are still open"
        left = [page for page in left if not page.is_gone()]
        alice.hear()
        bob.hear()
        time.sleep(0.1)
    assert alice.is_open
    assert bob.is_open
    _, counts = alice.request("GET", "/metrics")
    shed = re.search(r"^tesela_sockets_shed_total (\d+)", counts, re.MULTILINE)
    assert shed is not None
    assert int(shed[1]) > 0, "not only by pings"
    alice.hang_up()
    bob.hang_up()
    for page in pages:
        page.hang_up()
    took, each = (f"{median(times) * 1000:.0f} ms" for times in (alone, beside)), (most - before) // len(pages)
    print(f"a move alone and beside {len(pages)} that do not read: {', '.join(took)}; {each} KiB for each")  # noqa: T201
