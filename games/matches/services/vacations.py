"""Vacations: who is away for some days, and back again; meanwhile their clocks in matches by turns stand still."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F

from games.matches.errors import NotFound, NoVacationLeft
from games.matches.models import Match, Seat, Vacation, known_games
from games.matches.selectors import DAYS_OFF, current_vacation, new_year, vacation_left
from games.matches.services.admission import lock_person
from games.matches.services.sitting import locked_match
from games.matches.services.timing import bring_up_to, settle

if TYPE_CHECKING:
    from accounts.people.models import User

logger = logging.getLogger(__name__)

SHORTEST = timedelta(minutes=1)
"""Days off are counted in minutes; who has less left has none."""

AT_ONCE = 100
"""Vacations ended in one look."""


def begin_vacation(*, user: User, moment: datetime) -> None:
    """The person is away from now on; who is away already stays so. Raises `NoVacationLeft`.

    Away first, then match by match: a clock that starts in between looks for itself.
    """
    with transaction.atomic():
        lock_person(user)
        # One that no keeper has closed yet.
        Vacation.objects.filter(user=user, ended_at=None, ends_at__lte=moment).update(ended_at=F("ends_at"))
        if current_vacation(user=user, moment=moment) is None:
            Vacation.objects.create(user=user, began_at=moment, ends_at=_latest_end(user, moment))
    _tell_matches(user.pk, moment)


def end_vacation(*, user: User, moment: datetime) -> None:
    """The person is back: their clocks go on from where they stood. Nothing happens to who was not away."""
    with transaction.atomic():
        lock_person(user)
        current = current_vacation(user=user, moment=moment)
        if current is not None:
            current.ended_at = max(moment, current.began_at)
            current.save(update_fields=["ended_at"])
    _tell_matches(user.pk, moment)


def settle_vacations(*, moment: datetime) -> int:
    """End those vacations for which no days are left; how many were looked at. Called by the keeper."""
    over = Vacation.objects.filter(ended_at=None, ends_at__lte=moment).order_by("ends_at")
    found = list(over.values_list("pk", "user_id")[:AT_ONCE])
    for pk, user_id in found:
        Vacation.objects.filter(pk=pk, ended_at=None).update(ended_at=F("ends_at"))
        _tell_matches(user_id, moment)
    return len(found)


def _latest_end(user: User, moment: datetime) -> datetime:
    """When a vacation that begins now ends at the latest: the next year has days off of its own."""
    left = vacation_left(user=user, moment=moment)
    if left < SHORTEST:
        raise NoVacationLeft
    next_year = new_year(moment.astimezone(UTC).year + 1)
    return moment + left if moment + left < next_year else next_year + DAYS_OFF


def _tell_matches(user_id: int, moment: datetime) -> None:
    """Let each of the person's matches by turns find out whether they are away, one lock after the other."""
    matches = Match.objects.filter(
        status=Match.Status.RUNNING,
        pace=Match.Pace.TURNS,
        game_slug__in=known_games(),
        seats__user=user_id,
        seats__kind=Seat.Kind.PERSON,
    )
    for slug in matches.order_by("pk").values_list("slug", flat=True):
        try:
            with locked_match(slug=slug) as sitting:
                bring_up_to(sitting, moment)
                if sitting.running:
                    settle(sitting, moment)
        except NotFound:
            continue
        except Exception:
            # The others must not wait for it, and it asks by itself with its next move.
            logger.exception("match %s could not be told of a vacation", slug)
