"""Matches of M with bots that take thought, as `tests/pondered/bot.py` has them, and keepers that see to these."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from accounts.people.models import User
from games.contract.registry import Game
from games.matches import wakeup
from games.matches.callers import Caller
from games.matches.models import Match, Seat
from games.matches.services import tables
from games.matches.services.due import settle_due
from games.matches.services.thoughts import Thought
from games.matches.services.timing import BOT_PAUSE_MS
from games.matches.thinking import Thinking
from tests.matches.conftest import START, move_form, sit_down, to_move
from tests.matches.playing import play_form

PATIENCE_S = 60
"""A process of our own has to come up on a busy machine."""

PAUSED = timedelta(milliseconds=BOT_PAUSE_MS[1])


@dataclass(frozen=True)
class PonderedGame(Game):
    """M with other bots."""

    def _module(self, name: str) -> Any:
        return importlib.import_module(f"{self.package if name == 'bot' else 'games.m'}.{name}")


def pondered() -> Game:
    return PonderedGame("m", "tests.pondered")


def bots_turn(*people: User, level: str, bots: int = 1, moment: datetime = START, **table: Any) -> Match:
    """A match of these people and bots of the level behind them, in which a bot is to move since that moment."""
    match = sit_down(*people, seats=len(people) + bots, start=False, moment=moment, **table)
    for index in range(len(people), len(people) + bots):
        tables.seat_bot(slug=match.slug, caller=Caller(people[0]), index=index, level=level, moment=moment)
    for person in people:
        tables.set_ready(slug=match.slug, caller=Caller(person, invited=True), ready=True, moment=moment)
    while to_move(match) < len(people):
        play_form(match, people[to_move(match)], move_form(match), seconds=(moment - START).total_seconds())
    match.refresh_from_db()
    return match


def taken(moment: datetime) -> list[Thought]:
    """What a keeper takes on that looks at that moment."""
    found: list[Thought] = []
    settle_due(moment=moment, think=found.append)
    return found


def bots_moves(match: Match) -> int:
    return match.moves.exclude(kind=Seat.Kind.PERSON).count()


def keep_on(thinking: Thinking, moment: datetime, *, until: Callable[[], bool]) -> None:
    """Let a keeper look at that moment, again and again whenever a bot has answered, until it is so."""
    deadline = monotonic() + PATIENCE_S
    while not until():
        assert monotonic() < deadline, "nothing came of it"
        settle_due(moment=moment, think=thinking.take)
        thinking.play(lambda: moment)
        if not until():
            wakeup.wait(0.2)


def wait_for(is_so: Callable[[], bool]) -> None:
    """Until something outside of this process is so."""
    deadline = monotonic() + PATIENCE_S
    while not is_so():
        assert monotonic() < deadline, "it never came"
        sleep(0.01)


def children(parent: int | None = None) -> list[int]:
    """The processes that think, of this process or the one given."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:  # it has ended meanwhile
            continue
        if int(fields[1]) == (parent or os.getpid()) and fields[0] != "Z" and b"games.matches.thinker" in command:
            found.append(int(folder.name))
    return found
