"""Plays matches by itself and writes their records: random legal moves or the bots', also in games in real time."""

from __future__ import annotations

from random import Random
from typing import Any, Protocol, TypeVar, runtime_checkable

from games.contract.errors import IllegalMove
from games.contract.players import Choice, Playthrough, find_player, play_by_turns, play_match, some_pause
from games.contract.record import Entry, make_record
from games.contract.registry import Game
from games.contract.rules import Rules
from games.contract.values import Event, Json, Options

STYLES = ("random", "bots")
NAMES = ("Mimi", "Tom", "Emma", "Otto", "Lena", "Jim", "Ümmü", "Kim", "Pia", "Ulf")

MOST_MOVES = 3000
"""After so many moves a match is left unfinished; one in real time goes on without moves, and ends by time alone."""
MOST_LAG = 200
"""In ms."""
FEW_ITERATIONS = 2
"""Of bots that search: simulated matches are many, and how well they are played matters little."""

P_contra = TypeVar("P_contra", contravariant=True)
M_co = TypeVar("M_co", covariant=True)


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
    play = _play_bots if style == "bots" else _play_randomly
    played = play(game, position, players, rng)
    return make_record(
        game=game.slug,
        options=options,
        players=names,
        deal=deal,
        moves=played.moves,
        until=played.reached if game.info.real_time else None,
        outcome=rules.outcome(played.position),
    )


def _play_bots(game: Game, position: Any, players: int, rng: Random) -> Playthrough:
    """Each seat is a bot of a level drawn by lot."""
    seats = [find_player(game, rng.choice(game.bot.LEVELS), FEW_ITERATIONS) for _ in range(players)]
    return play_match(game, position, seats, rng, MOST_MOVES)


def _play_randomly(game: Game, position: Any, players: int, rng: Random) -> Playthrough:
    rules = game.rules

    def choose(position: Any, seat: int) -> Any:
        if isinstance(rules, DrawsMoves):
            return rules.random_move(position, seat, rng)
        return rng.choice(rules.legal_moves(position, seat))

    play = _play_in_real_time if game.info.real_time else play_by_turns
    return play(rules, position, choose, rng, MOST_MOVES)


def _play_in_real_time(
    rules: Rules[Any, Any, Any], position: Any, choose: Choice, rng: Random, most: int
) -> Playthrough:
    """Seats claim after exponential pauses, so that a pause may be drawn anew whenever something falls due first."""
    entries, events = list[Entry](), list[Event]()
    now = 0
    while rules.outcome(position) is None:
        seats = rules.to_move(position) if len(entries) < most else ()
        due = rules.due(position)
        arrival = now + _pause(len(seats), rng) if seats else None
        if arrival is None or (due is not None and due <= arrival):
            assert due is not None, "nobody may act, nothing is due, and yet the match runs"
            now = due
            position, happened = rules.advance(position, now)
            events += happened
            continue
        now = arrival
        seat, lag = rng.choice(seats), _lag(rng)
        move = choose(position, seat)
        try:
            position, happened = rules.play(position, seat, move, at=now, lag=lag)
        except IllegalMove:
            continue  # A claim can be too late for its lag, which the list of moves cannot know.
        events += happened
        entries.append(Entry(seat, rules.format_move(move), now, lag))
    return Playthrough(position, entries, now, events)


def _pause(seats: int, rng: Random) -> int:
    # Now and then two claims arrive within the same millisecond.
    return 0 if rng.random() < 0.1 else some_pause(rng, seats)


def _lag(rng: Random) -> int:
    return 0 if rng.random() < 0.2 else rng.randrange(MOST_LAG)
