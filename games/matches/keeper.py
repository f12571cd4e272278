"""The keeper: makes sure that somebody looks at every match when something is due. Any number may run."""

from __future__ import annotations

import logging
import threading
from datetime import datetime, timedelta
from time import monotonic

from django.db import close_old_connections, connection

from games.matches import clock, metrics, wakeup
from games.matches.away import tell_of
from games.matches.services.due import next_due, settle_due
from games.matches.services.outages import beat
from games.matches.thinking import Thinking
from games.matches.wakeup import LOOK_EVERY_S

logger = logging.getLogger(__name__)

SOONEST_S = 0.01
"""A match that somebody else holds stays due: look again soon, but do not spin."""

AFTER_FAILURE_S = 1.0

LATE = timedelta(milliseconds=250)
"""Whoever runs the house should know when what is due is done later than that."""

TOLD_EVERY_S = 10.0


class Keeper:
    """Plays what bots have found, settles what is due, and sleeps until the next of either; until it is stopped.

    `lateness` is how long after its due time the last match was settled, or a bot's move played.
    """

    def __init__(self) -> None:
        self.lateness = timedelta(0)
        self._thinking = Thinking()
        self._told_at: float | None = None
        # When the next look at what is due must come, unless there is word of something earlier.
        self._looks_at: datetime | None = None
        self._vacations_seen_to = 0.0
        self._stopping = False
        self._thread: threading.Thread | None = None

    def run(self) -> None:
        """Keep on until told to stop. A database that is away is waited for."""
        listener = wakeup.Listener()
        listener.start()
        try:
            with wakeup.keeper_here():
                while not self._stopping:
                    wakeup.wait(self._look())
        finally:
            self._thinking.stop()
            listener.stop()
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
        """Do what is to be done now; how long to sleep then, in seconds."""
        try:
            close_old_connections()
            clock.follow_database()
            beat()
            metrics.KEEPER_LOOKED.set_to_current_time()
            self._thinking.play(clock.now, after_each=self._settled)
            if wakeup.take_word() or self._is_time_to_look():
                self._settle()
        except Exception as error:
            tell_of(logger, error, "the keeper could not look")
            self._looks_at = None
            return AFTER_FAILURE_S
        assert self._looks_at is not None
        due_at = min(self._looks_at, self._thinking.next_at or self._looks_at)
        return min(LOOK_EVERY_S, max(SOONEST_S, (due_at - clock.now()).total_seconds()))

    def _is_time_to_look(self) -> bool:
        """Not each time a bot has found its move. Should the clock have been set, it is."""
        now = clock.now()
        return self._looks_at is None or not now < self._looks_at <= now + timedelta(seconds=LOOK_EVERY_S)

    def _settle(self) -> None:
        # Vacations last for days: with many matches in play not every look asks for them as well.
        vacations = monotonic() - self._vacations_seen_to >= LOOK_EVERY_S
        settle_due(moment=clock.now(), after_each=self._settled, think=self._thinking.take, vacations=vacations)
        if vacations:
            self._vacations_seen_to = monotonic()
        soon = clock.now() + timedelta(seconds=LOOK_EVERY_S)
        self._looks_at = min(next_due() or soon, soon)

    def _settled(self, due_at: datetime) -> None:
        """What was due then has been done. With much at once, the house stays open in between."""
        self.lateness = clock.now() - due_at
        metrics.time_keeper(self.lateness)
        if self.lateness > LATE and (self._told_at is None or monotonic() - self._told_at >= TOLD_EVERY_S):
            self._told_at = monotonic()
            logger.warning("the keeper is late: %d ms", self.lateness // timedelta(milliseconds=1))
        beat()


def start_keeper_thread() -> Keeper:
    """A keeper beside the web server, in one process; `stop()` it before leaving."""
    keeper = Keeper()
    keeper.start()
    return keeper
