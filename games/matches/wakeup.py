"""Tells of a due time that is nearer than a keeper's next look: the keeper of this process, or else, across the
database, all of them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import psycopg
from django.db import connection, transaction

from games.matches import clock

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 0.25
"""The net below the wake-ups: every keeper looks at the index of due times this often at least."""

SOON = timedelta(seconds=2 * LOOK_EVERY_S)
"""What falls due later needs no word: a keeper's look comes between, even if the commit takes its time.

PostgreSQL commits transactions that notify one after the other, so few of them should.
"""

CHANNEL = "tesela_due"

RECONNECT_AFTER_S = 1.0

STOPS_WITHIN_S = 0.25

# A line that is dead without a word is found out within half a minute.
LINE = {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}

_woken = threading.Event()

# Whether it was for something that falls due, and not only for a bot that has found its move.
_told = threading.Event()

# Whether a keeper of this process hears what is due: then it looks itself, and the others need no word.
_heard_here = threading.Event()


def wake_on_commit(due_at: datetime) -> None:
    """Something is due then, if the transaction under way is committed, or as it is stored already: wake the keepers if
    they might miss it.
    """
    if due_at - clock.now() > SOON:
        return
    transaction.on_commit(wake, robust=True)
    if connection.vendor != "postgresql" or _heard_here.is_set():
        return
    if connection.in_atomic_block:
        _notify()
    else:  # what is stored stands, even if nobody can be told
        transaction.on_commit(_notify, robust=True)


def _notify() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, '')", [CHANNEL])


def wake() -> None:
    """Let the keeper of this process look now."""
    _told.set()
    _woken.set()


def rouse() -> None:
    """Let it see to what it has at hand; nothing else has fallen due by that."""
    _woken.set()


def take_word() -> bool:
    """Whether somebody has said since the last time that something falls due."""
    if not _told.is_set():
        return False  # a word that comes now stays
    _told.clear()
    return True


def forget() -> None:
    """As if nobody had said anything yet."""
    _told.clear()
    _woken.clear()


@contextmanager
def keeper_here() -> Iterator[None]:
    """Within, a keeper of this process hears what is committed here, and the others need no word of it."""
    _heard_here.set()
    try:
        yield
    finally:
        _heard_here.clear()


def wait(seconds: float) -> None:
    """Sleep until woken, or until that time has passed."""
    _woken.wait(seconds)
    _woken.clear()


class Listener:
    """Hears on a connection of its own what other processes commit, and wakes this one's keeper.

    A lost connection is made again; until then the keeper has its own looks. Other databases than PostgreSQL are
    of one process, and there is nothing to hear.
    """

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._told = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Listen in a thread."""
        if connection.vendor == "postgresql":
            self._thread = threading.Thread(target=self._run, name="wake-ups", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Hang up."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout=2 * STOPS_WITHIN_S)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._listen()
            except psycopg.Error as error:
                if not self._told:
                    logger.warning("no wake-ups are heard from other processes: %s", str(error).strip())
                self._told = True
                self._stopping.wait(RECONNECT_AFTER_S)

    def _listen(self) -> None:
        with psycopg.connect(**{**LINE, **connection.get_connection_params()}, autocommit=True) as line:
            line.execute(f"LISTEN {CHANNEL}")
            self._told = False
            wake()  # for what was committed while nobody listened
            while not self._stopping.is_set():
                for _ in line.notifies(timeout=STOPS_WITHIN_S, stop_after=1):
                    wake()
