"""Positions of BlockYou! drawn in ASCII, in the middle of a round, with cards that fit where one can see it.

In `AREA` each of the four cards below fits on one window alone, turned as one likes: on the quarters of its colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.blockyou.area import Area
from games.blockyou.position import OPEN_ROUND, SEARCHING, Position, Seat, Setup
from games.blockyou.rules import RULES
from games.blockyou.timing import CAP, LIMITS
from games.contract.errors import IllegalMove
from games.contract.values import Event

AREA = """
    33333333
    32233443
    32233443
    33333333
    33333333
    31133553
    31133553
    33333333
"""
BARREN = """
    33333333
    33333333
    33333333
    33333333
    33333333
    33333333
    33333333
    33333333
"""

CONTESTED = AREA.replace("32233443", "32033443", 1)
"""The twos with a white quarter at the top right: there fits `TWO_TWOS` as well, turned 0."""

TWOS, FOURS, ONES, FIVES = 0, 81, 22, 59
"""Cards of the standard deck: 0222 with fingers N and E; 0444 N and S; 0111 NE and S; 0555 SE and NW."""

TWO_TWOS = 37
"""0122, fingers N and SE."""

NORTH, EAST, SOUTH, WEST = 0, 2, 4, 6

OPENED = 3000


def area(drawing: str) -> Area:
    """The area with these colours; its cards are 40 to 55, row by row."""
    rows = drawing.split()
    owners = tuple(40 + 4 * (row // 2) + col // 2 for row in range(8) for col in range(8))
    return Area("".join(rows), owners)


def company(
    up: Sequence[int] = (TWOS, FOURS, ONES, FIVES),
    compass: Sequence[int] = (SOUTH, WEST, NORTH, EAST),
    drawing: str = AREA,
    *,
    queues: Sequence[Sequence[int]] | None = None,
    **fields: Any,
) -> Position:
    """A round that has opened at 3000: each seat searches with its card; `queues` behind it are two cards long."""
    queues = queues or [(60 + 2 * seat, 61 + 2 * seat) for seat in range(len(up))]
    seats = tuple(Seat(tuple(queue), card, SEARCHING) for queue, card in zip(queues, up, strict=True))
    given: dict[str, Any] = {
        "now": OPENED,
        "phase": OPEN_ROUND,
        "round": 1,
        "opens": OPENED,
        "closes": OPENED + CAP,
        "pile": (70, 71, 72),
        "seats": seats,
    }
    return Position(setup=Setup("standard", "normal", tuple(compass)), area=area(drawing), **given | fields)


def race() -> Position:
    """Seats 0 and 1 can place on the same window, 0 turned as it likes and 1 turned 0; then the other can't.

    Neither blocks anybody, and seat 2 searches on, so the round goes on.
    """
    return company([TWOS, TWO_TWOS, FOURS], [SOUTH, 1, EAST], CONTESTED)


def alone(up: int = TWOS, drawing: str = AREA, *, queue: Sequence[int] = (60, 61), **fields: Any) -> Position:
    """A solo match whose first card was turned up at 3000."""
    given: dict[str, Any] = {"closes": OPENED + LIMITS["normal"]}
    return company([up], [SOUTH], drawing, queues=[queue], **given | fields)


def claim(position: Position, seat: int, text: str, at: int, lag: int = 0) -> Position:
    """The position after the claim has arrived."""
    return RULES.play(position, seat, RULES.parse_move(text), at=at, lag=lag)[0]


def refusal(position: Position, seat: int, text: str, at: int, lag: int = 0) -> IllegalMove:
    """How the rules refuse the claim."""
    try:
        RULES.play(position, seat, RULES.parse_move(text), at=at, lag=lag)
    except IllegalMove as refused:
        return refused
    raise AssertionError(f"{text} was not refused")


def wait(position: Position, until: int) -> Position:
    """The position brought to that time."""
    return RULES.advance(position, until)[0]


def happens(position: Position, until: int) -> list[tuple[int, str, dict[str, Any]]]:
    """What happens up to that time: times, codes and parameters."""
    return told(RULES.advance(position, until)[1])


def told(events: Sequence[Event]) -> list[tuple[int, str, dict[str, Any]]]:
    return [(event.at, event.code, dict(event.params)) for event in events]


def status(position: Position) -> list[str]:
    """By seat."""
    return [seat.status for seat in position.seats]


def queues(position: Position) -> list[tuple[int, ...]]:
    """By seat: the cards in the order of play."""
    return [seat.queue for seat in position.seats]
