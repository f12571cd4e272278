"""The sweeper: forgets what is kept for a while only. A thread beside the keeper, which must never wait."""

from __future__ import annotations

from datetime import datetime
from importlib import import_module
from typing import Protocol

from django.conf import settings

from accounts.people.sanctioning import forget_banned_addresses
from accounts.people.tracing import forget_traces
from games.matches import clock
from games.matches.attendants import Attendant


class Errand(Protocol):
    """What is to be forgotten now and then."""

    def __call__(self, *, moment: datetime) -> None: ...


ERRANDS: list[Errand] = []
"""Of the rooms that stand above this one, which it does not know: each adds its own when Django starts."""


class Sweeper(Attendant):
    """Looks every ten minutes: traces of where people came from, addresses of bans that are over, dead sessions."""

    name, every_s = "sweeper", 600.0
    fails = "the sweeper could not go round"

    def work(self) -> None:
        moment = clock.now()
        forget_traces(moment=moment)
        forget_banned_addresses(moment=moment)
        import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
        for errand in ERRANDS:
            errand(moment=moment)


def start_sweeper() -> Sweeper:
    """A sweeper in this process; `stop()` it before leaving."""
    sweeper = Sweeper()
    sweeper.start()
    return sweeper
