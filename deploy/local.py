"""The production shape on this machine's loopback: `python -m deploy.local`, or `make production`.

PostgreSQL and Redis have to run already; everything else is started here, and ended together. The settings are those
of production (`config.settings.prod`), with a certificate that this machine signs for itself.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import redis
from psycopg import sql

from config.secret import kept_secret_key
from deploy.ports import HERE, free_ports, is_free
from deploy.processes import Part, python, run, say
from deploy.proxy import SiteConf, make_certificate, nginx_command, write_alone

ROOT = Path(__file__).resolve().parent.parent
DATABASE_URL = "postgres://postgres@127.0.0.1:5432/tesela"
REDIS_URL = "redis://127.0.0.1:6379/0"


class Missing(Exception):
    """Something that has to be there is not; the text says what to do."""


def main(arguments: Sequence[str]) -> int:
    """Run the house until SIGTERM or Ctrl-C; SIGHUP renews it. The exit status: 1 if it could not be opened."""
    given = _parser().parse_args(arguments)
    var = Path(os.environ.get("TESELA_VAR", ROOT / "var"))
    folder = var / "production"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        environment = _environment(var, port=given.port)
        _need_database(environment["DATABASE_URL"])
        _need_redis(environment["REDIS_URL"])
        if not is_free(given.port):
            raise Missing(f"Something listens at {HERE}:{given.port} already. Another port: --port {given.port + 1}")
        parts = _parts(given, folder, environment)
    except (Missing, FileNotFoundError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    preparing = [
        subprocess.Popen(python("manage.py", *command, "--verbosity", "0"), cwd=ROOT, env={**os.environ, **environment})
        for command in (["migrate"], ["collectstatic", "--no-input"])
    ]
    if any(command.wait() for command in preparing):  # both are waited for
        return 1
    say("house", f"process {os.getpid()}: kill -HUP renews all that runs, one after the other; Ctrl-C ends it")
    os.chdir(ROOT)
    address = f"https://{HERE}:{given.port}/"
    return run(parts, environment, opened=f"open at {address}, with a certificate that no browser knows")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m deploy.local", description=__doc__)
    cores = max(2, min(4, os.cpu_count() or 2))
    parser.add_argument("--sockets", type=int, default=cores, help=f"processes for sockets (default {cores})")
    parser.add_argument("--pages", type=int, default=2, help="processes for pages (default 2)")
    parser.add_argument("--keepers", type=int, default=2, help="keepers (default 2)")
    parser.add_argument("--port", type=int, default=8443, help="where nginx listens (default 8443)")
    parser.add_argument("--first-port", type=int, default=8101, help="from here on the others listen (default 8101)")
    return parser


def _environment(var: Path, *, port: int) -> dict[str, str]:
    """What the processes need of settings beside what is set already."""
    own = {
        "DATABASE_URL": DATABASE_URL,
        "REDIS_URL": REDIS_URL,
        "ALLOWED_HOSTS": f"{HERE},localhost",
        "SITE_URL": f"https://{HERE}:{port}",
        "STATIC_ROOT": str(ROOT / "staticfiles"),
        # Who tries it out has no mail server, mostly.
        "EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend",
    }
    chosen = {name: os.environ.get(name) or value for name, value in own.items()}
    return {
        **chosen,
        "SECRET_KEY": os.environ.get("SECRET_KEY") or kept_secret_key(var / "secret_key"),
        "DJANGO_SETTINGS_MODULE": "config.settings.prod",
        "HTTPS": "1",
        "TRUSTED_PROXIES": "1",
        "PYTHONUNBUFFERED": "1",
    }


def _need_database(url: str) -> None:
    """Raises `Missing` if PostgreSQL does not answer; makes a database of that name if it has none."""
    address = urlsplit(url)
    name = address.path.lstrip("/")
    if address.scheme not in ("postgres", "postgresql", "psql"):
        raise Missing(f"DATABASE_URL must name a database of PostgreSQL, not {address.scheme or 'nothing'}.")
    try:
        with psycopg.connect(address._replace(path="/postgres").geturl(), connect_timeout=5, autocommit=True) as line:
            if line.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is None:
                line.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    except psycopg.Error as error:
        raise Missing(
            f"No PostgreSQL at {address.hostname}:{address.port or 5432}: {str(error).strip()}\n"
            "On Debian: apt-get install postgresql; or set DATABASE_URL=postgres://user:password@host/name"
        ) from None


def _need_redis(url: str) -> None:
    """Raises `Missing` if Redis does not answer."""
    try:
        with closing(redis.Redis.from_url(url, socket_connect_timeout=5)) as line:
            line.ping()
    except (redis.RedisError, ValueError) as error:
        raise Missing(
            f"No Redis at {urlsplit(url).hostname}: {error}\n"
            "On Debian: apt-get install redis-server; or set REDIS_URL=redis://host:6379/0"
        ) from None


def _parts(given: argparse.Namespace, folder: Path, environment: dict[str, str]) -> list[Part]:
    """Keepers first, since the others are ready once one has run, and nginx last. Raises `FileNotFoundError`,
    `ValueError` or `Missing` for want of a program, or for what nginx does not take."""
    ports = free_ports(given.first_port)
    keepers = [Part(f"keeper {number}", python("manage.py", "keeper")) for number in range(1, given.keepers + 1)]
    sockets = [
        Part(f"sockets {number}", python("manage.py", "serve", "--without-keeper", "--port", str(port)), port=port)
        for number, port in enumerate(islice(ports, given.sockets), 1)
    ]
    pages = [
        Part(f"pages {number}", [*_GUNICORN, "--bind", f"{HERE}:{port}", "config.wsgi"], port=port)
        for number, port in enumerate(islice(ports, given.pages), 1)
    ]
    certificate, key = make_certificate(folder)
    conf = SiteConf(
        hosts=environment["ALLOWED_HOSTS"].split(","),
        sockets=[f"{HERE}:{part.port}" for part in sockets],
        pages=[f"{HERE}:{part.port}" for part in pages],
        certificate=certificate,
        key=key,
        static=Path(environment["STATIC_ROOT"]),
        listen=[f"{HERE}:{given.port}"],
        log="/dev/stdout",
        errors="stderr",
        redirects=False,
    )
    file = write_alone(folder, conf)
    looked = subprocess.run(nginx_command(file, "-t"), capture_output=True, text=True, check=False)
    if looked.returncode:
        raise Missing(looked.stderr.strip())
    return [*keepers, *pages, *sockets, Part("nginx", nginx_command(file), accepts=given.port, reloads=True)]


_GUNICORN = python("-m", "gunicorn", "--config", "python:config.pages")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
