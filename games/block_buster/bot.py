"""Plays Block Buster from its seat's view, at three levels, and says what it would do and why.

`easy` goes for points at hand and slips now and then, `normal` weighs a position by all that is to come of it, and
`hard` thinks several moves ahead with the same weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from games.block_buster.bots import easy
from games.block_buster.bots.copying import is_copied
from games.block_buster.bots.model import Step, match_node
from games.block_buster.bots.reasons import reasons
from games.block_buster.bots.search import Search
from games.block_buster.bots.steps import steps_of
from games.block_buster.bots.weights import weights_of
from games.block_buster.bots.worth import Worth
from games.block_buster.notation import format_move
from games.block_buster.position import Pass
from games.block_buster.view import View
from games.contract.rules import Budget, no_budget
from games.contract.values import Hint

LEVELS: tuple[str, ...] = ("easy", "normal", "hard")
ITERATIONS: Mapping[str, int] = {"easy": 0, "normal": 0, "hard": 70}

WAVERING = 0.5
"""Between steps that differ by so many points, `normal` may take either."""


def choose(view: View, level: str, rng: Random, budget: Budget = no_budget) -> str:
    """The move of the view's seat, whose turn it is, as text."""
    if level == "easy":
        return easy.choose(view, rng)
    if level == "normal":
        return _text(_best_now(view, rng))
    return _text(_best_ahead(view, rng, budget))


def stand_in(view: View, rng: Random) -> str:
    """The move for somebody who has left: any block joined anywhere; a jump, and then a pass, only if it must be."""
    return easy.stand_in(view, rng)


def hint(view: View, rng: Random, budget: Budget = no_budget) -> Hint | None:
    """What `hard` would play, and why; None where it is not the viewer's turn."""
    if not view.may_act:
        return None
    step = _best_ahead(view, rng, budget)
    return Hint(_text(step), reasons(view, step))


def _best_now(view: View, rng: Random) -> Step:
    match, node = match_node(view)
    steps = steps_of(match, node, Worth(match, weights_of(view.setup)))
    return max(steps, key=lambda found: found[0] + WAVERING * rng.random())[1]


def _best_ahead(view: View, rng: Random, budget: Budget) -> Step:
    match, node = match_node(view)
    worth = Worth(match, weights_of(view.setup))
    return Search(match, node, worth, budget, rng, copied=is_copied(view)).best()


def _text(step: Step) -> str:
    return format_move(step.spot.place if step.spot else Pass())
