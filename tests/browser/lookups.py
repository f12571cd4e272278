"""What tests look up of matches in the site's own database: who may move, and whether what is stored is sound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from django.db import transaction

from games.matches.models import Match, Outage
from tests.soundness import assert_sound


def open_claims(slug: str) -> list[dict[str, str]]:
    """Who might claim now in a match of BlockYou!: the player, the turn key, and a placement, right or wrong."""
    return open_moves(slug)


def open_moves(slug: str) -> list[dict[str, str]]:
    """Who might move now: the player, the turn key, and some move; in BlockYou! a placement, right or wrong."""
    match = Match.objects.get(slug=slug)
    if match.status != Match.Status.RUNNING:
        return []
    rules: Any = match.game.rules
    chosen = getattr(
        rules, "random_move", lambda position, seat, chance: chance.choice(rules.legal_moves(position, seat))
    )
    position = rules.load(match.position or {})
    seats = {seat.index: seat for seat in match.seats.select_related("user") if seat.is_present and seat.user}
    return [
        {
            "username": seats[seat].user.username,  # type: ignore[union-attr]
            "turn_key": rules.turn_key(position, seat),
            "text": rules.format_move(chosen(position, seat, Random())),
        }
        for seat in rules.to_move(position)
        if seat in seats
    ]


def audit(slug: str) -> dict[str, Any]:
    """What is stored of a match, after a look at whether it is sound."""
    with transaction.atomic():  # nobody plays on meanwhile
        match = Match.objects.select_for_update().get(slug=slug)
        assert_sound(match)
        assert match.epoch is not None
        assert match.started_at is not None
        opened = match.entries.filter(code="opened").order_by("pk").values_list("params", flat=True)
        return {
            "status": match.status,
            "keys": dict(match.moves.values_list("key", "text")),
            "doubled": [key for key, times in Counter(match.moves.values_list("seat", "key")).items() if times > 1],
            "opened": [params["round"] for params in opened],
            "reached": match.reached,
            "down_s": (match.epoch - match.started_at).total_seconds(),
        }


def game_of(slug: str) -> str:
    """The slug of the match's game."""
    return Match.objects.get(slug=slug).game_slug


def outages() -> list[float]:
    """How many seconds each outage of the house was, in order."""
    return [(outage.ended_at - outage.began_at).total_seconds() for outage in Outage.objects.order_by("began_at")]


ACTS: tuple[Callable[..., Any], ...] = (open_claims, open_moves, audit, game_of, outages)
