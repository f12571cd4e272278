"""Plays M from what a person in the seat may know, in three levels.

`easy`, for newcomers, plays for the best gain at once, and one time in four anything that is legal. `normal`, for who
knows the rules, plays what seems good at a glance (`judging.py`): chips, what a scoring round brings, and what is left
to the left neighbour; between moves that are not far apart it wavers. `hard` plays its moves on in worlds that may be
the true one (`searching.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from games.contract.rules import Budget, no_budget
from games.contract.values import Hint
from games.m.gains import gain, moves, seat_of
from games.m.guessing import Knowledge
from games.m.hints import reasons
from games.m.judging import Judge
from games.m.notation import format_move
from games.m.position import Pass, View
from games.m.searching import Search
from games.m.world import AWAY, Act

LEVELS: tuple[str, ...] = ("easy", "normal", "hard")
ITERATIONS: Mapping[str, int] = {"easy": 0, "normal": 0, "hard": 200}
"""One is a playout of one move in one world."""

WAVERING = 24.0
"""Between placements, or takes, that seem to differ by up to so many points, `normal` may play either."""

SLIPS = 0.25
"""How often `easy` overlooks what is best, and plays anything that is legal."""

HANDED_ON = 0.5
"""How much of what the next in a scoring round can take counts against a pick, for `easy`."""


def choose(view: View, level: str, rng: Random, budget: Budget = no_budget) -> str:
    """The move of the view's seat, whose turn it is, as text."""
    if level == "easy":
        return _easy(view, rng)
    knowledge = Knowledge(view)
    if level == "normal":
        return knowledge.text(_at_a_glance(knowledge, rng))
    return knowledge.text(_searched(knowledge, rng, budget))


def stand_in(view: View, rng: Random) -> str:
    """The move for somebody who has left: a random placement or take, a pass without exchange only if there is none."""
    return format_move(rng.choice(moves(view) or [Pass()]))


def hint(view: View, rng: Random, budget: Budget = no_budget) -> Hint | None:
    """What `hard` would play in the view's seat, and why; None when it is not its turn."""
    if not view.may_act:
        return None
    knowledge = Knowledge(view)
    act = _searched(knowledge, rng, budget)
    return Hint(knowledge.text(act), reasons(knowledge, act))


def _at_a_glance(knowledge: Knowledge, rng: Random) -> Act:
    """A pass where that seems best, or else a placement or take that seems best or not far from it."""
    judge, world = Judge(knowledge), knowledge.world
    best = judge.best_first(world, rng)[0]
    if best[1] == AWAY:
        return best
    rated = judge.takes(world) if world.picker is not None else judge.placements(world)
    return max(rated, key=lambda found: found[0] + WAVERING * rng.random())[1]


def _searched(knowledge: Knowledge, rng: Random, budget: Budget) -> Act:
    judge = Judge(knowledge)
    acts = judge.best_first(knowledge.world, rng)
    return Search(knowledge, judge, rng).best(acts, budget)


def _easy(view: View, rng: Random) -> str:
    """It passes only if it has nothing to place."""
    listed = moves(view)
    if not listed:
        return format_move(_pass(view, rng))
    if rng.random() < SLIPS:
        return format_move(rng.choice(listed))
    gains = [gain(view, move, HANDED_ON) for move in listed]
    best = max(gains)
    return format_move(rng.choice([move for move, gained in zip(listed, gains, strict=True) if gained == best]))


def _pass(view: View, rng: Random) -> Pass:
    """With an exchange if it can be had: nothing in the hand fits, and the pass is paid for either way."""
    hand = view.hands[seat_of(view)] or ()
    return Pass(rng.choice(hand)) if hand and view.stack else Pass()
