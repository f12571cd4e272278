"""Positions of M as plain data: for storage, both ways, and as the lines of `record trace`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.contract.values import Json
from games.m.field import Table
from games.m.notation import format_cell, parse_cell
from games.m.position import Position, ScoringRound


def dump_position(position: Position) -> dict[str, Json]:
    """The whole position, hidden tiles included."""
    scoring = position.scoring
    return {
        "table": _table_as_json(position.table),
        "hands": [list(hand) for hand in position.hands],
        "stack": list(position.stack),
        "chips": list(position.chips),
        "taken": [list(tiles) for tiles in position.taken],
        "turn": position.turn,
        "scoring": None
        if scoring is None
        else {
            "line": [format_cell(cell) for cell in scoring.line],
            "placer": scoring.placer,
            "picker": scoring.picker,
            "whole": [format_cell(cell) for cell in scoring.whole],
        },
        "passes": position.passes,
        "ply": position.ply,
        "reason": position.reason,
    }


def load_position(data: Mapping[str, Any]) -> Position:
    """The position that was dumped."""
    scoring = data["scoring"]
    return Position(
        table={parse_cell(cell): tile for cell, tile in data["table"].items()},
        hands=tuple(tuple(hand) for hand in data["hands"]),
        stack=tuple(data["stack"]),
        chips=tuple(data["chips"]),
        taken=tuple(tuple(tiles) for tiles in data["taken"]),
        turn=data["turn"],
        scoring=None
        if scoring is None
        else ScoringRound(
            line=tuple(parse_cell(cell) for cell in scoring["line"]),
            placer=scoring["placer"],
            picker=scoring["picker"],
            whole=tuple(parse_cell(cell) for cell in scoring["whole"]),
        ),
        passes=data["passes"],
        ply=data["ply"],
        reason=data["reason"],
    )


def trace_position(position: Position, *, legal: int) -> dict[str, Json]:
    """A line of `record trace`, all but its `ply`; `legal` is the number of legal moves as texts."""
    return {
        "phase": position.phase,
        "seat": position.to_move,
        "table": _table_as_json(position.table),
        "hands": [list(hand) for hand in position.hands],
        "stack": len(position.stack),
        "chips": list(position.chips),
        "taken": [list(tiles) for tiles in position.taken],
        "legal": legal,
    }


def _table_as_json(table: Table) -> dict[str, Json]:
    return {format_cell(cell): table[cell] for cell in sorted(table)}
