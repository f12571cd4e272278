"""What the rules of every game cost: `python -m benchmarks.rules [--matches N] [--seed S] [GAME...]`.

A random match is played with its legal moves listed at every ply. Reported for each number of players are the median
time of one list of legal moves, the widest list and the time it took, and the median time of a whole match, lists
included. What one game alone has to measure has a module of its own beside this one.
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import mean, median
from time import perf_counter
from typing import Any

from games.contract.registry import all_games, get_game
from games.contract.rules import Rules

STEP_MS = 200
"""How far match time moves on from one move to the next, in games with a clock of their own."""


def measure_match(rules: Rules[Any, Any, Any], players: int, rng: Random) -> tuple[list[tuple[int, float]], float, int]:
    """Plays one random match: the length and the seconds of each list of moves, the seconds of all, and the plies."""
    options = rules.complete_options({}, players)
    deal = rules.deal(options, [""] * players, rng)
    lists: list[tuple[int, float]] = []
    at = plies = 0
    begun = perf_counter()
    position = rules.start(options, deal, players)
    while rules.outcome(position) is None:
        position, _ = rules.advance(position, at)
        seats = rules.to_move(position)
        moves = []
        if seats:
            seat = rng.choice(seats)
            listed = perf_counter()
            moves = list(rules.legal_moves(position, seat))
            lists.append((len(moves), perf_counter() - listed))
        if moves:
            position, _ = rules.play(position, seat, rng.choice(moves), at=at)
            plies += 1
        due = rules.due(position)
        at = max(at, due) if due is not None and not moves else at + STEP_MS
    return lists, perf_counter() - begun, plies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="slugs; every game if left out")
    parser.add_argument("--matches", type=int, default=20, help="matches for each number of players (default 20)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    games = [get_game(slug) for slug in given.games] or all_games()
    print(f"{'game':<14}{'players':>8}{'plies':>8}{'legal list, ms':>17}{'widest':>8}{'ms':>8}{'match, ms':>12}")
    for game in games:
        for players in range(game.info.min_seats, game.info.max_seats + 1):
            rng = Random(given.seed)
            runs = [measure_match(game.rules, players, rng) for _ in range(given.matches)]
            listing = median(seconds for lists, _, _ in runs for _, seconds in lists)
            widest = max(count for lists, _, _ in runs for count, _ in lists)
            slow = median(seconds for lists, _, _ in runs for count, seconds in lists if count == widest)
            whole = median(seconds for _, seconds, _ in runs)
            plies = mean(count for _, _, count in runs)
            print(
                f"{game.slug:<14}{players:>8}{plies:>8.0f}{listing * 1000:>17.3f}"
                f"{widest:>8}{slow * 1000:>8.2f}{whole * 1000:>12.1f}"
            )


if __name__ == "__main__":
    main()
