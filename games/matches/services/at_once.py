"""Matches that begin at once, without a table that waits: against bots, and alone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction

from games.contract.registry import Game
from games.matches.errors import BadInput
from games.matches.models import Match, Seat
from games.matches.services.admission import lock_person
from games.matches.services.sitting import locked_match
from games.matches.services.tables import complete_options, create_table, give_to_bot, start_match

if TYPE_CHECKING:
    from accounts.people.models import User

DOUBLE_CLICK = timedelta(seconds=3)
"""The second of two clicks comes sooner than that."""

PLAY_NOW_LEVEL = "easy"


def play_now(*, user: User, game: Game, moment: datetime, level: str = PLAY_NOW_LEVEL) -> Match:
    """An unrated match of two against a bot of that level, begun at once; a double click begins one.

    Raises `BadInput`, `TooMany`.
    """
    if level not in game.bot.LEVELS:
        raise BadInput(what="level")
    seats = max(2, game.info.min_seats)
    return _begin_at_once(user=user, game=game, options={}, seats=seats, moment=moment, level=level)


def play_alone(*, user: User, game: Game, options: Mapping[str, Any], moment: datetime) -> Match:
    """A private match of one, begun at once; a double click begins one.

    Raises `OptionRefused`, also for a game that nobody plays alone; `TooMany`.
    """
    return _begin_at_once(user=user, game=game, options=options, seats=1, moment=moment)


def _begin_at_once(
    *,
    user: User,
    game: Game,
    options: Mapping[str, Any],
    seats: int,
    moment: datetime,
    level: str = PLAY_NOW_LEVEL,
) -> Match:
    """A private live match with bots of that level on all seats but the first."""
    complete = complete_options(game, options, seats)
    with transaction.atomic():
        lock_person(user)
        begun = _just_begun(user, game, complete, bots=seats - 1, level=level, since=moment - DOUBLE_CLICK)
        if begun is not None:
            return begun
        match = create_table(
            host=user,
            game=game,
            options=complete,
            seats=seats,
            public=False,
            pace=Match.Pace.LIVE,
            seating=Match.Seating.LOT,
            moment=moment,
        )
        with locked_match(slug=match.slug) as sitting:
            for seat in sitting.seats[1:]:
                give_to_bot(seat, level)
            start_match(sitting, moment)
    return match


def _just_begun(
    user: User, game: Game, options: Mapping[str, Any], *, bots: int, level: str, since: datetime
) -> Match | None:
    """A match like it that the person has begun since then: the first of two clicks."""
    found = Match.objects.filter(
        host=user,
        game_slug=game.slug,
        seat_count=1 + bots,
        public=False,
        status=Match.Status.RUNNING,
        started_at__gt=since,
    )
    for match in found.prefetch_related("seats"):
        alike = [seat for seat in match.seats.all() if seat.kind == Seat.Kind.BOT and seat.level == level]
        if len(alike) == bots and match.options == options:
            return match
    return None
