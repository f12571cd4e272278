"""What the house allows those who have just come, apart from playing, which is the same for all."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from accounts.people.newcomers import SETTLED_AFTER, is_new
from games.matches.models import Seat

if TYPE_CHECKING:
    from accounts.people.models import User

MAX_OPEN_TABLES = 3
"""Tables of a newcomer that wait at the same time. How much they write and whom they invite: `ACCOUNT_RATE_LIMITS`."""


def is_newcomer(*, user: User, moment: datetime) -> bool:
    """Whether the house is quieter for this person. A query only on their first day."""
    if not is_new(joined=user.date_joined, moment=moment, finished=0):
        return False
    finished = Seat.objects.filter(user=user, finished_at__isnull=False)[:SETTLED_AFTER].count()
    return is_new(joined=user.date_joined, moment=moment, finished=finished)
