"""What a short run (TESELA_SHORT=1) leaves out of the tests without a browser.

Each runs on one shape at least, and where both are tested mostly on one alone; of the ways of those that go over all
games and options only some are left.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.sizes import some_of

BOTH_SHAPES = os.environ.get("TESELA_BOTH_SHAPES") == "1"
"""Said to the tests on the embedded shape: those on the production shape run as well."""

ONCE_IS_ENOUGH = (
    "contract",
    "deploy",
    "games",
    "config/test_catalogues.py",
    "config/test_languages.py",
    "config/test_manage.py",
    "config/test_serve.py",
    "config/test_settings.py",
    "matches/test_hostile_uploads.py",
    "matches/test_languages.py",
    "matches/test_pictures.py",
    "matches/test_sheets.py",
    "matches/test_skill.py",
    "matrix",
)
"""Tests of what neither database nor layer has a say in: running them on the other shape would say nothing new."""

FAULTS_ON_ONE_SHAPE = {"test_connects.py", "test_kills.py", "test_loadtest.py", "test_slow_sockets.py"}
"""Of tests/faults: what takes long, and tells little new where everything is in one process."""

ON_BOTH_SHAPES = 4
"""Of the tests that commit, one in so many runs on both: SQLite locks in its own way."""

SHARE = 3
"""Of the tests that only read and write within a transaction, one in so many runs on the production shape."""

OF_MANY_WAYS = (
    "contract/test_contract.py",
    "contract/test_drawings_and_texts.py",
    "contract/test_hidden_information.py",
    "contract/test_simulate.py",
)
"""Each test of these goes over all games with all their options: of more than `WAYS` one in `SHARE`, but so many."""

WAYS = 8

TESTS = Path(__file__).parent


def left_out(items: Iterable[pytest.Item], *, on_production: bool) -> set[pytest.Item]:
    """Of these tests those that a short run does not run on that shape."""
    by_file: dict[Path, list[pytest.Item]] = {}
    for item in items:
        by_file.setdefault(item.path, []).append(item)
    found: set[pytest.Item] = set()
    for path, own in by_file.items():
        found.update(_left_out_of(path.relative_to(TESTS), own, on_production=on_production))
    return found


def _left_out_of(path: Path, own: list[pytest.Item], *, on_production: bool) -> list[pytest.Item]:
    if path.parts[0] == "browser":
        return []
    if path.parts[0] == "faults":
        return own if path.name in FAULTS_ON_ONE_SHAPE and not on_production else []
    tied = [item for item in own if any(item.get_closest_marker(name) for name in ("postgres", "redis", "faults"))]
    commits = [item for item in own if item not in tied and _commits(item)]
    others = [item for item in own if item not in tied and item not in commits]
    of_production = some_of(others, ci=max(2, len(others) // SHARE))
    if on_production:
        return [item for item in others if item not in of_production]
    if str(path) in OF_MANY_WAYS:
        return _ways_left_out(own)
    if not BOTH_SHAPES or any(path.is_relative_to(once) for once in ONCE_IS_ENOUGH):
        return []
    on_both = commits[::ON_BOTH_SHAPES]
    return [*(item for item in commits if item not in on_both), *of_production]


def _ways_left_out(own: list[pytest.Item]) -> list[pytest.Item]:
    by_test: dict[str, list[pytest.Item]] = {}
    for item in own:
        by_test.setdefault(getattr(item, "originalname", item.name), []).append(item)
    found: list[pytest.Item] = []
    for ways in by_test.values():
        kept = some_of(ways, ci=max(WAYS, len(ways) // SHARE))
        found += [item for item in ways if item not in kept]
    return found


def _commits(item: pytest.Item) -> bool:
    """Whether the test really commits: where threads race, and where a service is asked."""
    marker = item.get_closest_marker("django_db")
    if marker is not None and marker.kwargs.get("transaction"):
        return True
    return "transactional_db" in getattr(item, "fixturenames", ()) or item.get_closest_marker("soak") is not None
