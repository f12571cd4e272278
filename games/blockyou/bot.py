"""Plays BlockYou! from what a person in the seat may know: one look after the other, and some see wrongly.

Whoever searches looks at one placement after the other, drawn by lot, each for an exponential time, until they take one
for good. So the time to the first find is exponential too, and independent of what is found: both may be drawn anew
at any time from what is seen now, and nothing need be remembered (docs/bots.md says why so).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from games.blockyou.area import legal_placements, safe_turns
from games.blockyou.hints import hint
from games.blockyou.notation import format_move
from games.blockyou.placement import PLACEMENTS, Placement
from games.blockyou.position import NOFIT, Move
from games.blockyou.view import BlockYouView
from games.contract.rules import Budget, no_budget

__all__ = ["ITERATIONS", "LEVELS", "choose", "hint", "pause", "stand_in"]


@dataclass(frozen=True, slots=True)
class Searcher:
    """How somebody searches. `look_ms` is how long a look at one placement takes on average.

    `noticed` is how often a placement that is safe is seen to be so when it is looked at; `taken_for_safe` how often
    one that fits is taken for safe though a finger points at its player, `taken_for_fitting` how often one that does
    not fit is taken for one that does.
    """

    look_ms: int
    noticed: float
    taken_for_safe: float
    taken_for_fitting: float


SEARCHERS: Mapping[str, Searcher] = {
    "easy": Searcher(240, 0.7, 0.06, 0.0008),
    "normal": Searcher(140, 0.78, 0.035, 0.0005),
    "hard": Searcher(90, 0.86, 0.018, 0.0002),
}

LEVELS: tuple[str, ...] = tuple(SEARCHERS)
ITERATIONS: Mapping[str, int] = dict.fromkeys(LEVELS, 0)
"""Nothing is searched deeper: levels differ in their eyes."""

SEES_CARD_MS = 800
"""Nobody claims sooner after a card has turned up: it has to be seen, and compared with the area."""

SEES_CHANGE_MS = 250
"""Nor sooner after anything else has changed. It is short: in a round the board changes a few times only."""

DRAWN_TO_CHANGE = 0.5
"""The part of all looks that goes to placements touched by the last card laid in this round."""

GIVES_UP_AFTER = 0.8
"""Solo: how many looks it takes, on average, until it says that nothing fits, as a part of all placements."""

LONGEST_WAIT = 60_000
"""When it looks up again if there is nothing to do, in ms."""


def choose(view: BlockYouView, level: str, rng: Random, budget: Budget = no_budget) -> str | None:
    """What it has found by now, as text; None if it may not claim."""
    if not view.may_claim:
        return None
    finds = _finds(view, SEARCHERS[level])
    [move] = rng.choices(list(finds), list(finds.values()))
    return format_move(move)


def pause(view: BlockYouView, level: str, rng: Random, *, at: int) -> int:
    """Milliseconds from match time `at` until it claims if nothing changes; drawn anew whenever what it sees does."""
    if not view.may_claim:
        return LONGEST_WAIT
    assert view.opens is not None, "a card is up"
    searcher = SEARCHERS[level]
    sees = max(SEES_CHANGE_MS, view.opens + SEES_CARD_MS - at)
    found_a_look = sum(_finds(view, searcher).values())
    return min(LONGEST_WAIT, sees + round(rng.expovariate(found_a_look / searcher.look_ms)))


def stand_in(view: BlockYouView, rng: Random) -> str | None:
    """Who has left claims nothing: the round goes on without them."""
    return None


def _finds(view: BlockYouView, searcher: Searcher) -> dict[Move, float]:
    """Each claim by how likely the next look is to lead to it."""
    assert isinstance(view.viewer, int), "only a seat plays"
    face = view.cards[view.viewer]
    assert face is not None, "who may claim has turned up a card"
    fitting = set(legal_placements("".join(view.area), face))
    turns = safe_turns(face, view.compass[view.viewer])

    def taken(placement: Placement) -> float:
        if placement not in fitting:
            return searcher.taken_for_fitting
        return searcher.noticed if placement.turn in turns else searcher.taken_for_safe

    finds: dict[Move, float] = {
        placement: looked_at * taken(placement) for placement, looked_at in _looks(view.laid).items()
    }
    if view.solo and not any(placement.turn in turns for placement in fitting):
        finds[NOFIT] = 1 / (GIVES_UP_AFTER * len(PLACEMENTS))
    return finds


def _looks(laid: Placement | None) -> dict[Placement, float]:
    """Each placement by how likely the next look goes to it: many go to what a card that was just laid has touched."""
    if laid is None:
        return dict.fromkeys(PLACEMENTS, 1 / len(PLACEMENTS))
    touched = [placement for placement in PLACEMENTS if _overlap(placement, laid)]
    looks = dict.fromkeys(PLACEMENTS, (1 - DRAWN_TO_CHANGE) / len(PLACEMENTS))
    for placement in touched:
        looks[placement] += DRAWN_TO_CHANGE / len(touched)
    return looks


def _overlap(one: Placement, other: Placement) -> bool:
    return abs(one.row - other.row) < 2 and abs(one.col - other.col) < 2
