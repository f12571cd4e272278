"""Lessons that a person has done."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from games.matches.models import LessonDone

if TYPE_CHECKING:
    from accounts.people.models import User


def note_lessons_done(*, user: User, lessons: Iterable[tuple[str, str]], moment: datetime) -> None:
    """The person has done these, as (game's slug, key); what was done before stays as it is."""
    rows = [LessonDone(user=user, game_slug=game, lesson=lesson, done_at=moment) for game, lesson in lessons]
    LessonDone.objects.bulk_create(rows, ignore_conflicts=True)
