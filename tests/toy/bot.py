"""A bot for Auction: it bids its highest card, sooner or later."""

from __future__ import annotations

from random import Random

from tests.toy.rules import AuctionView

LEVELS = ("easy",)


def choose(view: AuctionView, level: str, rng: Random) -> str | None:
    """The highest card, or None to wait."""
    return f"bid {view.may_bid[-1]}" if view.may_bid and rng.random() < 0.5 else None


def stand_in(view: AuctionView, rng: Random) -> str | None:
    """Any card: Auction goes on without those who left."""
    return f"bid {rng.choice(view.may_bid)}" if view.may_bid else None
