"""Auctions as people play them: matches of the toy game, in real time. Times are in ms since the start.

A round opens at COUNT and is open for six seconds; bids stay secret until it closes.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.services.acts import perform_act
from games.matches.services.due import settle_due
from tests.matches.conftest import START, sit_down
from tests.toy.rules import COUNT, Auction


def at(ms: int) -> datetime:
    """The moment of that match time."""
    return START + timedelta(milliseconds=ms)


def auction(*people: User, opened: bool = True, **table: Any) -> Match:
    """An auction between these people, its first round open unless told otherwise."""
    match = sit_down(*people, game=get_game("toy"), **table)
    if opened:
        look(match, COUNT)
    return match


def look(match: Match, ms: int) -> None:
    """The keeper looks at what is due."""
    settle_due(moment=at(ms))
    match.refresh_from_db()


def position_of(match: Match) -> Auction:
    match.refresh_from_db()
    position: Auction = match.game.rules.load(match.position or {})
    return position


def seat_of(match: Match, user: User) -> int:
    return int(match.seats.get(user=user).index)


def bid_form(match: Match, user: User, *, key: str = "", card: int = -1) -> dict[str, str]:
    """The form that this person's page would send to bid that card of the hand (the highest)."""
    position, seat = position_of(match), seat_of(match, user)
    turn_key = match.game.rules.turn_key(position, seat)
    return {"move": f"bid {position.hands[seat][card]}", "turn_key": turn_key, "key": key or f"{user}-{turn_key}"}


def bid(match: Match, user: User, ms: int, *, lag: int = 0, form: dict[str, str] | None = None) -> None:
    """Bid the highest card, or what the form says; it arrives at that match time over a line of that lag."""
    form = form or bid_form(match, user)
    perform_act(act="move", slug=match.slug, caller=Caller(user), data=form, arrived=at(ms), lag=lag)
    match.refresh_from_db()


def effective_times(match: Match) -> list[int | None]:
    """By seat, when the bid that waits counts as made."""
    return [waiting.effective if waiting is not None else None for waiting in position_of(match).bids]
