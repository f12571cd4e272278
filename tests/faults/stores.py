"""A PostgreSQL and a Redis of the tests' own, each of which can be stopped, killed and started again at its address.

They live in a temporary folder and listen on free ports of this machine. PostgreSQL keeps `fsync` on: what it has
acknowledged must be there after it was killed.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import redis

from deploy.ports import free_port

UP_WITHIN_S = 60
OWNER = "postgres"
"""PostgreSQL refuses to run as root: then it runs as this user, whom its packages make."""


def postgres_folder() -> Path | None:
    """Where `initdb` and its like are; None if PostgreSQL is not installed, or can't be run by whoever we are."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name.split(".")[0]))
    on_path = shutil.which("initdb")
    folders = [Path(on_path).resolve().parent] if on_path else []
    found = next((folder for folder in [*reversed(installed), *folders] if (folder / "initdb").exists()), None)
    if found is None or (os.geteuid() == 0 and not (shutil.which("runuser") and _is_user(OWNER))):
        return None
    return found


def can_be_made() -> bool:
    """Whether this machine has what both need."""
    return postgres_folder() is not None and shutil.which("redis-server") is not None


class Postgres:
    """One server with its data. `start`, and at the end `close`."""

    def __init__(self) -> None:
        bin_folder = postgres_folder()
        assert bin_folder is not None
        self._bin = bin_folder
        self._folder = Path(tempfile.mkdtemp(prefix="tesela-postgres-"))
        self._data = self._folder / "data"
        self.port = free_port()
        if os.geteuid() == 0:
            shutil.chown(self._folder, OWNER)
        self._run("initdb", "-D", self._data, "-U", OWNER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")

    def url(self, database: str) -> str:
        """As DATABASE_URL wants it."""
        return f"postgres://{OWNER}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start it and wait until it takes connections. Does nothing if it runs."""
        if self.runs():
            return
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200"
        log = self._folder / "log"
        self._run("pg_ctl", "-D", self._data, "-l", log, "-o", options, "-w", "-t", UP_WITHIN_S, "start")

    def stop(self, how: str = "fast") -> None:
        """Stop it: "fast" ends all sessions and writes all out, "immediate" is like a loss of power."""
        if self.runs():
            self._run("pg_ctl", "-D", self._data, "-m", how, "-w", "-t", UP_WITHIN_S, "stop")

    def kill_backend(self) -> None:
        """SIGKILL a session of somebody's. PostgreSQL then ends all others, and recovers as from a crash."""
        with suppress(psycopg.Error), self.session() as own:
            sessions = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = 'tesela'"
            row = own.execute(f"{sessions} ORDER BY random() LIMIT 1").fetchone()
            if row is not None:
                with suppress(ProcessLookupError):
                    os.kill(row[0], signal.SIGKILL)

    def session(self, database: str = "postgres") -> psycopg.Connection:
        """A session of the test's own, without transactions."""
        return psycopg.connect(self.url(database), autocommit=True, connect_timeout=5)

    def runs(self) -> bool:
        """Whether there is a server, also one that does not take connections yet."""
        return self._call("pg_ctl", "-D", self._data, "status").returncode == 0

    def close(self) -> None:
        """Stop it, and forget all that it kept."""
        self.stop("immediate")
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: object) -> None:
        done = self._call(program, *arguments)
        assert done.returncode == 0, (done.stdout, done.stderr, self._log())

    def _call(self, program: str, *arguments: object) -> subprocess.CompletedProcess[bytes]:
        as_owner = ["runuser", "-u", OWNER, "--"] if os.geteuid() == 0 else []
        command = [*as_owner, str(self._bin / program), *map(str, arguments)]
        # The server inherits what it writes to: a pipe would stay open as long as it lives.
        with tempfile.TemporaryFile() as out:
            done = subprocess.run(
                command, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False
            )
            out.seek(0)
            return subprocess.CompletedProcess(command, done.returncode, out.read(), b"")

    def _log(self) -> str:
        log = self._folder / "log"
        return log.read_text() if log.exists() else ""


class Redis:
    """One server that keeps nothing. `start`, and at the end `stop`."""

    def __init__(self) -> None:
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """As REDIS_URL wants it."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it and wait until it answers. Does nothing if it runs."""
        if self._process is not None:
            return
        options = ("--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no")
        self._process = subprocess.Popen(
            ["redis-server", *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + UP_WITHIN_S
        while not self._answers():
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def stop(self) -> None:
        """End it at once; what it kept is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        try:
            with closing(redis.Redis(port=self.port, socket_connect_timeout=1)) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


class Stores:
    """Both, for one house."""

    def __init__(self) -> None:
        self.postgres = Postgres()
        self.redis = Redis()

    def start(self) -> None:
        """Whatever of them does not run."""
        self.redis.start()
        self.postgres.start()

    def close(self) -> None:
        """Stop both."""
        self.redis.stop()
        self.postgres.close()


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
