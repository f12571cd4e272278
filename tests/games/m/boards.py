"""Positions of M drawn in ASCII: a tile or a dot a cell, blanks between them, the first cell at 0,0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.contract.errors import IllegalMove
from games.contract.values import Event
from games.m.position import Cell, Position, Tile
from games.m.rules import RULES

GAP = """
    .   RT1 .
    RC2 .   RT3
    .   RF4 .
"""
"""In the middle a tile brings the three chips of four neighbours."""


def board(drawing: str, left: int = 0, top: int = 0) -> dict[Cell, Tile]:
    """The table that is drawn; `left` and `top` are the coordinates of its first cell."""
    rows = [row.split() for row in drawing.strip().splitlines()]
    return {(left + x, top + y): tile for y, row in enumerate(rows) for x, tile in enumerate(row) if tile != "."}


def position(drawing: str, hands: Sequence[str], **fields: Any) -> Position:
    """A position in the middle of a match. A hand is a text of tiles; seat 0 is to move unless `turn` is given."""
    given: dict[str, Any] = {
        "stack": ("VF1", "VF2", "VF3"),
        "chips": (6,) * len(hands),
        "taken": ((),) * len(hands),
        "turn": 0,
        "ply": 20,
    } | fields
    return Position(table=board(drawing), hands=tuple(tuple(sorted(hand.split())) for hand in hands), **given)


def play(start: Position, *texts: str) -> Position:
    """The position after these moves, each by the seat that is to move."""
    for text in texts:
        start, _ = play_one(start, text)
    return start


def play_one(start: Position, text: str) -> tuple[Position, tuple[Event, ...]]:
    """The position after one move of the seat that is to move, and the events."""
    seat = start.to_move
    assert seat is not None, "the match is over"
    return RULES.play(start, seat, RULES.parse_move(text), at=1000)


def refusal(start: Position, text: str, seat: int | None = None) -> IllegalMove:
    """How the rules refuse a move of the seat (by default the one to move)."""
    mover = start.to_move if seat is None else seat
    assert mover is not None
    try:
        RULES.play(start, mover, RULES.parse_move(text), at=1000)
    except IllegalMove as refused:
        return refused
    raise AssertionError(f"{text} was not refused")


def legal(start: Position) -> list[str]:
    """The texts of all legal moves of the seat that is to move."""
    assert start.to_move is not None
    return [RULES.format_move(move) for move in RULES.legal_moves(start, start.to_move)]


def codes(events: Sequence[Event]) -> list[str]:
    return [event.code for event in events]
