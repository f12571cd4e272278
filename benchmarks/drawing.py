"""What a drawing costs, in every game: `python -m benchmarks.drawing [--matches N] [--seed S] [GAME...]`.

Positions are taken from the middle half of random matches, and drawn for the seat to move, with words in the default
language. The goal is well under 1 ms: one drawing is made for each viewer of a match, for every move.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import django

from games.contract.registry import Game, all_games, get_game
from games.contract.values import SPECTATOR, Moment, Viewer

STEP_MS = 200
"""How far match time moves on from one move to the next, in games with a clock of their own."""


def positions(game: Game, players: int, rng: Random) -> list[tuple[Any, Moment]]:
    """Every position of a random match, with what had just happened."""
    rules = game.rules
    options = rules.complete_options({}, players)
    position = rules.start(options, rules.deal(options, [""] * players, rng), players)
    found: list[tuple[Any, Moment]] = []
    at = 0
    while rules.outcome(position) is None:
        position, _ = rules.advance(position, at)
        moves = [(seat, move) for seat in rules.to_move(position) for move in rules.legal_moves(position, seat)]
        if moves:
            seat, move = rng.choice(moves)
            position, events = rules.play(position, seat, move, at=at)
            found.append((position, Moment(seat, rules.format_move(move), events)))
        due = rules.due(position)
        at = max(at, due) if due is not None and not moves else at + STEP_MS
    return found


def costs(game: Game, players: int, rng: Random) -> Iterator[tuple[float, int]]:
    """For each position of the middle: the seconds of a drawing, and its size in characters."""
    drawn = positions(game, players, rng)
    for position, moment in drawn[len(drawn) // 4 : -len(drawn) // 4]:
        seats = game.rules.to_move(position)
        viewer: Viewer = seats[0] if seats else SPECTATOR
        view = game.rules.view(position, viewer)
        begun = perf_counter()
        drawing = game.presenter.draw(view, moment, game.texts.say)
        yield perf_counter() - begun, len(drawing.board) + len(drawing.hand) + sum(map(len, drawing.panels))


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="slugs; every game if left out")
    parser.add_argument("--matches", type=int, default=10, help="matches for each number of players (default 10)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    games = [get_game(slug) for slug in given.games] or all_games()
    print(f"{'game':<14}{'players':>8}{'drawing, ms':>14}{'slowest 1%, ms':>17}{'characters':>13}")
    for game in games:
        for players in range(game.info.min_seats, game.info.max_seats + 1):
            rng = Random(given.seed)
            measured = sorted(cost for _ in range(given.matches) for cost in costs(game, players, rng))
            middle = median(seconds for seconds, _ in measured) * 1000
            slow = measured[int(len(measured) * 0.99)][0] * 1000
            size = median(characters for _, characters in measured)
            print(f"{game.slug:<14}{players:>8}{middle:>14.3f}{slow:>17.3f}{size:>13.0f}")


if __name__ == "__main__":
    main()
