"""What all tests share: the cast, a fresh cache, and what to do where a service is missing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.core.cache import cache

from accounts.people.models import User
from tests.browser.chromium import chromium_path

PASSWORD = "a tile on the table"

REQUIRED = frozenset(os.environ.get("TESELA_REQUIRE", "").split(","))


@pytest.fixture(autouse=True)
def _fresh_cache() -> Iterator[None]:
    """Rate limits count in the cache: what one test did must not limit the next."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def make_person(db: None) -> Callable[..., User]:
    """`make_person("alice", display_name="Alice")`: a person with the password `PASSWORD`."""

    def make(username: str, **fields: object) -> User:
        fields.setdefault("display_name", username.capitalize())
        fields.setdefault("email", f"{username}@example.org")
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


# What a test marked with the name needs.
_PRESENT: dict[str, Callable[[], bool]] = {
    "browser": lambda: chromium_path() is not None,
    "postgres": lambda: "postgresql" in settings.DATABASES["default"]["ENGINE"],
    "redis": lambda: bool(settings.REDIS_URL),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for name, present in _PRESENT.items():
        marked = [item for item in items if item.get_closest_marker(name)]
        if marked and not present():
            for item in marked:
                item.add_marker(pytest.mark.skip(reason=f"needs {name}"))


def pytest_sessionstart(session: pytest.Session) -> None:
    if "browser" in REQUIRED and not _PRESENT["browser"]():
        raise pytest.UsageError("TESELA_REQUIRE asks for a browser, and there is no Chromium on this machine.")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    for name in _PRESENT:
        if number := sum(f"needs {name}" in reason for reason in skipped):
            terminalreporter.write_line(f"Not run for want of {name}: {number} tests.")
