"""The real site for the browser to visit: `manage.py serve` with a database, a folder and a port of its own."""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tests.browser import samples

ROOT = Path(__file__).resolve().parents[2]
UP_WITHIN_S = 90
DOWN_WITHIN_S = 15


class Site:
    """One server, started, stopped and started again at the same address; what it keeps lasts as long as `folder`.

    Where DATABASE_URL names PostgreSQL, a database is made beside that one, and dropped by `close`; unless `kept_in`
    says by DATABASE_URL and REDIS_URL where else it keeps its data. `program` is what is told to serve.
    """

    def __init__(
        self, folder: Path, kept_in: Mapping[str, str] | None = None, program: Sequence[str] = ("manage.py",)
    ) -> None:
        self.folder = folder
        self.log = folder / "server.log"
        self.port = 0
        self._server: subprocess.Popen[bytes] | None = None
        self._backstage: subprocess.Popen[str] | None = None
        self._asking = threading.Lock()
        self._program = program
        self._database = None if kept_in is not None else _own_database()
        self.environment = {
            **{key: value for key, value in os.environ.items() if key not in {"HTTPS", "ALLOWED_HOSTS"}},
            "DJANGO_SETTINGS_MODULE": "config.settings.play",
            "TESELA_VAR": str(folder),
            "STATIC_ROOT": str(folder / "static"),
            "DATABASE_URL": self._database or f"sqlite:///{folder / 'tesela.sqlite3'}",
            "PYTHONUNBUFFERED": "1",
            # All who come to it come from here.
            "SOCKETS_PER_ADDRESS": "5000",
            "SOCKETS_PER_PERSON": "1000",
            **(kept_in or {}),
        }

    @property
    def address(self) -> str:
        """Without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    def prepare(self) -> None:
        """Make the database and gather the static files, as `make play` does; after the first by copies of them."""
        samples.migrate(self.environment["DATABASE_URL"], lambda: self.manage("migrate", "--verbosity", "0"))
        gather = ("collectstatic", "--no-input", "--verbosity", "0")
        samples.gather(Path(self.environment["STATIC_ROOT"]), lambda: self.manage(*gather))

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a management command on the site's own data. Raises `CalledProcessError` if it fails."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            check=True,
            capture_output=True,
            text=True,
        )

    @property
    def server(self) -> subprocess.Popen[bytes]:
        """The process that runs. Raises `LookupError` if none does."""
        if self._server is None:
            raise LookupError("the server does not run")
        return self._server

    def spawn(self, *command: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start a Python program on the site's own data, which writes into its log."""
        around = {**self.environment, **(environment or {})}
        with self.log.open("ab") as log:
            return subprocess.Popen([sys.executable, *command], cwd=ROOT, env=around, stdout=log, stderr=log)

    def start(self) -> None:
        """Start it and wait until it answers; after a `stop` or `kill` at the same address as before."""
        written = self.log.stat().st_size if self.log.exists() else 0
        self._server = self.spawn(*self._program, "serve", "--port", str(self.port))
        self.wait_for(self._server, lambda: self._says_where(written) and self.answers())

    def wait_for(self, process: subprocess.Popen[bytes], is_up: Callable[[], bool]) -> None:
        """Until the process is up. Raises `RuntimeError` if it ends before, or takes too long."""
        deadline = time.monotonic() + UP_WITHIN_S
        while not is_up():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not come up:\n{self.log.read_text()}")
            time.sleep(0.05)

    def _says_where(self, written: int) -> bool:
        said = re.search(r"open at http://127\.0\.0\.1:(\d+)/", self.log.read_bytes()[written:].decode())
        if said is not None:
            self.port = int(said[1])
        return said is not None

    def answers(self) -> bool:
        """Whether pages come."""
        return answers_at(self.address)

    def stop(self) -> None:
        """Ask it to end, as a service manager would."""
        if self._server is not None:
            self._server.terminate()
            self._server.wait(timeout=DOWN_WITHIN_S)
            self._server = None

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        if self._server is not None:
            self._server.kill()
            self._server.wait(timeout=DOWN_WITHIN_S)
            self._server = None

    def close(self) -> None:
        """End everything that was started."""
        self.stop()
        if self._backstage is not None:
            self._backstage.communicate(timeout=DOWN_WITHIN_S)  # no more requests: it ends
        if self._database is not None:
            samples.drop(self._database)

    def ask(self, act: str, **arguments: Any) -> Any:
        """Have something done or looked up behind the stage, by one of the functions of `backstage.py`.

        From any thread, one after the other.
        """
        with self._asking:
            return self._ask(act, arguments)

    def _ask(self, act: str, arguments: Mapping[str, Any]) -> Any:
        if self._backstage is None:
            self._backstage = subprocess.Popen(
                [sys.executable, "-m", "tests.browser.backstage"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._backstage.stdin is not None
        assert self._backstage.stdout is not None
        self._backstage.stdin.write(json.dumps({"act": act, **arguments}) + "\n")
        self._backstage.stdin.flush()
        answer = json.loads(self._backstage.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["value"]


def answers_at(address: str) -> bool:
    """Whether pages come from there."""
    try:
        with urlopen(f"{address}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _own_database() -> str | None:
    """The URL of a database made for this site beside the one of DATABASE_URL; None for SQLite."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        return None
    own = samples.sibling(url, f"tesela_browser_{secrets.token_hex(4)}")
    samples.make(own)
    return own
