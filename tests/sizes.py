"""What needs large counts is one code with two sizes: a slice in every run, the full count by `make soak`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

SOAKING = os.environ.get("TESELA_SOAK") == "1"

SHORT = os.environ.get("TESELA_SHORT") == "1"
"""Whether of what takes long a part will do: `.ci/run` must end within 20 minutes. `make test` runs all of it."""


def size(name: str, *, ci: int, soak: int) -> int:
    """How often the test does it in this run. It is printed, so that a report says what was counted."""
    count = soak if SOAKING else ci
    print(f"{name}: {count}")  # noqa: T201
    return count


def ways(number: int, all_ways: Sequence[T]) -> Sequence[T]:
    """How the test looks at the item of that number: in full in all ways, in a slice in one, each way in its turn."""
    return all_ways if SOAKING else [all_ways[number % len(all_ways)]]


def some_of(items: Sequence[T], *, ci: int) -> Sequence[T]:
    """All in full; in a slice so many of them, evenly spread, always the same."""
    return items if SOAKING or len(items) <= ci else [items[at * len(items) // ci] for at in range(ci)]
