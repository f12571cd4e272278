"""The one clock of all processes: the database's, followed by an offset that is measured now and then."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import NamedTuple

from django.db import connection

MEASURED_EVERY_S = 60.0

JUMP = timedelta(milliseconds=250)
"""By more than that a system's clock does not stray from its steady seconds in a minute: then somebody has set it."""

LOOKS = 5
"""So often at most the database is asked in one measurement, until it answers ..."""

QUICKLY = timedelta(milliseconds=2)
"""... within that: by half of the way of the answer an offset may be wrong."""


class _Look(NamedTuple):
    """The database's clock was looked at within `way` after our own said `own`, at those steady seconds."""

    own: datetime
    steady: float
    theirs: datetime
    way: timedelta

    @property
    def offset(self) -> timedelta:
        """As if it was looked at in the middle of the way."""
        return self.theirs - self.own - self.way / 2

    def agrees_with(self, offset: timedelta) -> bool:
        return self.theirs - self.own - self.way <= offset <= self.theirs - self.own


class _Measured(NamedTuple):
    """From our own clock to the database's, found when our own, and the steady seconds, were that."""

    offset: timedelta
    own: datetime
    steady: float


# Taken and replaced as one: other threads tell the time meanwhile.
_measured: _Measured | None = None


def now() -> datetime:
    """The moment by the database's clock, also if our own is set meanwhile. Never blocks: a door calls it before any
    waiting.
    """
    own, measured = datetime.now(UTC), _measured
    if measured is None:
        return own
    return own + measured.offset - _set_by(own, measured)


def _set_by(own: datetime, measured: _Measured) -> timedelta:
    """How far our own clock was set since the measurement."""
    jump = own - measured.own - timedelta(seconds=_steady_seconds() - measured.steady)
    return jump if abs(jump) > JUMP else timedelta(0)


def _steady_seconds() -> float:
    """Seconds since some moment, whoever sets the clock; where that is known, with those of the machine's sleep."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else monotonic()


def follow_database(*, at_once: bool = False) -> None:
    """Measure the offset again if the last measurement is old. Costs a query a minute; SQLite's clock is ours.

    With `at_once` it is measured now: something is about to be decided by it for all matches.
    """
    global _measured
    if connection.vendor != "postgresql":
        return
    known = _measured
    if not at_once and known is not None and _steady_seconds() - known.steady < MEASURED_EVERY_S:
        return
    # To open a connection takes many times as long as the question, and counted half with it: flags fell too early.
    connection.ensure_connection()
    look = _look()
    for _ in range(LOOKS - 1):
        if look.way <= QUICKLY:
            break
        look = min(look, _look(), key=lambda look: look.way)
    # What was known before is kept as long as it agrees with that: after a slow answer the middle would be a worse
    # guess, and shift all stamps of this process.
    offset = known.offset if known is not None and look.agrees_with(known.offset) else look.offset
    _measured = _Measured(offset, look.own, look.steady)


def _look() -> _Look:
    """Ask the database for its clock. The way is of steady seconds: our own clock may be set while we wait."""
    steady, own = _steady_seconds(), datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        theirs: datetime = cursor.fetchone()[0]
    return _Look(own, steady, theirs, timedelta(seconds=_steady_seconds() - steady))
