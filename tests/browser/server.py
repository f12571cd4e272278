"""The real site for the browser to visit: `manage.py serve` with a database, a folder and a port of its own."""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import psycopg
from psycopg import sql

ROOT = Path(__file__).resolve().parents[2]
UP_WITHIN_S = 30
DOWN_WITHIN_S = 15


class Site:
    """One server, started, stopped and started again at the same address; what it keeps lasts as long as `folder`.

    Where DATABASE_URL names PostgreSQL, a database is made beside that one, and dropped by `close`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "server.log"
        self.port = 0
        self._server: subprocess.Popen[bytes] | None = None
        self._backstage: subprocess.Popen[str] | None = None
        self._database = _own_database()
        self.environment = {
            **{key: value for key, value in os.environ.items() if key not in {"HTTPS", "ALLOWED_HOSTS"}},
            "DJANGO_SETTINGS_MODULE": "config.settings.play",
            "TESELA_VAR": str(folder),
            "STATIC_ROOT": str(folder / "static"),
            "DATABASE_URL": self._database or f"sqlite:///{folder / 'tesela.sqlite3'}",
            "PYTHONUNBUFFERED": "1",
        }

    @property
    def address(self) -> str:
        """Without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    def prepare(self) -> None:
        """Make the database and gather the static files, as `make play` does."""
        self.manage("migrate", "--verbosity", "0")
        self.manage("collectstatic", "--no-input", "--verbosity", "0")

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

    def start(self) -> None:
        """Start it and wait until it answers; after a `stop` at the same address as before."""
        written = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._server = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--port", str(self.port)],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + UP_WITHIN_S
        while not self._answers(written):
            if self._server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not come up:\n{self.log.read_text()}")
            time.sleep(0.05)

    def _answers(self, written: int) -> bool:
        said = re.search(r"open at http://127\.0\.0\.1:(\d+)/", self.log.read_bytes()[written:].decode())
        if said is None:
            return False
        self.port = int(said[1])
        try:
            with urlopen(f"{self.address}/healthz", timeout=2) as answer:
                return bool(answer.status == 200)
        except URLError:
            return False

    def stop(self) -> None:
        """Ask it to end, as a service manager would."""
        if self._server is not None:
            self._server.terminate()
            self._server.wait(timeout=DOWN_WITHIN_S)
            self._server = None

    def close(self) -> None:
        """End everything that was started."""
        self.stop()
        if self._backstage is not None:
            self._backstage.communicate(timeout=DOWN_WITHIN_S)  # no more requests: it ends
        if self._database is not None:
            _drop(self._database)

    def ask(self, act: str, **arguments: Any) -> Any:
        """Have something done or looked up behind the stage, by one of the functions of `backstage.py`."""
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


def _own_database() -> str | None:
    """The URL of a database made for this site beside the one of DATABASE_URL; None for SQLite."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        return None
    name = f"tesela_browser_{secrets.token_hex(4)}"
    with psycopg.connect(_sibling(url, "postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return _sibling(url, name)


def _drop(url: str) -> None:
    name = urlsplit(url).path.lstrip("/")
    with psycopg.connect(_sibling(url, "postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _sibling(url: str, name: str) -> str:
    return urlsplit(url)._replace(path=f"/{name}").geturl()
