"""What the threads beside the keeper share, which must never wait: each looks now and then for its own work."""

from __future__ import annotations

import logging
import threading

from django.db import close_old_connections, connection

from games.matches import clock
from games.matches.away import tell_of


class Attendant:
    """Looks every `every_s` seconds, in a thread of this process, until it is stopped. Any number may run.

    `name` is the thread's, `fails` what the log says of a look that went wrong: the next one comes all the same.
    """

    name: str
    every_s: float
    fails: str

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)

    def work(self) -> None:
        """One look, and what it finds to do."""
        raise NotImplementedError

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Begin nothing more. Work under way goes on for as long as the process does; another attendant redoes it."""
        self._stopping.set()
        self._thread.join(timeout=2)

    def _run(self) -> None:
        while not self._stopping.wait(self.every_s):
            self._look()
        connection.close()

    def _look(self) -> None:
        try:
            close_old_connections()
            clock.follow_database()
            self.work()
        except Exception as error:
            tell_of(logging.getLogger(type(self).__module__), error, self.fails)
