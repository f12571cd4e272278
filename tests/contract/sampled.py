"""The games, player counts and options that the contract is tested with, and a random match of each."""

from __future__ import annotations

import importlib
import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

from games.contract import registry
from games.contract.errors import BadOption
from games.contract.record import Record, read_record
from games.contract.registry import Game, all_games
from games.contract.replay import replay
from games.contract.simulate import simulate_match
from games.contract.values import SPECTATOR, Event, OptionValue, Viewer

TOY = Game("toy", "tests.toy")
GAMES = (*all_games(), TOY)
COMBINATIONS = 6
"""Of options, at most so many for each number of players, drawn by lot but always the same, with each value once."""


@dataclass(frozen=True)
class Case:
    """A game, a number of players and complete options."""

    game: Game
    players: int
    options: tuple[tuple[str, OptionValue], ...]

    def __str__(self) -> str:
        return "-".join([self.game.slug, f"{self.players}p", *(f"{key}={value}" for key, value in self.options)])

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    def rng(self) -> Random:
        """Chance for this case, the same in every run."""
        return Random(str(self))

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """All who may look while the match runs."""
        return (*range(self.players), SPECTATOR)


@dataclass(frozen=True)
class Before:
    """A move of the match, and the position that it was played in, brought to its arrival."""

    position: Any
    seat: int
    text: str
    at: int
    lag: int


@dataclass(frozen=True)
class Played:
    """A match by random moves, as read from its record: all positions with their times, all moves, all events."""

    record: Record
    document: dict[str, Any]
    positions: tuple[tuple[Any, int], ...]
    moves: tuple[Before, ...]
    events: tuple[Event, ...]

    def running(self) -> Iterator[tuple[Any, int]]:
        """The positions in which somebody may act: after each move, and right before."""
        rules = self.record.game.rules
        before = [(move.position, move.at) for move in self.moves]
        return (pair for pair in (*self.positions, *before) if rules.to_move(pair[0]))


def _cases() -> Iterator[Case]:
    for game in GAMES:
        info = game.info
        # Each option may also be left out: some exist only beside certain values of others.
        values = [[(), *(((option.key, value),) for value in option.values)] for option in info.options]
        for players in range(info.min_seats, info.max_seats + 1):
            possible: dict[str, Case] = {}
            for chosen in itertools.product(*values):
                try:
                    complete = game.rules.complete_options(dict(itertools.chain(*chosen)), players)
                except BadOption:
                    continue
                case = Case(game, players, tuple(complete.items()))
                possible[str(case)] = case
            names = sorted(possible)
            drawn = Random(players).sample(names, len(names))
            yield from _telling_first(possible[name] for name in drawn)[:COMBINATIONS]


def _telling_first(cases: Iterable[Case]) -> list[Case]:
    """In their order, but those in front that have a value of an option for the first time: no value goes untested."""
    telling, others, seen = list[Case](), list[Case](), set[tuple[str, OptionValue]]()
    for case in cases:
        (others if seen.issuperset(case.options) else telling).append(case)
        seen.update(case.options)
    return telling + others


CASES = tuple(_cases())

over_cases = pytest.mark.parametrize("case", CASES, ids=str)
over_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


@cache
def played(case: Case) -> Played:
    """The match of this case; the same one for all tests."""
    with mock.patch.dict(registry._added, {TOY.slug: TOY}):
        document = simulate_match(case.game, players=case.players, options=dict(case.options), rng=case.rng)
        record = read_record(json.dumps(document).encode())
    rules = case.game.rules
    steps = list(replay(record))
    times = [0, *(entry["at"] for entry in record.moves), record.until]
    moves = []
    for before, entry in zip(steps, record.moves, strict=False):
        position, _ = rules.advance(before.position, entry["at"])
        moves.append(Before(position, entry["seat"], entry["move"], entry["at"], entry.get("lag", 0)))
    events = tuple(event for step in steps for event in step.events)
    positions = tuple((step.position, times[step.ply] or 0) for step in steps)
    return Played(record, document, positions, tuple(moves), events)


def some(rng: Random, items: Any, count: int) -> list[Any]:
    """At most so many of the items, drawn by lot, in their order."""
    listed = list(items)
    return [listed[at] for at in sorted(rng.sample(range(len(listed)), min(count, len(listed))))]


def hidden_of(game: Game) -> ModuleType:
    """The game's `hidden` module: what its viewers may not know, redistributed (see `test_hidden_information`)."""
    package = game.package if game.package.startswith("tests.") else f"tests.{game.package}"
    return importlib.import_module(f"{package}.hidden")


def hides_nothing(game: Game) -> bool:
    """Whether the game says that everything lies open in it."""
    return getattr(hidden_of(game), "NOTHING_HIDDEN", False) is True
