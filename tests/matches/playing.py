"""Matches as people play them: a move, a few, or all to the end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

from accounts.people.models import User
from games.matches.callers import Caller
from games.matches.errors import Refused
from games.matches.models import Match
from games.matches.services.acts import perform_act
from games.matches.services.due import settle_due
from games.matches.services.presence import renew_presence
from tests.matches.conftest import START, move_form, player_to_move

SEEN_EVERY_MS = 20_000
"""As the page says that somebody is there."""


def other(user: User, *people: User) -> User:
    """The first of the people who is not this one."""
    return next(person for person in people if person != user)


def play_form(match: Match, user: User | None, form: dict[str, str], seconds: float = 1) -> None:
    """Send that form as the page would, so many seconds after the start."""
    moment = START + timedelta(seconds=seconds)
    perform_act(act="move", slug=match.slug, caller=Caller(user), data=form, arrived=moment)


def play_some(match: Match, moves: int) -> None:
    """So many moves, each the first legal one, a second apart."""
    for _ in range(moves):
        play_form(match, player_to_move(match), move_form(match), seconds=match.ply)
    match.refresh_from_db()


def play_to_the_end(match: Match) -> None:
    """Every player plays the first legal move that is no pass, until the match is over."""
    while match.status == Match.Status.RUNNING:
        play_form(match, player_to_move(match), move_form(match), seconds=match.ply + 1)
        match.refresh_from_db()


def play_in_real_time(match: Match, rng: Random, *, until: Callable[[Match], bool] = lambda match: False) -> None:
    """Its people, all at their pages, claim at random moments, also wrongly and late, until it is over or `until`."""
    rules, now, seen_at = match.game.rules, 0, -SEEN_EVERY_MS
    people = {seat.index: seat.user for seat in match.seats.all()}
    while match.status == Match.Status.RUNNING and not until(match):
        now = max(now, match.reached) + rng.randint(20, 900)
        moment = START + timedelta(milliseconds=now)
        if now - seen_at >= SEEN_EVERY_MS:
            seen_at = now
            for user in filter(None, people.values()):
                renew_presence(slug=match.slug, user=user, moment=moment)
        settle_due(moment=moment)
        match.refresh_from_db()
        position = rules.load(match.position or {})
        for seat in rules.to_move(position)[:1]:
            text = rules.format_move(_some_claim(rules, position, seat, rng))
            form = {"move": text, "turn_key": rules.turn_key(position, seat), "key": ""}
            with suppress(Refused):
                play_form(match, people[seat], form, seconds=now / 1000)
        match.refresh_from_db()


def _some_claim(rules: Any, position: Any, seat: int, rng: Random) -> Any:
    if hasattr(rules, "random_move"):
        return rules.random_move(position, seat, rng)
    return rng.choice(rules.legal_moves(position, seat))
