"""Chance that always falls one way, for bots that slip now and then."""

from __future__ import annotations

from random import Random


class NoSlips(Random):
    """The bot never overlooks anything."""

    # Kept, or `sample` and `choice` would be drawn from the fixed number below.
    getrandbits = Random.getrandbits

    def random(self) -> float:
        return 0.999


class Slips(Random):
    """It always does."""

    getrandbits = Random.getrandbits

    def random(self) -> float:
        return 0.0
