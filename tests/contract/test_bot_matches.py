"""Bots never stall a match: whoever they play, with whatever options, it ends by the rules, and every move is legal.

The house relies on it: nobody is there who could end a match of bots, or one in which a bot stands in for who has left.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from games.contract.errors import BadOption, IllegalMove
from games.contract.players import Player, find_player, play_match
from games.contract.registry import Game, all_games
from games.contract.values import MODE, Options, OptionValue
from tests.sizes import size

pytestmark = pytest.mark.soak

MATCHES = size("matches of bots of each game and mode", ci=20, soak=1000)

MOST_MOVES = 500
"""Who has not ended a match by then never will."""

LONGEST_MS = 4 * 3_600_000
"""In real time, by the match's own clock."""

MOST_ITERATIONS = 1
"""Of bots that search: enough to come by that way, and thousands of matches are to be played."""


@dataclass(frozen=True)
class Kind:
    """What is counted by itself: a game, or a mode of one that has modes."""

    game: Game
    mode: OptionValue | None

    def __str__(self) -> str:
        return self.game.slug if self.mode is None else f"{self.game.slug}-{self.mode}"

    def tables(self) -> list[tuple[int, Options]]:
        """Every number of players with all options that go with it, in an order in which that number differs from one
        to the next."""
        by_players: dict[int, list[Options]] = {}
        for players in range(self.game.info.min_seats, self.game.info.max_seats + 1):
            found: dict[str, Options] = {}
            for chosen in self._choices():
                try:
                    complete = self.game.rules.complete_options(chosen, players)
                except BadOption:
                    continue
                found[str(sorted(complete.items()))] = complete
            if found:
                by_players[players] = list(found.values())
        rounds = max(map(len, by_players.values()))
        return [(players, each[at % len(each)]) for at in range(rounds) for players, each in by_players.items()]

    def _choices(self) -> Iterator[dict[str, OptionValue]]:
        """Each option may also be left out: some exist only beside certain values of others."""
        given = {} if self.mode is None else {MODE: self.mode}
        others = [option for option in self.game.info.options if option.key not in given]
        for values in itertools.product(*((None, *option.values) for option in others)):
            chosen = zip(others, values, strict=True)
            yield given | {option.key: value for option, value in chosen if value is not None}


def _kinds() -> Iterator[Kind]:
    for game in all_games():
        modes = [option for option in game.info.options if option.key == MODE]
        for mode in modes[0].values if modes else (None,):
            yield Kind(game, mode)


@dataclass(frozen=True)
class Judged:
    """The rules of a game, which hold every move to what they list as legal.

    In real time a claim that is listed may come too late, as anybody's: somebody else has made one before.
    """

    rules: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rules, name)

    def parse_move(self, text: str) -> Any:
        try:
            return self.rules.parse_move(text)
        except IllegalMove as error:
            raise AssertionError(f"{text!r} is no move") from error

    def play(self, position: Any, seat: int, move: Any, *, at: int, lag: int = 0) -> Any:
        try:
            return self.rules.play(position, seat, move, at=at, lag=lag)
        except IllegalMove as error:
            if self.rules.info.real_time and move in self.rules.legal_moves(position, seat):
                raise
            raise AssertionError(f"{self.rules.format_move(move)} is refused ({error.code})") from error


@dataclass
class Course:
    """How far a match has come: whatever goes wrong is told with the place."""

    title: str
    moves: int = 0
    levels: list[str] = field(default_factory=list)

    @property
    def where(self) -> str:
        return f"{self.title}, bots {'/'.join(self.levels)}, after {self.moves} moves"

    def seat(self, game: Game, level: str) -> Player:
        """A bot of that level, watched."""
        bot = find_player(game, level, MOST_ITERATIONS)
        self.levels.append(level)

        def choose(view: Any, rng: Random) -> str | None:
            text = bot.choose(view, rng)
            self.moves += text is not None
            return text

        def pause(view: Any, rng: Random, at: int) -> int:
            assert at <= LONGEST_MS, "in real time it goes on and on"
            return bot.pause(view, rng, at)

        return Player(level, choose, pause)


@pytest.mark.parametrize("kind", tuple(_kinds()), ids=str)
def test_matches_of_bots_end_by_the_rules(kind: Kind) -> None:
    """Bots of all levels against each other, at every number of seats and with all options in turn."""
    game, tables = Game(kind.game.slug, kind.game.package), kind.tables()
    game.__dict__["rules"] = Judged(kind.game.rules)
    longest = 0
    for number in range(MATCHES):
        players, options = tables[number % len(tables)]
        seed = f"{kind} {number}"
        rng = Random(seed)
        course = Course(f'{game.slug}, {players} players, {dict(options)}, Random("{seed}")')
        seats = [course.seat(game, rng.choice(game.bot.LEVELS)) for _ in range(players)]
        start = game.rules.start(options, game.rules.deal(options, [""] * players, rng), players)
        try:
            position, entries, _, _ = play_match(game, start, seats, rng, MOST_MOVES)
        except Exception as error:
            raise AssertionError(f"fails, as {error}: {course.where}") from error
        outcome = game.rules.outcome(position)
        assert outcome is not None, f"stalls, or nobody is to move: {course.where}"
        assert outcome.reason in game.info.reasons, f"ends by {outcome.reason}, which is no reason: {course.where}"
        longest = max(longest, len(entries))
    print(f"{kind}: {MATCHES} matches of bots, the longest of {longest} moves")  # noqa: T201
