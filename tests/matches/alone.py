"""Matches that somebody plays alone, and how they end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest import mock

from accounts.people.models import User
from games.contract.registry import get_game
from games.contract.values import Outcome
from games.matches.models import Match
from games.matches.services.at_once import play_alone
from games.matches.services.results import settle_outcome
from games.matches.services.sitting import locked_match
from tests.matches.conftest import START

CHOICES: dict[str, Any] = {"deck": "standard", "pace": "normal"}


def begun(user: User, *, minutes: float = 0, **options: Any) -> Match:
    """A match of BlockYou! that the person has just begun, so long after the start of all."""
    moment = START + timedelta(minutes=minutes)
    match = play_alone(user=user, game=get_game("blockyou"), options=options, moment=moment)
    match.refresh_from_db()
    return match


def ended(user: User, score: int, *, minutes: float = 0, reason: str = "cleared", **options: Any) -> Match:
    """One that has ended by the rules with that score in ms, in the same minute."""
    match = begun(user, minutes=minutes, **options)
    rules, outcome = type(match.game.rules), Outcome(reason, (1,), (score,))
    with (
        mock.patch.object(rules, "outcome", return_value=outcome),
        mock.patch.object(rules, "scores", return_value=(score,)),
        locked_match(slug=match.slug) as sitting,
    ):
        settle_outcome(sitting, START + timedelta(minutes=minutes, seconds=5))
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    return match
