"""`manage.py serve`: says where it is, why it is not, and ends when told to, whoever is still connected."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from django.core.management import CommandError, call_command

from games.matches.management.commands.serve import _point_mails_to

ROOT = Path(__file__).parents[2]
ENDS_WITHIN_S = 25


class Site:
    """A running `manage.py serve` of its own."""

    def __init__(self, var: Path, *options: str, program: tuple[str, ...] = ("manage.py",)) -> None:
        self.environment = {"PATH": os.environ["PATH"], "TESELA_VAR": str(var), "STATIC_ROOT": str(var / "static")}
        self.process = subprocess.Popen(
            [sys.executable, *program, "serve", "--prepare", "--port", "0", *options],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.first_line, self.second_line = self.process.stdout.readline(), self.process.stdout.readline()
        self.port = int(re.findall(r":(\d+)/", self.first_line)[0])


@pytest.fixture(scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the first start makes, with the database and the static files."""
    var = tmp_path_factory.mktemp("made") / "var"
    site = Site(var)
    site.process.kill()
    site.process.communicate()
    return var


@pytest.fixture
def var(_made: Path, tmp_path: Path) -> Path:
    """A folder of one's own that is prepared already, as at every start but the first."""
    return Path(shutil.copytree(_made, tmp_path / "var"))


@pytest.fixture(params=["127.0.0.1"])
def site(var: Path, request: pytest.FixtureRequest) -> Iterator[Site]:
    site = Site(var, "--host", request.param)
    yield site
    site.process.kill()
    site.process.communicate()


def refused(var: Path, *options: str) -> str:
    """The one sentence with which `serve` says that it cannot; nothing has been made by then."""
    environment = {"PATH": os.environ["PATH"], "TESELA_VAR": str(var), "STATIC_ROOT": str(var / "static")}
    answer = subprocess.run(
        [sys.executable, "manage.py", "serve", *options],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert (answer.returncode, answer.stdout, answer.stderr.count("\n")) == (1, "", 1)
    assert not (var / "tesela.sqlite3").exists()
    assert not (var / "static").exists()
    return answer.stderr


def test_a_port_in_use_is_told_with_what_was_typed_before_anything_is_made(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        by_make, by_hand = refused(tmp_path, "--prepare", "--port", port), refused(tmp_path, "--port", port)
    for said in (by_make, by_hand):
        assert f"Cannot listen on 127.0.0.1:{port}: something listens there already" in said
    assert "make play PORT=8001" in by_make
    assert "serve --port 8001" in by_hand


@pytest.mark.parametrize("port", ["80000", "abc", "-1", "", "1" * 5000])
def test_what_is_no_port_is_told_in_a_sentence(port: str) -> None:
    with pytest.raises(CommandError, match="The port is a number from 1 to 65535"):
        call_command("serve", f"--port={port}")


def test_what_is_no_address_is_told_in_a_sentence(tmp_path: Path) -> None:
    # Kept for documentation: no machine has it.
    assert "'192.0.2.1' is no address of this machine" in refused(tmp_path, "--prepare", "--host", "192.0.2.1")


@pytest.mark.parametrize("site", ["0.0.0.0"], indirect=True)
def test_open_to_all_it_names_addresses_that_a_browser_can_go_to(site: Site) -> None:
    assert "0.0.0.0" not in site.first_line
    here, others = re.findall(r"http://\S+/", site.first_line)
    assert others != here
    with urlopen(f"{here}healthz") as answer:
        assert answer.read() == b"ok\n"


def open_a_websocket(connection: socket.socket, port: int) -> None:
    connection.sendall(
        f"GET /ws/lobby/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    assert connection.recv(100).startswith(b"HTTP/1.1 101")


SLOW_SITE = """
import os, sys, time
import django
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.play"
django.setup()
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.urls import path
from config import urls
from games.matches.management.commands import serve

urls.urlpatterns.insert(0, path("slow", lambda request: HttpResponse(time.sleep(30))))
serve.ANSWER_WITHIN_S = 1
execute_from_command_line(["manage.py", *sys.argv[1:]])
"""


ADDRESS_SITE = """
import os, sys
import django
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.play"
django.setup()
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.urls import path
from config import urls

urls.urlpatterns.insert(0, path("address", lambda request: HttpResponse(settings.SITE_URL)))
execute_from_command_line(["manage.py", *sys.argv[1:]])
"""


def test_mails_link_to_where_the_site_listens(var: Path) -> None:
    site = Site(var, program=("-c", ADDRESS_SITE))
    try:
        with urlopen(f"http://127.0.0.1:{site.port}/address") as answer:
            assert answer.read().decode() == f"http://127.0.0.1:{site.port}"
    finally:
        site.process.kill()
        site.process.communicate()


def test_address_that_somebody_has_given_stays(settings: Any) -> None:
    settings.SITE_URL, settings.SITE_URL_IS_WHERE_IT_LISTENS = "https://tesela.example", False
    _point_mails_to("127.0.0.1", 8066)
    assert settings.SITE_URL == "https://tesela.example"
    settings.SITE_URL_IS_WHERE_IT_LISTENS = True
    _point_mails_to("127.0.0.1", 8066)
    assert settings.SITE_URL == "http://127.0.0.1:8066"
    _point_mails_to("0.0.0.0", 8066)
    assert "0.0.0.0" not in settings.SITE_URL
    assert settings.SITE_URL.endswith(":8066")


def test_a_page_that_hangs_is_given_up_and_sockets_are_not(var: Path) -> None:
    site = Site(var, program=("-c", SLOW_SITE))
    try:
        with (
            socket.create_connection(("127.0.0.1", site.port)) as live,
            socket.create_connection(("127.0.0.1", site.port), timeout=20) as hanging,
        ):
            open_a_websocket(live, site.port)
            hanging.sendall(b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert hanging.recv(100).startswith(b"HTTP/1.1 503")
            # Whatever else came by it, the end has not.
            live.setblocking(False)
            with pytest.raises(BlockingIOError):
                list(iter(lambda: live.recv(100_000), b""))
    finally:
        site.process.kill()
        site.process.communicate()


def test_it_serves_says_where_and_ends_when_told(site: Site, var: Path) -> None:
    assert site.first_line.startswith(f"Tesela is open at http://127.0.0.1:{site.port}/")
    assert "Mail is not sent but printed here" in site.second_line
    assert str(var) in site.second_line
    with urlopen(f"http://127.0.0.1:{site.port}/healthz") as answer:
        assert answer.read() == b"ok\n"
    with urlopen(f"http://127.0.0.1:{site.port}/") as answer:
        sheet = re.findall(r'href="(/static/site\.[0-9a-f]+\.css)"', answer.read().decode())[0]
    with urlopen(f"http://127.0.0.1:{site.port}{sheet}") as answer:
        assert answer.read()

    idle = socket.create_connection(("127.0.0.1", site.port))
    half_sent = socket.create_connection(("127.0.0.1", site.port))
    half_sent.sendall(b"POST /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\nabc")
    live = socket.create_connection(("127.0.0.1", site.port))
    open_a_websocket(live, site.port)
    try:
        site.process.send_signal(signal.SIGTERM)
        assert site.process.wait(timeout=ENDS_WITHIN_S) == 0
    finally:
        for connection in (idle, half_sent, live):
            connection.close()


def test_one_of_several_opens_also_while_the_database_is_away(tmp_path: Path) -> None:
    """It may be restarted at that very moment: then it says so to who comes, and goes on by itself."""
    away = {"DATABASE_URL": "postgres://127.0.0.1:1/away", "DJANGO_SETTINGS_MODULE": "config.settings.play"}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--without-keeper", "--port", "0"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "TESELA_VAR": str(tmp_path), **away},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        (port,) = re.findall(r"open at http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=20) as answer:
            assert answer.status == 200
    finally:
        process.kill()
        process.communicate()
