"""The frozen values of M: tiles and cells, moves, the position, and what a viewer sees of it.

A tile is its code (`RT3`: red, triangle, 30; `R0`: the red zero), a cell is `(x, y)` with y growing downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from games.contract.values import Outcome, Viewer

Tile = str
Cell = tuple[int, int]

COLOURS = "RYGBV"
SYMBOLS = "TCSF"
HIDDEN = "??"
"""Stands for a tile that the viewer may not know."""


@dataclass(frozen=True, slots=True)
class Place:
    """Put a tile on a cell. `line` is "row" or "col" where both qualify for a scoring round, otherwise None."""

    tile: Tile
    cell: Cell
    line: str | None = None


@dataclass(frozen=True, slots=True)
class Take:
    """Take a tile of the line in a scoring round."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass; `tile` is exchanged for the top of the stack, None for no exchange."""

    tile: Tile | None = None


Move = Place | Take | Pass


@dataclass(frozen=True, slots=True)
class ScoringRound:
    """A scoring round under way: the line's cells that still hold tiles, who placed, and whose pick it is.

    `whole` are the line's cells as they were when the round began, for a picture that stays still meanwhile.
    """

    line: tuple[Cell, ...]
    placer: int
    picker: int
    whole: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """A position of M. By seat: `hands` and `taken` (tiles sorted by code) and `chips`.

    `table` is never changed once it is here. `stack` has the tile to draw next in front. `turn` is the seat whose turn
    it is, also while others pick in the scoring round that its placement began. `passes` counts the passes since the
    last placement, `ply` the moves played. `reason` is None until the match ends.
    """

    table: Mapping[Cell, Tile]
    hands: tuple[tuple[Tile, ...], ...]
    stack: tuple[Tile, ...]
    chips: tuple[int, ...]
    taken: tuple[tuple[Tile, ...], ...]
    turn: int
    scoring: ScoringRound | None = None
    passes: int = 0
    ply: int = 0
    reason: str | None = None

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hands)

    @property
    def phase(self) -> str:
        """One of "play", "take" and "over"."""
        if self.reason is not None:
            return "over"
        return "play" if self.scoring is None else "take"

    @property
    def to_move(self) -> int | None:
        """The seat that must act now; None when the match is over."""
        if self.reason is not None:
            return None
        return self.turn if self.scoring is None else self.scoring.picker


class Fit(NamedTuple):
    """A place where a hand tile may go: the chips that it would bring, and the lines it would score ("row", "col")."""

    tile: Tile
    cell: Cell
    chips: int
    lines: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[str | None, ...]:
        """What a placement here may say as its line: required where both qualify, refused otherwise."""
        return self.lines if len(self.lines) > 1 else (None,)

    @property
    def moves(self) -> tuple[Place, ...]:
        """The placements here: one, or one for each line that may be said."""
        return tuple(Place(self.tile, self.cell, line) for line in self.said)


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer may know of a position.

    By seat: `hands` (tiles sorted; None where hidden from the viewer), `hand_sizes`, `chips`, `taken` (tiles sorted),
    `scores` (as if the match ended now). `fits` are the places of the viewer's own hand tiles, listed while the seat's
    next placement can be thought about (phase `play`), also when it is another's turn. `takeable` are the cells of the
    line that the picker may take from now.
    """

    viewer: Viewer
    phase: str  # "play", "take" or "over"
    to_move: int | None
    table: Mapping[Cell, Tile]
    hands: tuple[tuple[Tile, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    stack: int
    chips: tuple[int, ...]
    taken: tuple[tuple[Tile, ...], ...]
    scores: tuple[int, ...]
    scoring: ScoringRound | None
    takeable: tuple[Cell, ...]
    fits: tuple[Fit, ...]
    ply: int
    outcome: Outcome | None

    @property
    def seat(self) -> int | None:
        """The viewer's seat, None for who looks on."""
        return self.viewer if isinstance(self.viewer, int) else None

    @property
    def may_act(self) -> bool:
        """Whether it is the viewer's turn."""
        return self.to_move is not None and self.to_move == self.viewer
