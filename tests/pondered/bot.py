"""Bots of M that do what their level says. In a process of their own they tell tests of it by files in TMPDIR."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random

from games.contract.rules import Budget, no_budget
from games.contract.values import Hint
from games.m import bot as m
from games.m.position import View

LEVELS: tuple[str, ...] = (
    "easy",
    "normal",
    "hard",
    "held",
    "nosy",
    "broken",
    "silent",
    "wrong",
    "dead",
    "endless",
)
ITERATIONS: Mapping[str, int] = {level: int(level == "hard") for level in LEVELS}

ENOUGH = 5
"""Iterations after which `hard` plays, if it is granted so many."""

stand_in = m.stand_in


def choose(view: View, level: str, rng: Random, budget: Budget = no_budget) -> str | None:
    """A move of the real bot, unless the level is one that fails."""
    if level == "broken":
        raise RuntimeError(f"as it is meant to; it knew {view.hands}")
    if level == "silent":
        return None
    if level == "wrong":
        return "M9@99,99"
    if level == "dead":
        os._exit(3)
    while level == "endless":
        pass
    if level == "hard":
        searched = 0
        while searched < ENOUGH and budget():
            searched += 1
        note("searched", str(searched))
    if level == "held":
        note(f"asked-{os.getpid()}", "")
        while not (_folder() / "go").exists():
            time.sleep(0.01)
    if level == "nosy":
        note("modules", " ".join(sorted(sys.modules)))
        note("environment", " ".join(sorted(os.environ)))
        note("view", repr(view))
    return m.choose(view, "easy", rng)


def hint(view: View, rng: Random, budget: Budget = no_budget) -> Hint | None:
    """A hint of the real bot, unless the level that a file says is one that fails."""
    said = _folder() / "hints"
    choose(view, said.read_text() if said.exists() else "easy", rng, budget)
    return m.hint(view, rng, budget)


def note(name: str, text: str) -> None:
    """Leave a file that is there at once with all that is in it."""
    written = _folder() / f".{name}"
    written.write_text(text)
    written.rename(_folder() / name)


def _folder() -> Path:
    return Path(os.environ["TMPDIR"])
