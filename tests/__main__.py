"""Runs every test that this machine can run: `python -m tests [pytest's arguments]`.

First on the embedded shape (SQLite, everything in memory), in several processes; then what drives a browser, in one;
then, where PostgreSQL and Redis answer, on theirs: those of TESELA_TEST_DATABASE_URL and TESELA_TEST_REDIS_URL, or the
ones at home on this machine. On that server the tests make databases of their own, and drop them; in Redis they touch
only keys of their own. TESELA_REQUIRE=postgres,redis,browser turns what is missing from a remark into a failure.
`-n 0` keeps each part in one process, which `--pdb` needs.
"""

from __future__ import annotations

import os
import subprocess
import sys

import psycopg
import pytest
import redis

DATABASE_URL = os.environ.get("TESELA_TEST_DATABASE_URL") or "postgres://postgres@127.0.0.1:5432/tesela"
REDIS_URL = os.environ.get("TESELA_TEST_REDIS_URL") or "redis://127.0.0.1:6379/15"
PURE = ("tests/contract", "tests/games")
"""Tests of what knows neither database nor layer: running them on the other shape would say nothing new."""

SEVERAL_PROCESSES = ("-n", "auto", "--maxprocesses", "8", "--dist", "worksteal")

NOTHING_COLLECTED = int(pytest.ExitCode.NO_TESTS_COLLECTED)

REQUIRED = frozenset(os.environ.get("TESELA_REQUIRE", "").split(","))


def main(arguments: list[str]) -> int:
    """The exit status: 0 if every run passed, and nothing required was missing."""
    embedded = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    production = embedded | {"DATABASE_URL": DATABASE_URL, "REDIS_URL": REDIS_URL}
    absent = [name for name, answers in (("postgres", _postgres_answers), ("redis", _redis_answers)) if not answers()]

    print("== The embedded shape: SQLite, all in one process ==", flush=True)
    here = "not browser"
    if not absent:
        print("The tests that need PostgreSQL or Redis are left out here: they run in the last part.", flush=True)
        here += " and not postgres and not redis"
    runs = [_pytest(["-m", here, *SEVERAL_PROCESSES, *arguments], embedded)]
    print("== The embedded shape, in a browser ==", flush=True)
    runs.append(_pytest(["-m", "browser", *arguments], embedded))
    if absent:
        print(f"Not run: the tests on the production shape, for want of {' and '.join(absent)}.")
        runs.append(int(bool(REQUIRED.intersection(absent))))
    else:
        print("== The production shape: PostgreSQL and Redis ==", flush=True)
        once_is_enough = [f"--ignore={folder}" for folder in PURE]
        runs.append(_pytest(["-m", "not browser", *SEVERAL_PROCESSES, *once_is_enough, *arguments], production))
    # Arguments may choose tests of which a run has none.
    told = [status for status in runs if status != NOTHING_COLLECTED] or [NOTHING_COLLECTED]
    return next((status for status in told if status), 0)


def _pytest(arguments: list[str], environment: dict[str, str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=environment, check=False).returncode


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
