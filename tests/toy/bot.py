"""A bot for Auction: it bids its highest card, sooner or later."""

from __future__ import annotations

from random import Random

from games.contract.rules import Budget, no_budget
from games.contract.values import Hint
from tests.toy.rules import AuctionView

LEVELS = ("easy", "hard")
ITERATIONS = {"easy": 0, "hard": 3}


def choose(view: AuctionView, level: str, rng: Random, budget: Budget = no_budget) -> str | None:
    """The highest card, or None to wait; `hard` waits less the more iterations it is granted."""
    if view.may_bid and (rng.random() < 0.5 or (level == "hard" and budget() and budget())):
        return f"bid {view.may_bid[-1]}"
    return None


def hint(view: AuctionView, rng: Random, budget: Budget = no_budget) -> Hint | None:
    """The highest card, and that it is; a lot besides, so that there is a second reason."""
    if not view.may_bid:
        return None
    card = view.may_bid[-1]
    return Hint(f"bid {card}", (("highest", {"card": card}), ("left", {"left": view.prizes_left})))


def stand_in(view: AuctionView, rng: Random) -> str | None:
    """Any card: Auction goes on without those who left."""
    return f"bid {rng.choice(view.may_bid)}" if view.may_bid else None
