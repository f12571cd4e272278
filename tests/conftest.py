"""What all tests share: the cast, a fresh cache, and what to do where a service is missing."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as settings_of_examples

from accounts.desk.append_only import open_log, protect_log
from accounts.desk.models import ModerationAct, Report
from accounts.people.models import User
from games.matches import away
from games.matches.pieces import Pieces
from games.matches.threads import _download_thread, _lobby_thread, _match_threads
from tests.browser.chromium import chromium_path
from tests.faults.stores import can_be_made
from tests.quick_flush import flush_quickly
from tests.sizes import SHORT
from tests.slices import left_out

PASSWORD = "a tile on the table"

JOINED = datetime(2025, 1, 1, tzinfo=UTC)
"""Since when the cast has been here: for those who have just come the house is quieter."""

REQUIRED = frozenset(os.environ.get("TESELA_REQUIRE", "").split(","))


@pytest.fixture(autouse=True)
def _fresh_cache() -> Iterator[None]:
    """Rate limits count in the cache: what one test did must not limit the next."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """The threads of sockets keep their connections, and PostgreSQL drops no database that somebody uses."""
    yield
    for threads in (_match_threads, _lobby_thread, _download_thread):
        if threads.cache_info().currsize:
            _close_connections(threads())


def _close_connections(threads: ThreadPoolExecutor) -> None:
    all_are_here = threading.Barrier(len(threads._threads))

    def close(_: int) -> None:
        all_are_here.wait(60)
        connection.close()

    list(threads.map(close, range(all_are_here.parties)))


Pieces.checked = True
"""What is not drawn anew is drawn all the same, and compared."""


@pytest.fixture(autouse=True)
def _log_tells_again() -> None:
    """Of a database that is away the log tells once in ten seconds: each test is to hear of it."""
    away._told.clear()


@pytest.fixture(autouse=True)
def _log_lets_go(request: pytest.FixtureRequest) -> Iterator[None]:
    """After a test of transactions the database is emptied, which the log of moderation refuses."""
    marker = request.node.get_closest_marker("django_db")
    emptied = "transactional_db" in request.fixturenames or (marker is not None and marker.kwargs.get("transaction"))
    if emptied:
        request.getfixturevalue("transactional_db")  # so that it is there still when this ends
    yield
    if emptied:
        empty_log()


def empty_log() -> None:
    """Whatever tests have entered there: by DELETE, as quick_flush.py empties all tables, its triggers refuse it."""
    if ModerationAct.objects.exists():
        open_log(connection)
        Report.objects.update(counted_for=None)
        ModerationAct.objects.update(report=None, undoes=None)
        ModerationAct.objects.all().delete()
        protect_log(connection)


@pytest.fixture(autouse=True)
def _language_of_nobody() -> Iterator[None]:
    """A request leaves its thread in its reader's language, and the next one sets its own; tests are no requests."""
    yield
    translation.deactivate()


@pytest.fixture
def make_person(db: None) -> Callable[..., User]:
    """`make_person("alice", display_name="Alice")`: a person with the password `PASSWORD`."""

    def make(username: str, **fields: object) -> User:
        fields.setdefault("display_name", username.capitalize())
        fields.setdefault("email", f"{username}@example.org")
        fields.setdefault("date_joined", JOINED)
        return User.objects.create_user(username, password=PASSWORD, **fields)  # type: ignore[arg-type]

    return make


@pytest.fixture
def alice(make_person: Callable[..., User]) -> User:
    """Plays."""
    return make_person("alice")


@pytest.fixture
def bob(make_person: Callable[..., User]) -> User:
    """Plays."""
    return make_person("bob")


@pytest.fixture
def carol(make_person: Callable[..., User]) -> User:
    """Plays a third seat."""
    return make_person("carol")


@pytest.fixture
def mallory(make_person: Callable[..., User]) -> User:
    """An outsider who tries."""
    return make_person("mallory")


@pytest.fixture
def mod(make_person: Callable[..., User]) -> User:
    """Moderates."""
    return make_person("mod", is_staff=True)


settings_of_examples.register_profile("tesela", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings_of_examples.load_profile("tesela")
"""No example fails because the machine was busy with other things meanwhile."""


def pytest_configure() -> None:
    flush_quickly()


# What a test marked with the name needs.
_PRESENT: dict[str, Callable[[], bool]] = {
    "browser": lambda: chromium_path() is not None,
    "postgres": lambda: "postgresql" in settings.DATABASES["default"]["ENGINE"],
    "redis": lambda: bool(settings.REDIS_URL),
    "own_stores": can_be_made,
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if SHORT:
        gone = left_out(items, on_production=_PRESENT["postgres"]())
        config.hook.pytest_deselected(items=list(gone))
        items[:] = [item for item in items if item not in gone]
    for name, present in _PRESENT.items():
        marked = [item for item in items if item.get_closest_marker(name)]
        if marked and not present():
            for item in marked:
                item.add_marker(pytest.mark.skip(reason=f"needs {name}"))


def pytest_collection_finish() -> None:
    """All that was read stays: who looks for garbage need not look through it again and again."""
    gc.freeze()


def pytest_sessionstart(session: pytest.Session) -> None:
    if "browser" in REQUIRED and not _PRESENT["browser"]():
        raise pytest.UsageError("TESELA_REQUIRE asks for a browser, and there is no Chromium on this machine.")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    for name in _PRESENT:
        if number := sum(f"needs {name}" in reason for reason in skipped):
            terminalreporter.write_line(f"Not run for want of {name}: {number} tests.")
