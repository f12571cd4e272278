"""Who is there: each page of a player says so now and then, and one of them is enough. Never under a match's lock."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from games.matches import rows
from games.matches.attendance import AWAY_AFTER
from games.matches.events import announce_attendance
from games.matches.models import Match, Presence, Seat

if TYPE_CHECKING:
    from accounts.people.models import User

POLL_COUNTS_EVERY = timedelta(seconds=10)
"""A page that asks again and again for want of a socket is noted this often at the most."""


def renew_presence(*, slug: str, user: User, moment: datetime, lag: int | None = None) -> None:
    """The person is on the page of a match at which they sit, running or waiting; of others nothing is kept.

    `lag` is the socket's estimate in ms; None if it has none, and then what another tab's has found out stays. The
    match keeps its version; of who was not there before, the pages of a running match hear.
    """
    own = [slug, user.pk, Seat.Kind.PERSON.value, Match.Status.TABLE.value, Match.Status.RUNNING.value]
    seat = rows.ask(_OWN_SEAT, [moment - AWAY_AFTER, *own]).fetchone()
    if seat is None:
        return
    match_id, status, was_here = seat
    if lag is None:
        rows.ask(_SEEN, [match_id, user.pk, moment, 0, None])
    else:
        rows.ask(_SEEN_WITH_LAG, [match_id, user.pk, moment, lag, moment])
    if status == Match.Status.RUNNING and not was_here:
        announce_attendance(slug)


_MATCH, _SEAT, _PRESENCE = (model._meta.db_table for model in (Match, Seat, Presence))

# Prepared, since every player's page says every 20 seconds that it is open.
_OWN_SEAT = f"""SELECT m.id, m.status,
        EXISTS (SELECT 1 FROM {_PRESENCE} p WHERE p.match_id = m.id AND p.user_id = s.user_id AND p.last_seen > %s)
    FROM {_MATCH} m JOIN {_SEAT} s ON s.match_id = m.id
    WHERE m.slug = %s AND s.user_id = %s AND s.kind = %s AND m.status IN (%s, %s)"""  # noqa: S608

# In one statement: two tabs may come at once, over two processes.
_SEEN = f"""INSERT INTO {_PRESENCE} (match_id, user_id, last_seen, lag, lag_at) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (match_id, user_id) DO UPDATE SET last_seen = EXCLUDED.last_seen"""  # noqa: S608
_SEEN_WITH_LAG = f"{_SEEN}, lag = EXCLUDED.lag, lag_at = EXCLUDED.lag_at"


def note_poll(*, slug: str, user: User, moment: datetime) -> None:
    """The page has asked for news, as it does where no socket is: it is there as well."""
    recent = Presence.objects.filter(match__slug=slug, user=user, last_seen__gt=moment - POLL_COUNTS_EVERY)
    if not recent.exists():
        renew_presence(slug=slug, user=user, moment=moment)
