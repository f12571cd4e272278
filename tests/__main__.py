"""Runs every test that this machine can run: `python -m tests [pytest's arguments]`.

First on the embedded shape (SQLite, everything in memory), in several processes; and, where PostgreSQL and Redis
answer, on theirs: those of TESELA_TEST_DATABASE_URL and TESELA_TEST_REDIS_URL, or the ones at home on this machine.
Then on each shape, in one process, what kills the house or measures it by real time; then, in several, each with a
site of its own, what drives a browser. On that server the tests make databases of their own, and drop them; in Redis
they touch only their own keys. TESELA_SHORT=1 runs a slice (tests/slices.py), and what is not timed behind what is.
TESELA_REQUIRE=postgres,redis,browser turns what is missing from a remark into a failure.
`-n 0` keeps each part in one process, which `--pdb` needs.

Each part says how long it took, and which of its tests were slowest. A test that hangs is ended, and named,
by the `timeout` of pyproject.toml.

`--soak` runs instead, on PostgreSQL and Redis, those tests in full that otherwise run a slice (tests/sizes.py): counts
of races, kills and pages; the games with more of their options; and the tours of all pages in a browser in every
language, on every screen, in light and dark.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
import redis

from tests.sizes import SHORT
from tests.slices import ONCE_IS_ENOUGH

DATABASE_URL = os.environ.get("TESELA_TEST_DATABASE_URL") or "postgres://postgres@127.0.0.1:5432/tesela"
REDIS_URL = os.environ.get("TESELA_TEST_REDIS_URL") or "redis://127.0.0.1:6379/15"
FOLDERS = frozenset(str(path.parent.relative_to("tests")) for path in Path("tests").glob("*/__init__.py"))

SEVERAL_PROCESSES = ("-n", "auto", "--maxprocesses", "8", "--dist", "worksteal")
SOAK_TIMEOUT_S = 3600
SLOWEST = ("--durations=15", "--durations-min=1")

# Every process of every part would otherwise read all tests anew, and put pytest's asserts into them: ten seconds each.
WITHOUT_BYTECODE = "PYTHONDONTWRITEBYTECODE"

NOTHING_COLLECTED = int(pytest.ExitCode.NO_TESTS_COLLECTED)

REQUIRED = frozenset(os.environ.get("TESELA_REQUIRE", "").split(","))


def main(arguments: list[str]) -> int:
    """The exit status: 0 if every run passed, and nothing required was missing."""
    environment = {key: value for key, value in os.environ.items() if key != WITHOUT_BYTECODE}
    embedded = {key: value for key, value in environment.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    production = {**embedded, "DATABASE_URL": DATABASE_URL, "REDIS_URL": REDIS_URL}
    absent = [name for name, answers in (("postgres", _postgres_answers), ("redis", _redis_answers)) if not answers()]

    if "--soak" in arguments:
        return _soak([argument for argument in arguments if argument != "--soak"], production, absent)
    here = "not browser and not faults"
    elsewhere = here
    if not absent:
        print("The tests that need PostgreSQL or Redis run in parts of their own.", flush=True)
        elsewhere += " and not postgres and not redis"
        embedded["TESELA_BOTH_SHAPES"] = "1"
    killed, driven = _without(FOLDERS - {"browser", "faults"}), _without(FOLDERS - {"browser"})
    quick = [
        Part(
            "The embedded shape: SQLite, all in one process",
            [*_marked(elsewhere), *_without({"browser", "faults"}), *SEVERAL_PROCESSES, *arguments],
            embedded,
        )
    ]
    timed = [Part("The embedded shape: killed, and timed", [*_marked("faults"), *killed, *arguments], embedded)]
    in_browser = Part(
        "The embedded shape, in a browser",
        [*_marked("browser and not faults"), *driven, *SEVERAL_PROCESSES, *arguments],
        embedded,
    )
    if not absent:
        quick.append(
            Part(
                "The production shape: PostgreSQL and Redis",
                [*_marked(here), *_without({*ONCE_IS_ENOUGH, "browser", "faults"}), *SEVERAL_PROCESSES, *arguments],
                production,
            )
        )
        timed.append(
            Part(
                "The production shape: killed, and timed",
                [*_marked("faults and not browser"), *_without(FOLDERS - {"faults"}), *arguments],
                production,
            )
        )
    runs = (
        [*_beside(quick, timed), in_browser.run()] if SHORT else [part.run() for part in (*quick, *timed, in_browser)]
    )
    if absent:
        print(f"Not run: the tests on the production shape, for want of {' and '.join(absent)}.")
        runs.append(int(bool(REQUIRED.intersection(absent))))
    # Arguments may choose tests of which a run has none.
    told = [status for status in runs if status != NOTHING_COLLECTED] or [NOTHING_COLLECTED]
    return next((status for status in told if status), 0)


def _soak(arguments: list[str], environment: dict[str, str], absent: list[str]) -> int:
    """In one process, one test after the other: what races here races with nothing else."""
    if absent:
        print(f"The full counts are made on the production shape, and there is no {' and no '.join(absent)}.")
        return 1
    full = Part(
        "The full counts, on the production shape: PostgreSQL and Redis",
        [*_marked("soak"), "-rP", "--durations=0", f"--timeout={SOAK_TIMEOUT_S}", *arguments],
        environment | {"TESELA_SOAK": "1"},
    )
    return full.run()


class Part(NamedTuple):
    """One run of pytest."""

    title: str
    arguments: list[str]
    environment: dict[str, str]

    def run(self, *, behind: bool = False) -> int:
        """Gives its exit status, and says how long it took. What runs `behind` yields to all else, and says what it has
        to say in the end."""
        command = [sys.executable, "-m", "pytest", *SLOWEST, *self.arguments]
        began = time.monotonic()
        if behind:
            done = subprocess.run(
                ["nice", "-n", "10", *command],
                env=self.environment,
                check=False,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            print(f"== {self.title}, behind others ==\n{done.stdout}", flush=True)
        else:
            print(f"== {self.title} ==", flush=True)
            done = subprocess.run(command, env=self.environment, check=False, text=True)
        print(f"== {self.title}: {time.monotonic() - began:.0f} s ==", flush=True)
        return done.returncode


def _beside(quick: Sequence[Part], timed: Sequence[Part]) -> list[int]:
    """The exit statuses. What is timed mostly waits: meanwhile the quick parts take what it leaves of the machine."""
    with ThreadPoolExecutor(1) as behind:
        others = behind.submit(lambda: [part.run(behind=True) for part in quick])
        return [*(part.run() for part in timed), *others.result()]


def _marked(expression: str) -> list[str]:
    return ["-m", expression]


def _without(folders: Iterable[str]) -> list[str]:
    """Not even read: reading all tests takes some seconds in each process."""
    return [f"--ignore=tests/{folder}" for folder in sorted(folders)]


def _postgres_answers() -> bool:
    server, _, _ = DATABASE_URL.rpartition("/")
    try:
        psycopg.connect(f"{server}/postgres", connect_timeout=2).close()
    except psycopg.Error:
        return False
    return True


def _redis_answers() -> bool:
    try:
        return bool(redis.Redis.from_url(REDIS_URL, socket_connect_timeout=2).ping())
    except redis.RedisError:
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
