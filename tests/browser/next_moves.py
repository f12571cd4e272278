"""Behind the stage: what the players whose turn it is might do next, and a match that they play on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from games.matches import clock
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.services import play


def next_move(slug: str) -> dict[str, str] | None:
    """The player, the turn key and a legal move, in a game of one move after the other; None once it is over."""
    match = Match.objects.get(slug=slug)
    if match.status != Match.Status.RUNNING:
        return None
    rules: Any = match.game.rules
    position = rules.load(match.position or {})
    seat = match.to_move[0]
    user = match.seats.get(index=seat).user
    assert user is not None
    text = match.game.bot.choose(rules.view(position, seat), "easy", Random(match.ply))
    assert text is not None
    return {"username": user.username, "turn_key": rules.turn_key(position, seat), "text": text}


def play_on(slug: str, left: int) -> int:
    """Its people play on, as bots would, until it would be over with so many moves more; the version then."""
    match = Match.objects.get(slug=slug)
    rules: Any = match.game.rules
    position = rules.load(match.position or {})
    people = [seat.user for seat in match.seats.order_by("index")]
    coming: list[tuple[int, str, str]] = []
    while seats := rules.to_move(position):
        text = match.game.bot.choose(rules.view(position, seats[0]), "easy", Random(len(coming)))
        assert text is not None
        coming.append((seats[0], rules.turn_key(position, seats[0]), text))
        position, _ = rules.play(position, seats[0], rules.parse_move(text), at=match.reached, lag=0)
    for seat, turn_key, text in coming[:-left]:
        caller = Caller(people[seat])
        play.play_move(slug=slug, caller=caller, text=text, turn_key=turn_key, key="", arrived=clock.now())
    match.refresh_from_db()
    return match.version


def moves_by_key(slug: str) -> list[list[str]]:
    """Key and text of every move that has a key, in their order."""
    return [list(pair) for pair in Match.objects.get(slug=slug).moves.order_by("ply").values_list("key", "text")]


ACTS: tuple[Callable[..., Any], ...] = (next_move, play_on, moves_by_key)
