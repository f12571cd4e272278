"""Series of matches between two players, to find out which is better: the same deals in every seating.

The first of the two, the **challenger**, plays each deal once from every seat (or for every team, where seats play
together), and the other plays all other seats. What counts is the **share**: of the other seats that are not its
partners', how many the challenger has left behind by places, a shared place counting half. Alone, both play the deal,
and the lower score is better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, sqrt
from random import Random
from statistics import mean
from typing import Any

from games.contract.players import Player, find_player, play_match
from games.contract.registry import Game
from games.contract.rules import JudgesClaims, RanksSolo
from games.contract.values import Options, Outcome, Verdict

MOST_MOVES = 3000
"""After so many a match is left unfinished, and nobody has won."""

FIRST_LOOK = 40
"""After so many matches it is looked whether a series has shown enough; then after twice as many, and so on."""

NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Pairing:
    """What is played: the challenger and the other by name, so many seats, complete options, and the seed of it all."""

    slug: str
    package: str
    challenger: str
    other: str
    players: int
    options: Options
    seed: int

    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """Who sits where, by seat; alone there is nothing to swap."""
        names = (self.challenger, self.other)
        if self.players == 1:
            return ((self.challenger,),)
        teams = self.game.rules.teams(self.options, self.players)
        return tuple(tuple(names[team != own] for team in teams) for own in range(max(teams) + 1))

    @property
    def game(self) -> Game:
        return Game(self.slug, self.package)


@dataclass(slots=True)
class Figures:
    """What one player showed: how long each choice took, in ms, and what came of its claims."""

    thought: list[float] = field(default_factory=list)
    claims: list[Verdict] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        self.thought += other.thought
        self.claims += other.claims


@dataclass(frozen=True, slots=True)
class Match:
    """How one match went. By other seats: `wins`, `draws` and `losses` of the challenger. `first` is its share of the
    first place: 1 or 0, and a half if it is shared."""

    wins: int
    draws: int
    losses: int
    first: float
    moves: int
    finished: bool
    figures: Mapping[str, Figures]

    @property
    def share(self) -> float:
        return (self.wins + self.draws / 2) / (self.wins + self.draws + self.losses)


@dataclass(slots=True)
class Series:
    """The matches so far."""

    matches: list[Match] = field(default_factory=list)

    @property
    def share(self) -> float:
        return mean(match.share for match in self.matches)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share.

        Wilson's, with a match as one trial whatever the number of seats: those of one match are not independent, and
        results between 0 and 1 scatter less than those that are one or the other. Swapped seats make it narrower still.
        """
        return wilson(self.share, len(self.matches))

    def shows(self, bar: float) -> bool:
        """Whether the interval lies wholly on one side of the bar."""
        low, high = self.interval
        return low > bar or high < bar

    def figures(self, name: str) -> Figures:
        """All that this player showed."""
        total = Figures()
        for match in self.matches:
            if name in match.figures:
                total.add(match.figures[name])
        return total


def wilson(share: float, trials: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share of so many trials."""
    square = NORMAL_95**2
    centre = (share + square / (2 * trials)) / (1 + square / trials)
    spread = NORMAL_95 / (1 + square / trials) * sqrt(share * (1 - share) / trials + square / (4 * trials**2))
    return max(0.0, centre - spread), min(1.0, centre + spread)


def looks(most: int, seatings: int) -> Iterator[int]:
    """After how many matches a series is looked at, the last time after all. Whole deals only.

    Who looks often sees chance as well: of two players whose share is just the bar, one look of 95 % misjudges one in
    20, those at 40, 80, 160, 320 and 400 matches one in six, a look after every match one in three. So they are few.
    """
    deals = max(1, most // seatings)
    look = -(-FIRST_LOOK // seatings)
    while look < deals:
        yield look * seatings
        look *= 2
    yield deals * seatings


def play_numbered(pairing: Pairing, number: int, clock: Callable[[], float]) -> Match:
    """The match of that number, from 0: it depends on nothing but the pairing. `clock` gives seconds, for `thought`."""
    game = pairing.game
    deal_number, seating = divmod(number, len(pairing.seatings))
    names = pairing.seatings[seating]
    # Empty names: the lot decides what a rule makes depend on names.
    deal = game.rules.deal(pairing.options, [""] * pairing.players, Random(f"{pairing.seed}/{deal_number}"))
    figures = {name: Figures() for name in (pairing.challenger, pairing.other)}
    ends = []
    moves = 0
    for sitting in [names] if pairing.players > 1 else [(pairing.challenger,), (pairing.other,)]:
        position = game.rules.start(pairing.options, deal, pairing.players)
        seats = [_timed(find_player(game, name), figures[name], clock) for name in sitting]
        rng = Random(f"{pairing.seed}/{deal_number}/{seating}/{sitting}")
        played = play_match(game, position, seats, rng, MOST_MOVES)
        if isinstance(game.rules, JudgesClaims):
            for verdict in game.rules.verdicts(played.events):
                figures[sitting[verdict.seat]].claims.append(verdict)
        ends.append(game.rules.outcome(played.position))
        moves += len(played.moves)
    if pairing.players == 1:
        results, first = _alone(game, ends)
    else:
        results, first = _in_company([name == pairing.challenger for name in names], ends[0])
    return Match(
        wins=results.count(1),
        draws=results.count(0),
        losses=results.count(-1),
        first=first,
        moves=moves,
        finished=None not in ends,
        figures=figures,
    )


def _timed(player: Player, figures: Figures, clock: Callable[[], float]) -> Player:
    def choose(view: Any, rng: Random) -> str | None:
        before = clock()
        text = player.choose(view, rng)
        figures.thought.append(1000 * (clock() - before))
        return text

    return replace(player, choose=choose)


def _in_company(challengers: Sequence[bool], outcome: Outcome | None) -> tuple[list[int], float]:
    """What the challenger, who sits at these seats, has against each other: 1, 0 or -1; and its share of the first."""
    if outcome is None:
        return [0] * challengers.count(False), 0.0
    placed = list(zip(challengers, outcome.places, strict=True))
    own = next(place for challenger, place in placed if challenger)
    others = [place for challenger, place in placed if not challenger]
    first = 0.0 if own > 1 else 0.5 if 1 in others else 1.0
    return [(place > own) - (place < own) for place in others], first


def _alone(game: Game, outcomes: Sequence[Outcome | None]) -> tuple[list[int], float]:
    """The same for the challenger's match and the other's, each of one: who does not rank comes behind."""
    own, other = (_time_alone(game, outcome) for outcome in outcomes)
    result = (other > own) - (other < own)
    return [result], (result + 1) / 2


def _time_alone(game: Game, outcome: Outcome | None) -> float:
    if outcome is None or (isinstance(game.rules, RanksSolo) and not game.rules.solo_ranks(outcome)):
        return inf
    return outcome.scores[0]
