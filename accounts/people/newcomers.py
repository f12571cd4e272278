"""Who has just come, and finds a quieter house: account after account to disturb others gives little.

Playing is the same for everybody, from the first match on.
"""

from __future__ import annotations

from datetime import datetime, timedelta

NEW_FOR = timedelta(hours=24)
SETTLED_AFTER = 3
"""Whoever has finished so many matches is new no more."""


def is_new(*, joined: datetime, moment: datetime, finished: int) -> bool:
    """Whether somebody who joined then and has finished so many matches is new at that moment."""
    return moment < joined + NEW_FOR and finished < SETTLED_AFTER
