"""Tables for the cast to sit at, and a clock that stands still."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from accounts.people.models import User
from games.contract import registry
from games.contract.registry import Game, get_game
from games.matches import clock, thinking
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.services import sitting, tables, thoughts, timing
from games.matches.services.sitting import locked_match

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What chance decides is the same in every run of a test: one that fails, fails again."""
    chance = Random(request.node.name)
    for module in (sitting, tables, timing, thoughts, thinking):
        monkeypatch.setattr(module, "CHANCE", chance)


class Clock:
    """A clock that only moves when a test says so."""

    def __init__(self) -> None:
        self.moment = START

    def now(self) -> datetime:
        return self.moment

    def tick(self, **by: float) -> datetime:
        self.moment += timedelta(**by)
        return self.moment


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The house's clock, held in the test's hand."""
    held = Clock()
    monkeypatch.setattr(clock, "now", held.now)
    return held


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Auction, known to the house: a game in real time, whose bids are secret until the round closes."""
    game = Game("toy", "tests.toy")
    monkeypatch.setitem(registry._added, game.slug, game)
    return game


def sit_down(*people: User, moment: datetime = START, bots: int = 0, start: bool = True, **table: Any) -> Match:
    """A table with these people in this order, and bots on the seats behind them; started unless told otherwise."""
    asked: dict[str, Any] = {
        "game": get_game("m"),
        "options": {},
        "seats": len(people) + bots,
        "public": True,
        "pace": Match.Pace.LIVE,
        "seating": Match.Seating.ARRANGED,
        **table,
    }
    match = tables.create_table(host=people[0], moment=moment, **asked)
    for person in people[1:]:
        tables.join_table(slug=match.slug, caller=Caller(person, invited=True), index=None, moment=moment)
    for index in range(len(people), len(people) + bots):
        tables.seat_bot(slug=match.slug, caller=Caller(people[0]), index=index, level="easy", moment=moment)
    if start and asked["pace"] == Match.Pace.LIVE:
        for person in people:
            tables.set_ready(slug=match.slug, caller=Caller(person, invited=True), ready=True, moment=moment)
    match.refresh_from_db()
    return match


def to_move(match: Match) -> int:
    """The one seat whose turn it is."""
    match.refresh_from_db()
    (seat,) = match.to_move
    return int(seat)


def player_to_move(match: Match) -> User:
    user = match.seats.get(index=to_move(match)).user
    assert user is not None
    return user


def turn_key(match: Match, seat: int) -> str:
    match.refresh_from_db()
    return match.turn_key(match.game.rules.load(match.position or {}), seat)


def legal_texts(match: Match) -> list[str]:
    """The legal moves of the seat to move, as texts."""
    rules = match.game.rules
    seat = to_move(match)
    return [rules.format_move(move) for move in rules.legal_moves(rules.load(match.position or {}), seat)]


def move_form(match: Match, **changed: str) -> dict[str, str]:
    """The form that the page of the player to move would send, with the first legal move."""
    seat = to_move(match)
    # All moves are much to list, where another is given.
    move = {} if "move" in changed else {"move": legal_texts(match)[0]}
    return {**move, "turn_key": turn_key(match, seat), "key": f"key-{match.ply}", **changed}


def frozen(match: Match) -> dict[str, Any]:
    """Everything stored of a match, to see that nothing has changed."""
    with locked_match(slug=match.slug) as sitting:
        return {
            "match": {field.name: getattr(sitting.match, field.attname) for field in Match._meta.concrete_fields},
            "seats": [
                {field.name: getattr(seat, field.attname) for field in type(seat)._meta.concrete_fields}
                for seat in sitting.seats
            ],
            "moves": list(sitting.match.moves.values()),
        }
