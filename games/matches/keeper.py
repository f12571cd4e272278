"""The keeper: makes sure that somebody looks at every match when something is due. Any number may run."""

from __future__ import annotations

import logging
import threading

from django.db import close_old_connections, connection

from games.matches import clock, wakeup
from games.matches.services.due import next_due, settle_due

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 0.25
"""The net below the wake-ups: a due time that another process committed is seen this much later at the most."""

SOONEST_S = 0.01
"""A match that somebody else holds stays due: look again soon, but do not spin."""

AFTER_FAILURE_S = 1.0


class Keeper:
    """Looks, sleeps until the next due time, and looks again, until it is stopped."""

    def __init__(self) -> None:
        self._stopping = False
        self._thread: threading.Thread | None = None

    def run(self) -> None:
        """Keep on until told to stop. A database that is away is waited for."""
        while not self._stopping:
            wakeup.wait(self._look())
        connection.close()

    def start(self) -> None:
        """Run in a thread of this process."""
        self._thread = threading.Thread(target=self.run, name="keeper", daemon=True)
        self._thread.start()

    def ask_to_stop(self) -> None:
        """End when what is at hand is done. Takes no lock, so that a signal's handler may call it at any moment."""
        self._stopping = True

    def stop(self) -> None:
        """Finish what is at hand, and end."""
        self.ask_to_stop()
        wakeup.wake()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def _look(self) -> float:
        """Settle what is due; how long to sleep then, in seconds."""
        try:
            close_old_connections()
            clock.follow_database()
            settle_due(moment=clock.now())
            due_at = next_due()
        except Exception:
            logger.exception("the keeper could not look")
            return AFTER_FAILURE_S
        if due_at is None:
            return LOOK_EVERY_S
        return min(LOOK_EVERY_S, max(SOONEST_S, (due_at - clock.now()).total_seconds()))


def start_keeper_thread() -> Keeper:
    """A keeper beside the web server, in one process; `stop()` it before leaving."""
    keeper = Keeper()
    keeper.start()
    return keeper
