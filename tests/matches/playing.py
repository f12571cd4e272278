"""Matches as people play them: a move, a few, or all to the end."""

from __future__ import annotations

from datetime import timedelta

from accounts.people.models import User
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.services.acts import perform_act
from tests.matches.conftest import START, move_form, player_to_move


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
