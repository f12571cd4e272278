"""The few threads in which sockets use the database: `database_sync_to_async` would put all of them on one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import ParamSpec, TypeVar

from django.db import close_old_connections, connection

P = ParamSpec("P")
T = TypeVar("T")


async def in_db_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run the function in a thread that has a database connection, and await its result."""
    return await _run(_match_threads(), partial(function, *args, **kwargs))


async def in_lobby_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The same in a thread of its own: a lobby full of onlookers must not keep a move waiting."""
    return await _run(_lobby_thread(), partial(function, *args, **kwargs))


async def _run(threads: ThreadPoolExecutor, job: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, partial(_with_fresh_connection, job))


@cache
def _match_threads() -> ThreadPoolExecutor:
    # SQLite has one writer at a time: a second thread would only wait, and wait clumsily.
    return ThreadPoolExecutor(max_workers=1 if connection.vendor == "sqlite" else 4, thread_name_prefix="sockets-db")


@cache
def _lobby_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="lobby-db")


def _with_fresh_connection(job: Callable[[], T]) -> T:
    # A connection that died while the thread slept would fail the first query after.
    close_old_connections()
    try:
        return job()
    finally:
        close_old_connections()
