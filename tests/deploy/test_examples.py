"""The examples for those who run the house are true: nginx and systemd take them, and what they name exists."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from configparser import RawConfigParser
from pathlib import Path

import pytest
from django.core.management import load_command_class
from gunicorn.app.wsgiapp import WSGIApplication

from config.middleware import CAREFUL
from deploy import proxy
from deploy.local import main as run_locally
from deploy.proxy import SiteConf, make_certificate, nginx_command, write_alone

ROOT = Path(__file__).parents[2]
UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
HOME = "/srv/tesela"
PLAY = "config.settings.play"

needs_nginx = pytest.mark.skipif(not (shutil.which("nginx") and shutil.which("openssl")), reason="no nginx or openssl")


def site_conf(folder: Path, **changes: object) -> SiteConf:
    values = {
        "hosts": ["tesela.example", "www.tesela.example"],
        "sockets": ["10.0.0.5:8101", "10.0.0.6:8101"],
        "pages": ["10.0.0.5:8201"],
        "certificate": folder / "certificate.pem",
        "key": folder / "key.pem",
        "static": ROOT / "static",
        "log": str(folder / "access.log"),
        "errors": str(folder / "error.log"),
        **changes,
    }
    return SiteConf(**values)  # type: ignore[arg-type]


# nginx


@needs_nginx
def test_nginx_takes_what_is_filled_in(tmp_path: Path) -> None:
    """As it is for a machine of its own, with both ports of the web, which only root may open."""
    make_certificate(tmp_path)
    ports = {"listen": ["443", "[::]:443"]} if os.geteuid() == 0 else {"listen": ["8443"], "redirects": False}
    conf = write_alone(tmp_path, site_conf(tmp_path, **ports))
    answer = subprocess.run(nginx_command(conf, "-t"), capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert "[warn]" not in answer.stderr


def test_no_blank_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    assert proxy.main(["tesela.example"]) == 0
    printed = capsys.readouterr().out
    assert not re.search(r"@[A-Z]+@", printed)
    assert "server_name tesela.example;" in printed
    assert "/etc/letsencrypt/live/tesela.example/fullchain.pem" in printed


@pytest.mark.parametrize("value", ["tesela.example; return 200", "a b", "", "x{", "$host", "a\nb"])
def test_what_would_mean_something_to_nginx_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(ValueError, match="can't stand in nginx's configuration"):
        site_conf(tmp_path, hosts=[value]).text()


def test_static_files_say_what_the_pages_say(tmp_path: Path) -> None:
    said = dict(re.findall(r"add_header ([\w-]+) \"?([^\";]*?)\"? always;", site_conf(tmp_path).text()))
    assert CAREFUL.items() <= said.items()


def test_headers_for_our_processes_are_set_in_one_place(tmp_path: Path) -> None:
    """A location that sets one of its own inherits none of the others, and would pass on what visitors claim."""
    locations = re.findall(r"location [^{]+\{.*?\n    \}", site_conf(tmp_path).text(), re.DOTALL)
    assert len(locations) > 5
    assert not [location for location in locations if "proxy_set_header" in location]


# systemd


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for unit in [*UNITS, ROOT / "deploy" / "systemd" / "tesela.target"]:
        text = unit.read_text().replace(f"{HOME}/.venv/bin/python", sys.executable).replace(HOME, str(ROOT))
        (tmp_path / unit.name).write_text(text)
    names = [str(path) for path in tmp_path.iterdir()]
    answer = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *names], capture_output=True, text=True, check=False
    )
    assert (answer.returncode, [line for line in answer.stderr.splitlines() if str(tmp_path) in line]) == (0, [])


def command_of(unit: Path, instance: str = "1") -> list[str]:
    """What it starts, without the Python, with the instance and its default address filled in."""
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(unit)
    started = parser["Service"]["ExecStart"].replace("%i", instance).replace("${LISTEN}", "127.0.0.1")
    program, *command = shlex.split(started)
    assert program == f"{HOME}/.venv/bin/python"
    assert parser["Service"]["WorkingDirectory"] == HOME
    return command


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_units_start_what_there_is(unit: Path, tmp_path: Path) -> None:
    """Commands of ours by their own parser, gunicorn by its, with the configuration and the site found."""
    first, *rest = command_of(unit)
    if first == "manage.py":
        name, *options = rest
        parser: ArgumentParser = load_command_class("games.matches", name).create_parser("manage.py", name)
        assert vars(parser.parse_args(options))
    else:
        assert [first, rest[0]] == ["-m", "gunicorn"]
        code = f"import sys; sys.argv = {['gunicorn', '--check-config', *rest[1:]]!r}; {_RUN}"
        environment = {"PATH": os.environ["PATH"], "TESELA_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": PLAY}
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True, timeout=180)


_RUN = f"from {WSGIApplication.__module__} import run; run()"


def test_settings_in_the_example_are_read_by_the_site() -> None:
    known = set()
    for file in [*(ROOT / "config").rglob("*.py"), *UNITS]:
        known |= set(re.findall(r"""(?:environ\.get\(|environ\[|_required\()"(\w+)""", file.read_text()))
    known |= {"DJANGO_SETTINGS_MODULE", "PYTHONUNBUFFERED"}
    example = _example()
    assert set(example) <= known
    table = (ROOT / "docs" / "operations" / "README.md").read_text()
    assert not [name for name in set(example) - {"DJANGO_SETTINGS_MODULE", "PYTHONUNBUFFERED"} if name not in table]


def test_the_example_is_fit_for_production() -> None:
    """With a key filled in, Django has nothing to say against it."""
    environment = {**_example(), "SECRET_KEY": "a-key-that-nobody-guesses-" * 3, "PATH": os.environ["PATH"]}
    answer = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr


def _example() -> dict[str, str]:
    lines = (ROOT / "deploy" / "systemd" / "tesela.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_the_script_that_upgrades_can_be_read_by_a_shell() -> None:
    script = ROOT / "deploy" / "upgrade.sh"
    assert os.access(script, os.X_OK)
    subprocess.run(["sh", "-n", str(script)], check=True)


# What is missing


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"DATABASE_URL": "sqlite:///x"}, "DATABASE_URL must name a database of PostgreSQL, not sqlite."),
        ({"DATABASE_URL": "postgres://127.0.0.1:1/x"}, "No PostgreSQL at 127.0.0.1:1"),
    ],
)
def test_what_is_missing_is_told(
    variables: dict[str, str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in {"TESELA_VAR": str(tmp_path), **variables}.items():
        monkeypatch.setenv(name, value)
    assert run_locally([]) == 1
    assert said in capsys.readouterr().err
