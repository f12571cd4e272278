"""What happens by time alone, at matches, tables and vacations. Called by the keeper, safe from any number of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.db import DatabaseError
from django.db.models import F

from games.matches import rows
from games.matches.away import tell_of
from games.matches.errors import NotFound
from games.matches.models import Match, known_games
from games.matches.services.sitting import locked_match
from games.matches.services.tables import close_if_idle
from games.matches.services.thoughts import Thought, take_thoughts
from games.matches.services.timing import bring_up_to
from games.matches.services.vacations import settle_vacations
from games.matches.snapshots import keep_for_later

logger = logging.getLogger(__name__)

AT_ONCE = 100
"""Due matches taken in one look."""

TRY_AGAIN_AFTER = timedelta(seconds=30)
"""For a match at which something unexpected happened: the others must not wait for it."""

TRY_AGAIN_SOON = timedelta(seconds=1)
"""The same where it was the database, which may have had a bad moment."""

SOON_AGAIN = timedelta(seconds=10)
"""A match with something due within that, as where a bot plays, is kept in mind: it need not be loaded each time."""


def settle_due(
    *,
    moment: datetime,
    after_each: Callable[[datetime], None] | None = None,
    think: Callable[[Thought], None] | None = None,
    vacations: bool = True,
) -> int:
    """Do everything that is due at or before that moment, each match in its own transaction; how much was looked at.

    A match that somebody else holds is left to them. `after_each` is told when the match just settled was due. `think`
    is given what bots have to think about, once it is theirs; without it that waits for somebody who can. Without
    `vacations` those are left for another look.
    """
    found = [(slug, due_at) for slug, due_at in _waiting(AT_ONCE) if due_at <= moment]
    for slug, due_at in found:
        try:
            settled = _settle(slug=slug, moment=moment, think=think)
        except NotFound:
            continue
        except Exception as error:
            tell_of(logger, error, "could not bring match %s up to now", slug)
            again = TRY_AGAIN_SOON if isinstance(error, DatabaseError) else TRY_AGAIN_AFTER
            late = Match.objects.filter(slug=slug, due_at__lte=moment)
            late.update(due_at=moment + again, revision=F("revision") + 1)
            continue
        if settled and after_each is not None:
            after_each(due_at)
    return len(found) + (settle_vacations(moment=moment) if vacations else 0)


def next_due() -> datetime | None:
    """The earliest due time of any match."""
    return next((due_at for _, due_at in _waiting(1)), None)


def _waiting(most: int) -> list[tuple[str, datetime]]:
    """Which matches somebody has to look at next, and when each of them is due, the earliest first."""
    games = known_games()
    if not games:
        return []
    places = ", ".join(["%s"] * len(games))
    # The slug as an expression: by an index of games SQLite would read all matches that there ever were.
    rest = f"WHERE due_at IS NOT NULL AND game_slug || '' IN ({places}) ORDER BY due_at LIMIT %s"
    return [(slug, due_at) for slug, due_at in rows.read_values(Match, ("slug", "due_at"), rest, [*games, most])]


def _settle(*, slug: str, moment: datetime, think: Callable[[Thought], None] | None = None) -> bool:
    """Whether there was still something to do."""
    thoughts: Sequence[Thought] = ()
    with locked_match(slug=slug, skip_locked=True) as sitting:
        match = sitting.match
        if match.due_at is None or match.due_at > moment:
            return False  # another keeper, or a player's move, was here first
        if match.status == Match.Status.TABLE:
            close_if_idle(sitting, moment)
        else:
            bring_up_to(sitting, moment)
            if think is not None:
                thoughts = take_thoughts(sitting, moment)
        back_soon = sitting.running and match.due_at is not None and match.due_at - moment <= SOON_AGAIN
    for thought in thoughts:
        assert think is not None
        think(thought)
    if back_soon:
        try:
            keep_for_later(slug)
        except Exception as error:  # then it is loaded when its time comes
            tell_of(logger, error, "could not keep match %s in mind", slug)
    return True
