"""A server that is told to end: what was taken in is answered, its pages go elsewhere by and by, and it is gone."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests.browser.server import Site, answers_at
from tests.faults.line import Line

pytestmark = pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="how a server ends depends on no database")

RESTART = 1012
GONE_WITHIN_S = 25
"""At most 11 s, as `games/matches/management/server.py` has it; and air for a busy machine: a hang has no end."""

QUICKLY_S = 6.5
"""At most 2 s, and some air; with what is connected then, an orderly end would take 7 s at least."""

SOCKETS = 12


class Door:
    """A `manage.py serve` on a database of its own, with a match between alice and bob."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.process: subprocess.Popen[bytes] | None = None

    def open(self, *options: str) -> None:
        """Start it, and seat the two."""
        written = self.site.log.stat().st_size if self.site.log.exists() else 0
        self.process = self.site.spawn("manage.py", "serve", "--port", "0", *options)
        self.site.wait_for(self.process, lambda: self.site._says_where(written) and self.site.answers())
        self.site.ask("clear")
        people = ("alice", "bob")
        self.sessions = {name: self.site.ask("add_person", username=name, display_name=name) for name in people}
        self.slug = self.site.ask("seat_match", players=people, seed=1, pace="turns")["slug"]

    def line(self, name: str) -> Line:
        """A socket of that person's, which shows the match already."""
        line = Line(self.site.address, self.slug, self.sessions[name])
        while not line.version:
            line.hear()
        return line

    def tell(self, number: signal.Signals) -> float:
        """Tell it to end; when that was."""
        assert self.process is not None
        self.process.send_signal(number)
        return time.monotonic()

    def wait_until_it_has_ended(self) -> float:
        """When that was."""
        assert self.process is not None
        assert self.process.wait(timeout=60) == 0
        return time.monotonic()


@pytest.fixture(scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("door"))
    site.prepare()
    yield site
    site.close()
    assert "Traceback" not in site.log.read_text()


@pytest.fixture
def door(_site: Site) -> Iterator[Door]:
    door = Door(_site)
    yield door
    if door.process is not None:
        door.process.kill()
        door.process.wait()


@pytest.fixture
def watcher() -> Iterator[HTTPConnection]:
    """Somebody with a connection of their own."""
    connection = HTTPConnection("127.0.0.1", timeout=20)
    yield connection
    connection.close()


def send_half_a_form(connection: HTTPConnection, address: str) -> None:
    connection.port = urlsplit(address).port or 80
    connection.putrequest("POST", "/account/login/")
    connection.putheader("Content-Length", "500")
    connection.endheaders(b"abc")


def test_a_move_under_way_is_answered_and_then_its_page_is_sent_elsewhere(door: Door, watcher: HTTPConnection) -> None:
    """While nobody new gets in, and watchers who have a connection are told."""
    door.open("--without-keeper")
    move = door.site.ask("next_move", slug=door.slug)
    line = door.line(move["username"])
    watcher.port = door.site.port
    watcher.request("GET", "/healthz")
    watcher.getresponse().read()
    with closing(sqlite3.connect(door.site.folder / "tesela.sqlite3", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")  # the move has to wait for this
        line.send("move", move=move["text"], turn_key=move["turn_key"], key="the-move")
        line.wait_until_taken_in()
        door.tell(signal.SIGTERM)
        deadline = time.monotonic() + 20
        while answers_at(door.site.address):
            assert time.monotonic() < deadline, "it stops listening at once"
        watcher.request("GET", "/readyz")
        answer = watcher.getresponse()
        assert (answer.status, answer.read()) == (503, b"process: about to end\n")
        writer.execute("ROLLBACK")
    line.hear_answer("the-move")
    assert line.hear_the_end() == RESTART
    door.wait_until_it_has_ended()
    assert door.site.ask("moves_by_key", slug=door.slug) == [["the-move", move["text"]]]


def test_sockets_are_closed_one_after_the_other_also_those_that_nobody_reads(
    door: Door, watcher: HTTPConnection
) -> None:
    """One of them is in nobody's hands."""
    door.open("--without-keeper")
    lines = [door.line("alice") for _ in range(SOCKETS)]
    unread = door.line("bob")
    ends: list[tuple[int | None, float]] = []
    listeners = [
        threading.Thread(target=lambda line=line: ends.append((line.hear_the_end(), time.monotonic())))
        for line in lines
    ]
    for listener in listeners:
        listener.start()
    told = door.tell(signal.SIGTERM)
    for listener in listeners:
        listener.join(timeout=30)
    assert [code for code, _ in ends] == [RESTART] * SOCKETS
    moments = sorted(moment for _, moment in ends)
    assert moments[-1] - moments[0] > 1, "not all at once"
    assert door.wait_until_it_has_ended() - told < GONE_WITHIN_S
    unread.hang_up()


def test_at_a_keyboard_it_ends_at_once(door: Door, watcher: HTTPConnection) -> None:
    """The whole house in one process, with a page open and a request that never comes to its end."""
    door.open()
    line = door.line("alice")
    send_half_a_form(watcher, door.site.address)
    told = door.tell(signal.SIGINT)
    assert line.hear_the_end() == RESTART
    assert door.wait_until_it_has_ended() - told < QUICKLY_S
