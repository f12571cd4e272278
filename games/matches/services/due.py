"""What happens by time alone: bots move, idle tables close. Called by the keeper, safe from any number of them."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.matches.errors import NotFound
from games.matches.models import Match, known_games
from games.matches.services.play import bring_up_to
from games.matches.services.sitting import locked_match
from games.matches.services.tables import close_if_idle

logger = logging.getLogger(__name__)

AT_ONCE = 100
"""Due matches taken in one look."""

TRY_AGAIN_AFTER = timedelta(seconds=30)
"""For a match at which something unexpected happened: the others must not wait for it."""


def settle_due(*, moment: datetime) -> int:
    """Do everything that is due at or before that moment, each match in its own transaction; how many were looked at.

    A match that somebody else holds is left to them.
    """
    due = _waiting().filter(due_at__lte=moment).order_by("due_at").values_list("slug", flat=True)
    slugs = list(due[:AT_ONCE])
    for slug in slugs:
        try:
            _settle(slug=slug, moment=moment)
        except NotFound:
            continue
        except Exception:
            logger.exception("could not bring match %s up to now", slug)
            Match.objects.filter(slug=slug, due_at__lte=moment).update(due_at=moment + TRY_AGAIN_AFTER)
    return len(slugs)


def next_due() -> datetime | None:
    """The earliest due time of any match."""
    return _waiting().order_by("due_at").values_list("due_at", flat=True).first()


def _waiting() -> QuerySet[Match]:
    return Match.objects.filter(due_at__isnull=False, game_slug__in=known_games())


def _settle(*, slug: str, moment: datetime) -> None:
    with locked_match(slug=slug, skip_locked=True) as sitting:
        match = sitting.match
        if match.due_at is None or match.due_at > moment:
            return  # another keeper, or a player's move, was here first
        if match.status == Match.Status.TABLE:
            close_if_idle(sitting, moment)
        else:
            bring_up_to(sitting, moment)
