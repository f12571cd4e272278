"""`manage.py tournament GAME PLAYER OTHER`: a series of matches between levels of a bot, or with a baseline."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from math import ceil
from multiprocessing import get_context
from statistics import mean, median
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.contract.errors import BadOption
from games.contract.players import players_of
from games.contract.registry import Game
from games.contract.tournament import Figures, Match, Pairing, Series, looks, play_numbered
from games.matches.management.commands.record import find_game, read_options, usage_error

Play = Callable[[range], list[Match]]
"""Plays the matches of these numbers."""


class Command(BaseCommand):
    help = (
        "Plays the same deals in every seating, the first player at one seat and the other at all others, and prints "
        "how they did. Players are the levels of the game's bot, each granted its ITERATIONS a move, and its baselines."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", metavar="GAME")
        parser.add_argument("names", nargs=2, metavar="PLAYER", help="a level or a baseline")
        parser.add_argument("--players", type=int, default=2, metavar="N", help="seats of a match (default 2)")
        parser.add_argument("--options", nargs="+", action="extend", default=[], metavar="KEY=VALUE", dest="chosen")
        parser.add_argument("--bar", type=float, help="stop once the interval lies wholly on one side of this share")
        parser.add_argument("--matches", type=int, default=400, metavar="K", help="at most so many (default 400)")
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="the same seed gives the same matches")
        parser.add_argument("--processes", type=int, default=1, metavar="N", help="at the same time (default 1)")

    def handle(
        self,
        *args: Any,
        game: str,
        names: list[str],
        players: int,
        chosen: list[str],
        bar: float | None,
        matches: int,
        seed: int,
        processes: int,
        **_: Any,
    ) -> None:
        played = find_game(game)
        known = players_of(played)
        if unknown := [name for name in names if name not in known]:
            raise usage_error(f"There is no player {unknown[0]!a}. Players: {', '.join(known)}.")
        if names[0] == names[1]:
            raise usage_error("Name two different players.")
        if min(matches, processes) < 1:
            raise usage_error("--matches and --processes must be at least 1.")
        try:
            options = played.rules.complete_options(read_options(played, chosen), players)
        except BadOption as error:
            raise usage_error(played.texts.refusal(error.code, error.params)) from None
        pairing = Pairing(played.slug, played.package, names[0], names[1], players, options, seed)
        with _playing(pairing, processes) as play:
            series = self._play(pairing, play, bar, matches)
        self._print(played, pairing, series, bar)

    def _play(self, pairing: Pairing, play: Play, bar: float | None, most: int) -> Series:
        series = Series()
        for look in looks(most, len(pairing.seatings)):
            series.matches += play(range(len(series.matches), look))
            low, high = series.interval
            self.stderr.write(f"{look} matches: {series.share:.3f} ({low:.3f} to {high:.3f})")
            if bar is not None and series.shows(bar):
                break
        return series

    def _print(self, game: Game, pairing: Pairing, series: Series, bar: float | None) -> None:
        matches = series.matches
        options = " ".join(f"{key}={value}" for key, value in pairing.options.items())
        low, high = series.interval
        lines = [
            f"{game.info.title}: {pairing.challenger} against {pairing.other}, {pairing.players} players, {options}",
            f"seed {pairing.seed}, {len(matches)} matches, each deal in {len(pairing.seatings)} seatings",
            f"wins {sum(match.wins for match in matches)}, draws {sum(match.draws for match in matches)}, "
            f"losses {sum(match.losses for match in matches)}, by pairs of players",
            f"share {series.share:.3f}, 95 % interval {low:.3f} to {high:.3f}{_beside(bar, low, high)}",
            f"first places {mean(match.first for match in matches):.3f}",
            f"moves a match {mean(match.moves for match in matches):.1f}, "
            f"unfinished matches {sum(not match.finished for match in matches)}",
        ]
        for name in (pairing.challenger, pairing.other):
            lines += _lines_of(name, series.figures(name))
        self.stdout.write("\n".join(lines))


@contextmanager
def _playing(pairing: Pairing, processes: int) -> Iterator[Play]:
    play = partial(play_numbered, pairing, clock=time.process_time)
    if processes == 1:
        yield lambda numbers: [play(number) for number in numbers]
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield lambda numbers: list(pool.map(play, numbers))


def _beside(bar: float | None, low: float, high: float) -> str:
    if bar is None:
        return ""
    return f": {'above' if low > bar else 'below' if high < bar else 'on both sides of'} {bar:g}"


def _lines_of(name: str, figures: Figures) -> Iterator[str]:
    if thought := sorted(figures.thought):
        p50, p95 = (thought[ceil(part * len(thought)) - 1] for part in (0.5, 0.95))
        yield f"{name}: {len(thought)} choices, ms each p50 {p50:.1f}, p95 {p95:.1f}, max {thought[-1]:.1f}"
    if claims := figures.claims:
        right = [claim.after for claim in claims if claim.right]
        errors = 1 - len(right) / len(claims)
        half = f"half of the right ones within {median(right) / 1000:.1f} s" if right else "none right"
        yield f"{name}: {len(claims)} claims, {half}, errors {100 * errors:.1f} %"
