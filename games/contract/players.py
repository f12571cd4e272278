"""Who plays by a program: the levels of a game's bot and its baselines; and matches among them."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from games.contract.errors import IllegalMove
from games.contract.record import Entry
from games.contract.registry import Game
from games.contract.rules import Budget, Rules, SetsPace
from games.contract.values import Event

LONGEST_TURN = 30_000
MEAN_PAUSE = 4000
"""Between acts of a seat in real time, where nothing else sets the pace; both in ms."""

Choice = Callable[[Any, int], Any]
"""The move for a seat in a position."""


class Playthrough(NamedTuple):
    """How a match went: the last position, the moves, the match time reached in ms, and what happened."""

    position: Any
    moves: list[Entry]
    reached: int
    events: list[Event]


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who plays by a program: `choose` gives a move's text, or None to wait; `pause` as in `SetsPace`."""

    name: str
    choose: Callable[[Any, Random], str | None]
    pause: Callable[[Any, Random, int], int]


def players_of(game: Game) -> tuple[str, ...]:
    """The names of all who can play: the levels, the weakest first, then the baselines."""
    return (*game.bot.LEVELS, *_baselines(game))


def find_player(game: Game, name: str, iterations: int | None = None) -> Player:
    """The player of that name. A level is granted so many iterations a move, by default those of `ITERATIONS`.

    Raises `LookupError`.
    """
    bot: Any = game.bot
    if name not in bot.LEVELS:
        return Player(name, _baselines(game)[name], lambda view, rng, at: some_pause(rng))
    granted = bot.ITERATIONS[name] if iterations is None else min(iterations, bot.ITERATIONS[name])

    def choose(view: Any, rng: Random) -> str | None:
        text: str | None = bot.choose(view, name, rng, counted(granted))
        return text

    def pause(view: Any, rng: Random, at: int) -> int:
        return bot.pause(view, name, rng, at=at) if isinstance(bot, SetsPace) else some_pause(rng)

    return Player(name, choose, pause)


def counted(iterations: int) -> Budget:
    """A budget of so many iterations."""
    left = iter(range(iterations))
    return lambda: next(left, None) is not None


def some_pause(rng: Random, seats: int = 1) -> int:
    """How long the first of so many seats waits; exponential, so that it may be drawn anew at any time."""
    return round(rng.expovariate(seats / MEAN_PAUSE))


def play_match(game: Game, position: Any, seats: Sequence[Player], rng: Random, most: int) -> Playthrough:
    """A match among them from this position on. After so many moves it is left unfinished, or in real time to time."""
    rules = game.rules
    if game.info.real_time:
        return play_at_pace(rules, position, seats, rng, most)

    def choose(position: Any, seat: int) -> Any:
        text = seats[seat].choose(rules.view(position, seat), rng)
        assert text is not None, "by turns nobody waits"
        return rules.parse_move(text)

    return play_by_turns(rules, position, choose, rng, most)


def play_by_turns(rules: Rules[Any, Any, Any], position: Any, choose: Choice, rng: Random, most: int) -> Playthrough:
    """A match whose moves come from `choose`, at times drawn by lot."""
    entries, events = list[Entry](), list[Event]()
    now = 0
    while len(entries) < most and (seats := rules.to_move(position)):
        now += rng.randrange(LONGEST_TURN)
        seat = rng.choice(seats)
        move = choose(position, seat)
        entries.append(Entry(seat, rules.format_move(move), now))
        position, happened = rules.play(position, seat, move, at=now)
        events += happened
    return Playthrough(position, entries, now, events)


def play_at_pace(
    rules: Rules[Any, Any, Any], position: Any, seats: Sequence[Player], rng: Random, most: int
) -> Playthrough:
    """A match in real time, as the house lets bots play one: each acts when its pause is over, which begins anew
    whenever what it sees has changed."""
    entries, events = list[Entry](), list[Event]()
    now = 0
    seen: list[Any] = [None] * len(seats)
    acts: list[int | None] = [None] * len(seats)
    while rules.outcome(position) is None:
        awake = rules.to_move(position) if len(entries) < most else ()
        for seat, player in enumerate(seats):
            view = rules.view(position, seat)
            if seat not in awake:
                acts[seat] = None
            elif acts[seat] is None or view != seen[seat]:
                acts[seat] = now + max(1, player.pause(view, rng, now))
            seen[seat] = view
        due = rules.due(position)
        first = min((at, seat) for seat, at in enumerate(acts) if at is not None) if any(acts) else None
        if first is None or (due is not None and due <= first[0]):
            assert due is not None, "nobody may act, nothing is due, and yet the match runs"
            now = due
            position, happened = rules.advance(position, now)
            events += happened
            continue
        now, seat = first
        acts[seat] = None
        text = seats[seat].choose(seen[seat], rng)
        if text is not None:
            try:
                position, happened = rules.play(position, seat, rules.parse_move(text), at=now)
            except IllegalMove:
                continue  # It can come too late, as anybody's.
            events += happened
            entries.append(Entry(seat, text, now))
    return Playthrough(position, entries, now, events)


def _baselines(game: Game) -> Mapping[str, Callable[[Any, Random], str | None]]:
    name = f"{game.package}.baselines"
    if importlib.util.find_spec(name) is None:
        return {}
    players: Mapping[str, Callable[[Any, Random], str | None]] = importlib.import_module(name).PLAYERS
    return players
