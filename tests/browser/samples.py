"""What every site of a test run begins with, made once in each process and copied: migrations take ten seconds."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

# By server ("" for files of SQLite) the URL of a migrated database that nobody uses; and a folder of gathered files.
_databases: dict[str, str] = {}
_static: list[Path] = []


def migrate(url: str, job: Callable[[], object]) -> None:
    """Bring the empty database up to date: by the job, the first time for its server, afterwards by a copy."""
    parts = urlsplit(url)
    sample = _databases.get(parts.netloc)
    if sample is not None:
        _copy(sample, url)
        return
    job()
    if parts.scheme.startswith("sqlite"):
        sample = f"sqlite:///{_folder() / 'sample.sqlite3'}"
    else:
        sample = sibling(url, f"{parts.path.lstrip('/')}_sample")
        atexit.register(_drop_if_there, sample)
    _copy(url, sample)
    _databases[parts.netloc] = sample


def gather(folder: Path, job: Callable[[], object]) -> None:
    """Fill the folder with the static files: by the job the first time, afterwards by a copy."""
    if _static:
        shutil.copytree(_static[0], folder, dirs_exist_ok=True)
        return
    job()
    _static.append(Path(shutil.copytree(folder, _folder() / "static")))


def make(url: str, *, template: str = "template1") -> None:
    """Make that database on its server."""
    _on_server(url, "CREATE DATABASE {} TEMPLATE {}", _name(url), template)


def drop(url: str) -> None:
    """Take it away, whoever uses it."""
    _on_server(url, "DROP DATABASE IF EXISTS {} WITH (FORCE)", _name(url))


def sibling(url: str, name: str) -> str:
    """The URL of another database on the same server."""
    return urlsplit(url)._replace(path=f"/{name}").geturl()


def _copy(source: str, target: str) -> None:
    if target.startswith("sqlite"):
        shutil.copyfile(_file(source), _file(target))
        return
    drop(target)
    make(target, template=_name(source))


def _drop_if_there(url: str) -> None:
    try:
        drop(url)
    except psycopg.OperationalError:  # its server was of one test, and is gone
        return


def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="tesela-samples-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _file(url: str) -> str:
    return url.removeprefix("sqlite:///")


def _name(url: str) -> str:
    return urlsplit(url).path.lstrip("/")


def _on_server(url: str, statement: str, *names: str) -> None:
    with psycopg.connect(sibling(url, "postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))
