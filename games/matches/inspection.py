"""Looks at a record that somebody brought: checked like by the tool, in bounded time, and nothing of it is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.contract.record import Record, read_record
from games.contract.replay import Step, replay
from games.contract.values import Moment, Outcome

BUDGET_S = 2.0
"""How long the page may work on a record, however busy the house is; matches as people play them take a hundredth."""


class TakesTooLong(Exception):
    """The record was not checked to its end; `plies` moves of it are in order."""

    def __init__(self, plies: int) -> None:
        super().__init__(plies)
        self.plies = plies


@dataclass(frozen=True)
class Inspection:
    """A sound record, and the position in it that was asked for.

    `last` is the last ply that can be shown: in real time the one after all moves, at `until`. `outcome` is what the
    rules say, None if unfinished; `moment` is what has just happened in the position.
    """

    record: Record
    last: int
    outcome: Outcome | None
    ply: int
    position: Any
    moment: Moment


def inspect_record(data: bytes, *, ply: int | None, timer: Callable[[], float] = time.thread_time) -> Inspection:
    """Check the record in these bytes, and find the position after `ply` moves; the last one, if there are not so many.

    Raises `RecordError` as the tool does, and `TakesTooLong` after `BUDGET_S` seconds by the timer, which
    counts what this thread has worked.
    """
    ends = timer() + BUDGET_S
    record = read_record(data)
    last = shown = None
    # The replay is exhausted, since the outcome is compared after its last step.
    for last in replay(record):
        if last.ply == ply:
            shown = last
        if timer() > ends:
            raise TakesTooLong(min(last.ply, len(record.moves)))
    assert last is not None
    shown = shown or last
    outcome = record.game.rules.outcome(last.position)
    return Inspection(record, last.ply, outcome, shown.ply, shown.position, _moment(record, shown))


def _moment(record: Record, step: Step) -> Moment:
    """What the step has made happen. At the start, and at the end in real time, nobody has moved."""
    if not 0 < step.ply <= len(record.moves):
        return Moment(events=step.events)
    entry, rules = record.moves[step.ply - 1], record.game.rules
    return Moment(seat=entry["seat"], move=rules.format_move(rules.parse_move(entry["move"])), events=step.events)
