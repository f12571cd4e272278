"""Plays matches by itself and writes their records: random legal moves or the bots', also in games in real time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Protocol, TypeVar, runtime_checkable

from games.contract.errors import IllegalMove
from games.contract.record import Entry, make_record
from games.contract.registry import Game
from games.contract.rules import Rules
from games.contract.values import Json, Options

STYLES = ("random", "bots")
NAMES = ("Mimi", "Tom", "Emma", "Otto", "Lena", "Jim", "Ümmü", "Kim", "Pia", "Ulf")

MOST_MOVES = 3000
"""After so many moves a match is left unfinished; one in real time goes on without moves, and ends by time alone."""
LONGEST_TURN = 30_000
MEAN_PAUSE = 4000
"""Between claims of one seat in a game played in real time; like the others, in ms."""
MOST_LAG = 200

P_contra = TypeVar("P_contra", contravariant=True)
M_co = TypeVar("M_co", covariant=True)

Choice = Callable[[Any, int], Any]
"""The move for a seat in a position; None to wait."""


@runtime_checkable
class DrawsMoves(Protocol[P_contra, M_co]):
    """Rules may have this too: how a random player plays a game in which most of the listed moves are mistakes."""

    def random_move(self, position: P_contra, seat: int, rng: Random) -> M_co: ...


def simulate_match(
    game: Game, *, players: int, options: Options, rng: Random, style: str = "random"
) -> dict[str, Json]:
    """The record of a match played by random moves, or by bots of random levels. Raises `BadOption`."""
    rules = game.rules
    options = rules.complete_options(options, players)
    names = [NAMES[index % len(NAMES)] for index in rng.sample(range(max(players, len(NAMES))), players)]
    deal = rules.deal(options, names, rng)
    position = rules.start(options, deal, players)
    choose = _bots(game, players, rng) if style == "bots" else _random_moves(rules, rng)
    play = _play_in_real_time if game.info.real_time else _play_by_turns
    position, entries, reached = play(rules, position, choose, rng)
    return make_record(
        game=game.slug,
        options=options,
        players=names,
        deal=deal,
        moves=entries,
        until=reached if game.info.real_time else None,
        outcome=rules.outcome(position),
    )


def _random_moves(rules: Rules[Any, Any, Any], rng: Random) -> Choice:
    if isinstance(rules, DrawsMoves):
        return lambda position, seat: rules.random_move(position, seat, rng)
    return lambda position, seat: rng.choice(rules.legal_moves(position, seat))


def _bots(game: Game, players: int, rng: Random) -> Choice:
    rules, bot = game.rules, game.bot
    levels = [rng.choice(bot.LEVELS) for _ in range(players)]

    def choose(position: Any, seat: int) -> Any:
        text = bot.choose(rules.view(position, seat), levels[seat], rng)
        return None if text is None else rules.parse_move(text)

    return choose


Played = tuple[Any, Sequence[Entry], int]
"""The last position, the moves, and the time reached."""


def _play_by_turns(rules: Rules[Any, Any, Any], position: Any, choose: Choice, rng: Random) -> Played:
    entries: list[Entry] = []
    now = 0
    while len(entries) < MOST_MOVES and (seats := rules.to_move(position)):
        now += rng.randrange(LONGEST_TURN)
        seat = rng.choice(seats)
        move = choose(position, seat)
        entries.append(Entry(seat, rules.format_move(move), now))
        position, _ = rules.play(position, seat, move, at=now)
    return position, entries, now


def _play_in_real_time(rules: Rules[Any, Any, Any], position: Any, choose: Choice, rng: Random) -> Played:
    """Seats claim after exponential pauses, so that a pause may be drawn anew whenever something falls due first."""
    entries: list[Entry] = []
    now = 0
    while rules.outcome(position) is None:
        seats = rules.to_move(position) if len(entries) < MOST_MOVES else ()
        due = rules.due(position)
        arrival = now + _pause(len(seats), rng) if seats else None
        if arrival is None or (due is not None and due <= arrival):
            assert due is not None, "nobody may act, nothing is due, and yet the match runs"
            now = due
            position, _ = rules.advance(position, now)
            continue
        now = arrival
        position, _ = rules.advance(position, now)
        seat, lag = rng.choice(seats), _lag(rng)
        move = choose(position, seat)
        if move is None:
            continue
        try:
            position, _ = rules.play(position, seat, move, at=now, lag=lag)
        except IllegalMove:
            continue  # A claim can be too late for its lag, which the list of moves cannot know.
        entries.append(Entry(seat, rules.format_move(move), now, lag))
    return position, entries, now


def _pause(seats: int, rng: Random) -> int:
    # Now and then two claims arrive within the same millisecond.
    return 0 if rng.random() < 0.1 else round(rng.expovariate(seats / MEAN_PAUSE))


def _lag(rng: Random) -> int:
    return 0 if rng.random() < 0.2 else rng.randrange(MOST_LAG)
