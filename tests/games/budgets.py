"""Budgets that tell how bots use them."""

from __future__ import annotations


class Granted:
    """A budget of so many iterations, which counts how often it is asked."""

    def __init__(self, iterations: int) -> None:
        self.iterations, self.asked = iterations, 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked <= self.iterations
