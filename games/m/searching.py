"""How a bot of M looks ahead: Monte Carlo tree search in worlds that may be true.

Each world deals anew what the seat cannot see. The tree has the own moves, and of each the picks of the scoring round
that it begins or belongs to, since all of that is open; from there on all play what seems best at a glance.
"""

from __future__ import annotations

from math import exp, sqrt
from random import Random

from games.contract.rules import Budget
from games.m.guessing import Knowledge
from games.m.judging import STAGES, Judge
from games.m.world import Act, World

WIDEST = 12
"""So many moves are looked into, the best at a glance."""

BEYOND = 1
"""A playout goes once round, and so many turns beyond the seat's own next one."""

FIRST_LOOK = 6
LOOKS_APART = 1.25
"""After so many worlds, and then whenever there are so many times more, moves that are clearly worse are given up."""

CLEARLY = 2.0
"""By so many standard errors of their difference in the same worlds."""

SURE_AT_END, SURE_AT_LAST, SURE_AT_FIRST = 5.0, 20.0, 55.0
"""How many points ahead make 73 % sure to stay ahead of another: at the end, with the stack empty, and with it full."""


EXPLORING = 0.5
"""How readily picks are tried in the tree that have not done well so far."""

PLAUSIBLE = 8.0
"""A pick that seems so many points worse than another is tried less than half as often at first."""


class Pick:
    """A node of the tree: a pick with the rewards that its picker had from it, and the picks that may follow."""

    __slots__ = ("act", "following", "prior", "total", "visits")

    def __init__(self, act: Act, prior: float) -> None:
        self.act, self.prior = act, prior
        self.visits, self.total = 0, 0.0
        self.following: list[Pick] | None = None

    def best_following(self, judge: Judge, world: World) -> Pick:
        """The pick to try next: one that did well so far, or that seems good and has been tried little."""
        if self.following is None:
            rated = judge.takes(world)
            most = max(gain for gain, _ in rated)
            shares = [exp((gain - most) / PLAUSIBLE) for gain, _ in rated]
            self.following = [Pick(act, share / sum(shares)) for (_, act), share in zip(rated, shares, strict=True)]
        tried = sum([pick.visits for pick in self.following])
        usual = sum([pick.total for pick in self.following]) / max(1, tried)
        urge = EXPLORING * (world.seats - 1) * sqrt(tried + 1)
        return max(
            self.following,
            key=lambda pick: (
                (pick.total / pick.visits if pick.visits else usual) + urge * pick.prior / (1 + pick.visits)
            ),
        )


class Runner:
    """A move of the seat that is looked into, with the rewards of its playouts, one a world."""

    def __init__(self, act: Act) -> None:
        self.act = act
        self.rewards: list[float] = []
        self.root = Pick(act, 1.0)


class Search:
    """The search for the best move of one seat.

    All moves that are still in the race are played on in the same worlds, so that luck counts for all alike.
    """

    def __init__(self, knowledge: Knowledge, judge: Judge, rng: Random) -> None:
        self._knowledge, self._judge, self._rng = knowledge, judge, rng

    def best(self, acts: list[Act], budget: Budget) -> Act:
        """The best of these acts, which come in the order of how good they seem."""
        runners = [Runner(act) for act in acts[:WIDEST]]
        worlds, look = 0, FIRST_LOOK
        while len(runners) > 1:
            world = self._knowledge.imagine(self._rng)
            for runner in runners:
                if not budget():
                    return _leader(runners, worlds).act
                self._play_on(world.copy(), runner)
            worlds += 1
            if worlds >= look:
                look = int(worlds * LOOKS_APART) + 1
                runners = _still_racing(runners, worlds)
        return runners[0].act

    def _play_on(self, world: World, runner: Runner) -> None:
        """One playout of the runner's move in this world."""
        judge = self._judge
        world.do(runner.act)
        path: list[tuple[int, Pick]] = []
        pick = runner.root
        while world.picker is not None:
            fresh = pick.following is None
            pick, picker = pick.best_following(judge, world), world.picker
            path.append((picker, pick))
            world.do(pick.act)
            if fresh:
                break
        values, sure = self._outcome(world)
        runner.rewards.append(_reward(values, self._knowledge.seat, sure))
        for picker, pick in path:
            pick.visits += 1
            pick.total += _reward(values, picker, sure)

    def _outcome(self, world: World) -> tuple[list[float], float]:
        """What each seat has at the end of the playout, in points, and how many points ahead are sure."""
        judge = self._judge
        for turn in range(world.seats + BEYOND + 1):
            if turn:
                world.do(judge.glance(world))
            while world.picker is not None:
                world.do(judge.glance(world))
            if world.over():
                return judge.final(world), SURE_AT_END
        left = judge.stage(world) / STAGES
        return judge.standing(world), SURE_AT_LAST + (SURE_AT_FIRST - SURE_AT_LAST) * left


def _reward(values: list[float], seat: int, sure: float) -> float:
    """How many of the others the seat will be ahead of."""
    own = values[seat]
    return sum([1 / (1 + exp((value - own) / sure)) for value in values])


def _leader(runners: list[Runner], worlds: int) -> Runner:
    """The runner with the best rewards in the worlds that all of them have played."""
    return max(runners, key=lambda runner: sum(runner.rewards[:worlds]))


def _still_racing(runners: list[Runner], worlds: int) -> list[Runner]:
    leader = _leader(runners, worlds)
    return [runner for runner in runners if runner is leader or not _clearly_behind(runner, leader, worlds)]


def _clearly_behind(runner: Runner, leader: Runner, worlds: int) -> bool:
    gaps = [best - other for best, other in zip(leader.rewards, runner.rewards, strict=True)]
    mean = sum(gaps) / worlds
    variance = sum((gap - mean) ** 2 for gap in gaps) / (worlds - 1)
    return mean > CLEARLY * sqrt(variance / worlds)
