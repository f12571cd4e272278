"""Plays the moves of a record by the rules of its game, from the deal to the outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from games.contract.errors import IllegalMove
from games.contract.record import OUTSIDE_REASONS, Entry, Record, RecordError, read_record
from games.contract.strict_json import is_whole
from games.contract.values import Event, Json, Outcome


class Step(NamedTuple):
    """The position after so many moves, and what happened since the one before.

    `ply` is 0 at the start. In a game played in real time, a last step with one more than the number of moves stands
    at the time up to which the match has run.
    """

    ply: int
    position: Any
    events: tuple[Event, ...]


class Checked(NamedTuple):
    """A sound record: its number of moves, and what the rules say of its end (None if unfinished)."""

    plies: int
    outcome: Outcome | None


def check_record(data: bytes) -> Checked:
    """Read and replay the record in these bytes. Raises `RecordError`."""
    record = read_record(data)
    position = record.start
    for step in replay(record):
        position = step.position
    return Checked(len(record.moves), record.game.rules.outcome(position))


def replay(record: Record) -> Iterator[Step]:
    """Every position of the match, the first included. Raises `RecordError` after those before the mistake."""
    rules, position = record.game.rules, record.start
    yield Step(0, position, ())
    reached = 0
    for ply, raw in enumerate(record.moves, 1):
        entry = _read_entry(record, ply, raw, reached)
        reached = entry.at
        try:
            position, due = rules.advance(position, entry.at)
            move = rules.parse_move(entry.move)
            position, events = rules.play(position, entry.seat, move, at=entry.at, lag=entry.lag)
        except IllegalMove as error:
            raise RecordError.by_rules(ply, error, record.game) from None
        yield Step(ply, position, (*due, *events))
    if record.game.info.real_time and record.until is not None:
        position, due = rules.advance(position, record.until)
        yield Step(len(record.moves) + 1, position, due)
    _check_outcome(record, rules.outcome(position))


def trace_lines(record: Record) -> Iterator[dict[str, Json]]:
    """The lines of `record trace`. Raises `RecordError` after those before the mistake."""
    for step in replay(record):
        yield {"ply": step.ply, **record.game.rules.trace(step.position)}


def _read_entry(record: Record, ply: int, raw: object, reached: int) -> Entry:
    """The entry of move `ply`; `reached` is the time of the one before. Raises `RecordError` for that move."""
    if not isinstance(raw, Mapping):
        raise RecordError(ply, "entry-not-an-object")
    for key in ("seat", "move", "at"):
        if key not in raw:
            raise RecordError(ply, "missing-key", {"key": key})
    seat, move, at = raw["seat"], raw["move"], raw["at"]
    # Only games in real time know a lag: elsewhere it is one of the keys that are ignored.
    lag = raw.get("lag", 0) if record.game.info.real_time else 0
    for key, value in (("seat", seat), ("at", at), ("lag", lag)):
        if not is_whole(value):
            raise RecordError(ply, "wrong-type", {"key": key, "wanted": "whole"})
    if seat >= len(record.players):
        raise RecordError(ply, "no-such-seat", {"seat": seat, "last": len(record.players) - 1})
    if not isinstance(move, str):
        raise RecordError(ply, "wrong-type", {"key": "move", "wanted": "text"})
    if at < reached:
        raise RecordError(ply, "falling-time", {"at": at, "before": reached})
    return Entry(seat, move, at, lag)


def _check_outcome(record: Record, replayed: Outcome | None) -> None:
    ply, given = len(record.moves) + 1, record.outcome
    if replayed is None:
        if given is not None and given["reason"] not in OUTSIDE_REASONS:
            raise RecordError(ply, "outcome-though-running")
    elif given is None:
        raise RecordError(ply, "outcome-missing")
    elif given["reason"] in OUTSIDE_REASONS:
        raise RecordError(ply, "outside-though-over")
    else:
        for key, value in replayed.as_json().items():
            if given[key] != value:
                raise RecordError(ply, "wrong-outcome", {"key": key})
