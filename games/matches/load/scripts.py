"""Whole matches, played out by the rules alone before anybody plays them at the site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from games.contract.rules import Rules

MOST_STEPS = 2000
"""So long no random match of any game is."""

MOST_CLAIMS = 100


@dataclass(frozen=True, slots=True)
class Step:
    """One move as its player's page sends it."""

    seat: int
    text: str
    turn_key: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """A match that is about to be played: its script, and the session of whoever sits on each seat.

    In real time there is none, since what comes to pass there depends on moments: `claims` are what may be claimed.
    """

    slug: str
    steps: Sequence[Step]
    sessions: Sequence[str]
    claims: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Watched:
    """A match of bots alone, and the session of somebody who looks on."""

    slug: str
    session: str


@dataclass(slots=True)
class Crowd:
    """All who come: the matches that are played, and the sessions of those who only look on."""

    matches: list[Prepared] = field(default_factory=list)
    onlookers: list[str] = field(default_factory=list)


def play_out(
    rules: Rules[Any, Any, Any], *, options: Mapping[str, Any], deal: Mapping[str, Any], players: int, rng: Random
) -> tuple[Step, ...]:
    """A random match by turns from this deal to its end, or to so many steps. The same luck gives the same match."""
    position = rules.start(options, deal, players)
    steps: list[Step] = []
    while rules.outcome(position) is None and len(steps) < MOST_STEPS:
        (seat,) = rules.to_move(position)
        move = rng.choice(rules.legal_moves(position, seat))
        steps.append(Step(seat, rules.format_move(move), rules.turn_key(position, seat)))
        position, _ = rules.play(position, seat, move, at=len(steps))
    return tuple(steps)


def some_claims(
    rules: Rules[Any, Any, Any], *, options: Mapping[str, Any], deal: Mapping[str, Any], players: int, rng: Random
) -> tuple[str, ...]:
    """What may be claimed in a match in real time, right or wrong, as soon as its first round has opened."""
    position = rules.start(options, deal, players)
    while not (seats := rules.to_move(position)) and (due := rules.due(position)) is not None:
        position, _ = rules.advance(position, due)
    moves = rules.legal_moves(position, seats[0]) if seats else ()
    return tuple(rules.format_move(rng.choice(moves)) for _ in range(MOST_CLAIMS)) if moves else ()
