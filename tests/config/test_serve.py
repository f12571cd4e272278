"""`manage.py serve`: says where it is, why it is not, and ends when told to, whoever is still connected."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[2]
ENDS_WITHIN_S = 8


class Site:
    """A running `manage.py serve` of its own."""

    def __init__(self, var: Path, port: int = 0) -> None:
        self.environment = {"PATH": os.environ["PATH"], "TESELA_VAR": str(var), "STATIC_ROOT": str(var / "static")}
        self.manage("migrate", "--verbosity", "0")
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.first_line = self.process.stdout.readline()
        self.port = int(re.findall(r":(\d+)/", self.first_line)[0])

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
        )


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.process.kill()
    site.process.communicate()


def test_it_serves_says_where_and_ends_when_told(site: Site) -> None:
    assert site.first_line.startswith(f"Tesela is open at http://127.0.0.1:{site.port}/")
    with urlopen(f"http://127.0.0.1:{site.port}/healthz") as answer:
        assert answer.read() == b"ok\n"

    second = site.manage("serve", "--port", str(site.port))
    assert second.returncode == 1
    assert f"Cannot listen on 127.0.0.1:{site.port}" in second.stderr

    idle = socket.create_connection(("127.0.0.1", site.port))
    half_sent = socket.create_connection(("127.0.0.1", site.port))
    half_sent.sendall(b"POST /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\nabc")
    live = socket.create_connection(("127.0.0.1", site.port))
    live.sendall(
        f"GET /ws/lobby/ HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nOrigin: http://127.0.0.1:{site.port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    assert live.recv(100).startswith(b"HTTP/1.1 101")
    try:
        site.process.send_signal(signal.SIGTERM)
        assert site.process.wait(timeout=ENDS_WITHIN_S) == 0
    finally:
        for connection in (idle, half_sent, live):
            connection.close()
