"""The one clock of all processes: the database's, followed by an offset that is measured now and then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import monotonic

from django.db import connection

MEASURED_EVERY_S = 60.0

_offset = timedelta(0)
_measured_at: float | None = None


def now() -> datetime:
    """The moment by the database's clock. Never blocks: a door calls it before any waiting."""
    return datetime.now(UTC) + _offset


def follow_database() -> None:
    """Measure the offset again if the last measurement is old. Costs one query a minute; SQLite's clock is ours."""
    global _measured_at, _offset
    if connection.vendor != "postgresql":
        return
    if _measured_at is not None and monotonic() - _measured_at < MEASURED_EVERY_S:
        return
    before = datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        theirs: datetime = cursor.fetchone()[0]
    after = datetime.now(UTC)
    # Half of the round trip has passed since the database looked at its clock, give or take the other half.
    _offset = theirs - (before + (after - before) / 2)
    _measured_at = monotonic()
