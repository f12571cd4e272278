"""How a result changes ratings: the model, its numbers, and the one number that people are shown. Pure.

Why this model and these numbers: docs/decisions/0008-ratings.md. Whoever changes one of them, or the library's version,
must have every game recomputed from zero, since the ledger's numbers follow from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from openskill.models import BradleyTerryFull

MU, SIGMA = 25.0, 25.0 / 3.0
"""What is believed of somebody who has not played yet: the skill, and how uncertain it is."""

_MODEL = BradleyTerryFull(mu=MU, sigma=SIGMA, beta=25.0 / 6.0, tau=25.0 / 300.0)

SHOWN_AT_FIRST = 1500
POINTS_A_UNIT = 30
"""With it a difference of 400 points between settled players means about ten wins to one, as chess players know it."""

SETTLED_AFTER = 10
"""Rated matches of a game after which a rating is no longer provisional."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What is believed of somebody's skill: a normal distribution."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> int:
        """The rating as people see it."""
        return SHOWN_AT_FIRST + round((self.mu - MU) * POINTS_A_UNIT)


class Competitor(NamedTuple):
    """Somebody in a match that has ended: their team (of their own, or with others), and their place, 1 first."""

    strength: Strength
    team: int
    place: int


def rated(competitors: Sequence[Competitor]) -> list[Strength]:
    """What is believed of each after the match, in the same order.

    A team stands where its best member stands. A member behind the others has left them: the team's result counts for
    those who stayed, and for the leaver as if the team had come last. Only places count, never why somebody lost.
    """
    best: dict[int, int] = {}
    for _strength, team, place in competitors:
        best[team] = min(place, best.get(team, place))
    last = 1 + max(best.values())
    after = _rated(competitors, best)
    for index, (_strength, team, place) in enumerate(competitors):
        if place > best[team]:
            after[index] = _rated(competitors, {**best, team: last})[index]
    return after


def _rated(competitors: Sequence[Competitor], places: Mapping[int, int]) -> list[Strength]:
    """With those places of the teams, all of whose members share the result."""
    members = {team: [index for index, each in enumerate(competitors) if each.team == team] for team in places}
    teams = [[_MODEL.rating(*_numbers(competitors[index])) for index in indices] for indices in members.values()]
    ranks = [float(places[team]) for team in members]
    after = [Strength()] * len(competitors)
    for indices, ratings in zip(members.values(), _MODEL.rate(teams, ranks=ranks), strict=True):
        for index, rating in zip(indices, ratings, strict=True):
            after[index] = Strength(rating.mu, rating.sigma)
    return after


def _numbers(competitor: Competitor) -> tuple[float, float]:
    return competitor.strength.mu, competitor.strength.sigma
