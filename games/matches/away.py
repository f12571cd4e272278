"""When the database is away: how that is known, and told in the log by one line now and then.

Then all that is tried fails alike, and a traceback each would bury the reason.
"""

from __future__ import annotations

import logging
from time import monotonic

from django.db import InterfaceError, OperationalError

AWAY = (OperationalError, InterfaceError)
"""What Django raises when the database can't be reached, was lost on the way, or has no room left."""

TOLD_EVERY_S = 10.0

_told: dict[tuple[str, str], float] = {}


def tell_of(logger: logging.Logger, error: BaseException, what: str, *args: object) -> None:
    """Log what failed, from within its `except`: a fault of ours with its traceback, an absence in one line."""
    if not isinstance(error, AWAY):
        logger.error(what, *args, exc_info=error)
        return
    key, now = (logger.name, what), monotonic()
    if now - _told.get(key, -TOLD_EVERY_S) >= TOLD_EVERY_S:
        _told[key] = now
        logger.error(f"{what}: the database is away (%s)", *args, " ".join(str(error).split()))
