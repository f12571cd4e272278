"""The few threads in which sockets and downloads use the database: `database_sync_to_async` would put all on one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from time import monotonic
from typing import ParamSpec, TypeVar, cast

from django.db import InterfaceError, OperationalError, connection

TRUSTED_FOR_S = 5.0
"""A connection that has slept longer may have died unnoticed, and is asked first."""

_last = threading.local()

P = ParamSpec("P")
T = TypeVar("T")


async def in_db_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run the function in a thread that has a database connection, and await its result."""
    return await _run(_match_threads(), partial(function, *args, **kwargs))


async def in_lobby_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The same in a thread of its own: a lobby full of onlookers must not keep a move waiting."""
    return await _run(_lobby_thread(), partial(function, *args, **kwargs))


async def in_steps(pieces: Iterator[T]) -> AsyncIterator[T]:
    """The pieces one by one, each made in a thread of its own kind: whoever downloads must not keep a move waiting."""
    nothing = object()
    step = partial(next, pieces, nothing)
    # Never once more: an iterator that has failed is at its end, and half a file would look like a whole one.
    while (piece := await _run(_download_thread(), step, repeats=False)) is not nothing:
        yield cast(T, piece)


async def _run(threads: ThreadPoolExecutor, job: Callable[[], T], *, repeats: bool = True) -> T:
    run = partial(_with_own_connection, job, repeats=repeats)
    return await asyncio.get_running_loop().run_in_executor(threads, run)


@cache
def _match_threads() -> ThreadPoolExecutor:
    # SQLite has one writer at a time: a second thread would only wait, and wait clumsily.
    return ThreadPoolExecutor(max_workers=1 if connection.vendor == "sqlite" else 4, thread_name_prefix="sockets-db")


@cache
def _lobby_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="lobby-db")


@cache
def _download_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="downloads-db")


def _with_own_connection(job: Callable[[], T], *, repeats: bool) -> T:
    """The thread keeps its connection, since to open and close one takes longer than most jobs.

    If the database was away meanwhile, a job that `repeats` is done once more on a new one: acts can be repeated
    without harm.
    """
    if not _used_lately():
        _drop_broken()
    try:
        return job()
    except (OperationalError, InterfaceError):
        if not _drop_broken() or not repeats:
            raise
        return job()
    finally:
        _last.used_at = monotonic()
        if connection.errors_occurred:
            _drop_broken()


def _used_lately() -> bool:
    return monotonic() - getattr(_last, "used_at", 0.0) < TRUSTED_FOR_S


def _drop_broken() -> bool:
    """Close the thread's connection if it is of no use any more; whether it was."""
    if connection.connection is None or connection.in_atomic_block:
        return False
    if connection.is_usable():
        connection.errors_occurred = False
        return False
    connection.close()
    return True
