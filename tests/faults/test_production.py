"""All of the production shape on this machine, as `make production` starts it: nginx, pages, sockets and a keeper."""

from __future__ import annotations

import os
import re
import shutil
import signal
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path

import pytest

from deploy.ports import free_port
from tests.browser.server import Site
from tests.faults.line import Closed, Line

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.skipif(not os.environ.get("DATABASE_URL"), reason="the production shape needs PostgreSQL"),
    pytest.mark.skipif(
        not (shutil.which("nginx") and shutil.which("openssl")), reason="the production shape needs nginx and openssl"
    ),
]

RESTART = 1012
PEOPLE = ("alice", "bob")
RENEWED_WITHIN_S = 120
ENDS_WITHIN_S = 15
BETWEEN_MOVES_S = 0.2


class Production:
    """`python -m deploy.local` on a database and a port of its own."""

    def __init__(self, folder: Path) -> None:
        self.site = Site(folder)
        self.port = free_port()
        self.address = f"https://127.0.0.1:{self.port}"
        self.process = self.site.spawn(
            *("-m", "deploy.local", "--port", str(self.port), "--first-port", str(self.port + 1)),
            *("--sockets", "2", "--pages", "2", "--keepers", "1"),
        )

    def wait_until_open(self) -> None:
        """Until it says that it is."""
        self.site.wait_for(self.process, lambda: self.says("open at https://"))

    def says(self, words: str) -> bool:
        """Whether its log has these words."""
        return words in self.log

    @property
    def log(self) -> str:
        """What all its processes have said."""
        return self.site.log.read_text()

    def get(self, path: str, method: str = "GET", body: bytes | None = None) -> tuple[HTTPResponse, bytes]:
        """The answer that comes over nginx, and its content as it came."""
        with closing(
            HTTPSConnection("127.0.0.1", self.port, context=ssl._create_unverified_context(), timeout=30)
        ) as line:
            line.request(method, path, body, {"Accept-Encoding": "gzip"} if method == "GET" else {})
            answer = line.getresponse()
            return answer, answer.read()

    def family(self) -> set[int]:
        """It, and all the processes that it and its own have started."""
        parents = {}
        for entry in Path("/proc").glob("[0-9]*/stat"):
            try:
                parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
        found = {self.process.pid}
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return found

    def close(self) -> None:
        """End all of it, however it stands."""
        family = self.family()
        self.process.terminate()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            for pid in family:
                os.kill(pid, signal.SIGKILL)
            self.process.wait()
        self.site.close()


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Production]:
    production = Production(tmp_path_factory.mktemp("production"))
    try:
        production.wait_until_open()
        yield production
        assert "Traceback" not in production.log, production.log
    finally:
        production.close()


def test_pages_come_with_the_headers_of_the_site_once(production: Production) -> None:
    answer, _ = production.get("/")
    assert answer.status == 200
    assert answer.headers["Content-Encoding"] == "gzip"
    for name in ("Content-Security-Policy", "Strict-Transport-Security", "X-Content-Type-Options", "X-Frame-Options"):
        assert len(answer.headers.get_all(name, [])) == 1, name
    assert "Secure" in answer.headers["Set-Cookie"]


def test_static_files_are_kept_for_ever_by_their_hashed_names_alone(production: Production) -> None:
    page = production.get("/help/", "HEAD")[0]
    assert page.status == 200
    names = [path.name for path in (production.site.folder / "static").glob("site.*.css")]
    hashed = next(name for name in names if re.fullmatch(r"site\.[0-9a-f]{12}\.css", name))
    kept, style = production.get(f"/static/{hashed}")
    plain, _ = production.get("/static/site.css")
    missing, _ = production.get("/static/site.000000000000.css")
    assert (kept.status, plain.status, missing.status) == (200, 200, 404)
    assert "immutable" in kept.headers["Cache-Control"]
    assert "immutable" not in plain.headers["Cache-Control"]
    assert "Cache-Control" not in missing.headers
    assert kept.headers["Content-Type"] == "text/css; charset=utf-8"
    assert kept.headers["Content-Encoding"] == "gzip"
    assert len(kept.headers.get_all("Content-Security-Policy", [])) == 1
    assert style


def test_what_is_nobodys_business_stays_inside(production: Production) -> None:
    """Counts; and in the log, the keys that are in some addresses."""
    assert production.get("/metrics")[0].status == 404
    production.get("/matches/some-match/invitation/a-key-that-opens/")
    assert production.get("/account/password/reset/key/1-another-key/")[0].status in (200, 302)
    assert "a-key-that-opens" not in production.log
    assert "another-key" not in production.log


def test_too_much_is_refused_in_words(production: Production) -> None:
    answer, words = production.get("/account/login/", "POST", b"a" * 300_000)
    assert (answer.status, words.splitlines()[0]) == (413, b"This is too large for Tesela.")
    answer, _ = production.get("/records/", "POST", b"a" * 4_400_000)
    assert answer.status == 403  # it came through, and had no token against forged requests


class Sitting:
    """Two people who play matches over sockets, connecting again as pages do.

    `taken` are the moves, by match and key, that the house has answered; `ends` how sockets were closed.
    """

    def __init__(self, production: Production) -> None:
        self.production = production
        self.ends: dict[str, list[int | None]] = {name: [] for name in PEOPLE}
        self.taken: dict[str, list[str]] = {}
        ask = production.site.ask
        self._sessions = {name: ask("add_person", username=name, display_name=name) for name in PEOPLE}
        self._lines: dict[str, Line] = {}
        self._moves = 0
        self._begin()

    def _begin(self) -> None:
        seed = len(self.taken)
        self.slug = self.production.site.ask("seat_match", players=PEOPLE, seed=seed, pace="turns")["slug"]
        self.taken[self.slug] = []
        self.leave()
        self._lines = {name: self._connect(name) for name in PEOPLE}

    def _connect(self, name: str, version: int = 0) -> Line:
        deadline = time.monotonic() + 20
        while True:
            try:
                return Line(self.production.address, self.slug, self._sessions[name], version=version)
            except Closed:
                assert time.monotonic() < deadline, "somebody takes the sockets"
                time.sleep(0.2)

    def play(self) -> None:
        """One move, sent again after every loss of the socket until it is answered; both see it."""
        move = self.production.site.ask("next_move", slug=self.slug)
        if move is None:
            self._begin()
            return
        self._moves += 1
        key = f"move-{self._moves}"
        while True:
            line = self._lines[move["username"]]
            try:
                line.send("move", move=move["text"], turn_key=move["turn_key"], key=key)
                line.hear_answer(key)
                break
            except Closed as closed:
                self._come_back(move["username"], closed)
        self.taken[self.slug].append(key)
        reached = self._lines[move["username"]].version
        for name in PEOPLE:
            while self._lines[name].version < reached:
                try:
                    self._lines[name].hear()
                except Closed as closed:
                    self._come_back(name, closed)

    def leave(self) -> None:
        """Both hang up."""
        for line in self._lines.values():
            line.hang_up()

    def _come_back(self, name: str, closed: Closed) -> None:
        self.ends[name].append(closed.code)
        self._lines[name] = self._connect(name, version=self._lines[name].version)


def test_renewed_while_people_play_it_loses_no_move_and_no_page(production: Production) -> None:
    """One process after the other, each when the one before is ready; those who lose their socket come back."""
    sitting = Sitting(production)
    sitting.play()
    before = production.family()
    production.process.send_signal(signal.SIGHUP)
    deadline = time.monotonic() + RENEWED_WITHIN_S
    while not production.says("everything is renewed\n"):
        assert time.monotonic() < deadline, production.log
        sitting.play()
        assert production.get("/help/")[0].status == 200
        time.sleep(BETWEEN_MOVES_S)
    sitting.play()
    sitting.leave()
    for name in PEOPLE:
        assert set(sitting.ends[name]) == {RESTART}, "each was sent on at least once, and none was broken"
    for slug, keys in sitting.taken.items():
        stored = [key for key, _ in production.site.ask("moves_by_key", slug=slug) if key]
        assert stored == keys, "every move that was answered is there, once, in its order"
    after = production.family()
    # The runner, and nginx, which takes a new configuration without a restart.
    assert len(before & after) <= 2
    assert len(after) >= len(before)


def test_it_ends_whole(production: Production) -> None:
    """Within some seconds, leaving nothing behind; with a page open."""
    family = production.family()
    assert len(family) > 7
    session = production.site.ask("add_person", username="carol", display_name="carol")
    slug = production.site.ask("seat_match", players=["alice", "carol"], seed=9, pace="turns")["slug"]
    line = Line(production.address, slug, session)
    told = time.monotonic()
    production.process.send_signal(signal.SIGTERM)
    assert line.hear_the_end() == RESTART
    assert production.process.wait(timeout=60) == 0
    assert time.monotonic() - told < ENDS_WITHIN_S
    assert not [pid for pid in family if Path(f"/proc/{pid}").exists()]
