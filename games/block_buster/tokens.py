"""Penalty tokens: what a jump costs, how it is paid from the supply, and how far a player can jump."""

from __future__ import annotations

from collections.abc import Iterable

Supply = tuple[int, int]
"""The number of big tokens and of small ones."""

BIG, SMALL = 2, 1
"""What a big and a small token take off, in points."""

FULL_SUPPLY: Supply = (8, 8)
LIMIT = 10
"""No player's tokens may take off more than that."""

COST_OF_A_STEP = BIG
"""A jump over a gap of g cells costs g times so many points."""


def cost(gap: int) -> int:
    """What a placement with this gap costs, in points (>= 0)."""
    return COST_OF_A_STEP * gap


def payment(gap: int, supply: Supply) -> Supply | None:
    """The big and the small tokens that pay for the gap; None if the supply cannot pay exactly.

    [ruling] Big ones come first, then two small ones for each big one that is missing.
    """
    big = min(gap, supply[0])
    small = (gap - big) * COST_OF_A_STEP // SMALL
    return (big, small) if small <= supply[1] else None


def furthest_gap(tokens: int, supply: Supply) -> int:
    """The widest gap that a player with these tokens, in points (<= 0), can pay for now."""
    by_supply = supply[0] + supply[1] * SMALL // COST_OF_A_STEP
    return min((LIMIT + tokens) // COST_OF_A_STEP, by_supply)


def supply_after(penalties: Iterable[int]) -> Supply:
    """What is left of the full supply when every seat has taken its starting penalty: big tokens first, then small."""
    big, small = FULL_SUPPLY
    for penalty in penalties:
        big -= -penalty // BIG
        small -= -penalty % BIG
    return big, small
