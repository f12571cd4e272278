"""The site in one of its shapes, and the floor beside it, as processes on this machine: for `benchmarks.house`."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql
from redis import Redis, RedisError

from deploy.ports import free_port
from games.matches.load.runs import allow_many_sockets

ROOT = Path(__file__).resolve().parent.parent
UP_WITHIN_S = 90
DOWN_WITHIN_S = 20


def sockets_command(port: int) -> list[str]:
    """What starts one process for sockets and pages of the production shape."""
    return ["manage.py", "serve", "--without-keeper", "--port", str(port)]


class NotHere(Exception):
    """This machine has not what a benchmark needs; the text says what."""


class Shape:
    """What one benchmark runs on. With `embedded` the site is `manage.py serve` on SQLite; the floor is the same.

    Everything is its own: a database beside the one of DATABASE_URL, a Redis, a folder. `close` takes it all away.
    """

    def __init__(self, *, sockets: int = 1, embedded: bool = False) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="tesela-bench-"))
        self._processes: list[subprocess.Popen[bytes]] = []
        self._site: list[subprocess.Popen[bytes]] = []
        self._sockets = sockets
        self._embedded = embedded
        self.addresses: list[str] = []
        self.keeper: int | None = None
        self.database = _make_database()
        try:
            redis = "" if embedded else self._start_redis()
            self.environment = {
                **{key: value for key, value in os.environ.items() if key not in {"HTTPS", "ALLOWED_HOSTS"}},
                "DJANGO_SETTINGS_MODULE": "config.settings.play",
                "DATABASE_URL": f"sqlite:///{self._folder / 'tesela.sqlite3'}" if embedded else self.database,
                "REDIS_URL": redis,
                "TESELA_VAR": str(self._folder),
                "STATIC_ROOT": str(self._folder / "static"),
                # All who come to it come from here.
                "SOCKETS_PER_ADDRESS": "100000",
                "SOCKETS_PER_PERSON": "1000",
            }
            allow_many_sockets()
            self.manage("migrate", "--verbosity", "0")
            self.manage("collectstatic", "--no-input", "--verbosity", "0")
            self.start_site()
            port = free_port()
            self.floor = f"http://127.0.0.1:{port}"
            floor = self._spawn("-m", "benchmarks.floor", "--port", str(port), "--database", self.database)
            self._processes.append(floor)
            self._wait_for(floor, lambda: _listens(port))
        except BaseException:
            self.close()
            raise

    def manage(self, *arguments: str) -> str:
        """Run a management command on the site's data; what it has printed. Raises `RuntimeError` if it fails."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(f"manage.py {' '.join(arguments)}:\n{done.stderr[-2000:]}\n{self.log[-2000:]}")
        return done.stdout

    def start_site(self) -> None:
        """Start the site's processes."""
        if self._embedded:
            port = free_port()
            self._start_door(["manage.py", "serve", "--port", str(port)], port)
            return
        for _ in range(self._sockets):
            port = free_port()
            self._start_door(sockets_command(port), port)
        keeper = self._spawn("manage.py", "keeper")
        self._site.append(keeper)
        self.keeper = keeper.pid

    def stop_site(self) -> None:
        """End them; the floor stays."""
        _end(self._site)
        self._site, self.addresses = [], []

    def close(self) -> None:
        """End everything, and take away what it has kept."""
        _end([*self._site, *self._processes])
        _drop_database(self.database)
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def log(self) -> str:
        """What all its processes have written."""
        path = self._folder / "log"
        return path.read_text() if path.exists() else ""

    def _start_door(self, command: list[str], port: int) -> None:
        door = self._spawn(*command)
        self._site.append(door)
        self._wait_for(door, lambda: _listens(port))
        self.addresses.append(f"http://127.0.0.1:{port}")

    def _start_redis(self) -> str:
        if (server := shutil.which("redis-server")) is None:
            raise NotHere("The production shape needs Redis: install redis-server.")
        port = free_port()
        redis = subprocess.Popen(
            [server, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder)],
            stdout=subprocess.DEVNULL,
        )
        self._processes.append(redis)
        url = f"redis://127.0.0.1:{port}/0"
        self._wait_for(redis, lambda: _answers(url))
        return url

    def _spawn(self, *command: str) -> subprocess.Popen[bytes]:
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen([sys.executable, *command], cwd=ROOT, env=self.environment, stdout=log, stderr=log)

    def _wait_for(self, process: subprocess.Popen[bytes], is_up: Callable[[], bool]) -> None:
        deadline = time.monotonic() + UP_WITHIN_S
        while not is_up():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"a process did not come up:\n{self.log[-2000:]}")
            time.sleep(0.05)


def _listens(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _answers(redis: str) -> bool:
    try:
        return bool(Redis.from_url(redis).ping())
    except RedisError:
        return False


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(DOWN_WITHIN_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _server() -> str:
    return os.environ.get("DATABASE_URL") or "postgres://postgres@127.0.0.1:5432/postgres"


def _make_database() -> str:
    """The URL of a new database beside the one of DATABASE_URL. Raises `NotHere` without PostgreSQL."""
    name = f"tesela_bench_{secrets.token_hex(4)}"
    try:
        with psycopg.connect(_sibling("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            durable = connection.execute("SHOW synchronous_commit").fetchone()
    except psycopg.OperationalError as error:
        raise NotHere(
            f"The production shape needs PostgreSQL: set DATABASE_URL to one in which databases may be made ({error})."
        ) from error
    if durable != ("on",):
        _drop_database(_sibling(name))
        raise NotHere("PostgreSQL must commit durably here: synchronous_commit is off.")
    return _sibling(name)


def _drop_database(url: str) -> None:
    with psycopg.connect(_sibling("postgres"), autocommit=True) as connection:
        name = urlsplit(url).path.lstrip("/")
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _sibling(name: str) -> str:
    return urlsplit(_server())._replace(path=f"/{name}").geturl()
