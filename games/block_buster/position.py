"""The frozen values of Block Buster: moves, what a match is played with, and the position.

A colour is its index in `modes.COLOURS`, a cell is `(x, y)` with y growing downwards, a tile its number row by row.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.block_buster.blocks import Cell
from games.block_buster.modes import Mode


@dataclass(frozen=True, slots=True)
class Place:
    """Place a block on cells, by row and then column."""

    block: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass, for good: the colour is out."""


Move = Place | Pass


@dataclass(frozen=True, slots=True)
class Placed:
    """A block on the board."""

    colour: int
    block: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match is played with from first to last: `layout` has a row of shape letters for each row of tiles,
    `collection` is the number of point blocks of one shape that wins at once."""

    mode: Mode
    layout: tuple[str, ...]
    collection: int

    def shape(self, tile: int) -> str:
        """The shape of the point block in that tile."""
        row, column = divmod(tile, self.mode.tiles)
        return self.layout[row][column]


@dataclass(frozen=True, slots=True)
class Position:
    """A position of Block Buster.

    `placed` are the blocks on the board in the order of play. By colour: `cells` (bit sets, see `board.py`) and `left`
    (names of the blocks not yet placed, in the order of `BLOCKS`). By seat: `tokens`, in points (<= 0). `supply` is the
    number of big (-2) and of small (-1) tokens that nobody holds. `turn` is the colour that plays, or played last when
    the match is over; `out` are the colours that play no more, rising; `ply` counts the moves played. `reason` is None
    until the match ends, `winner` the seat that won at once by a collection acquired during the game.
    """

    setup: Setup
    placed: tuple[Placed, ...]
    cells: tuple[int, ...]
    left: tuple[tuple[str, ...], ...]
    tokens: tuple[int, ...]
    supply: tuple[int, int]
    turn: int = 0
    out: tuple[int, ...] = ()
    ply: int = 0
    reason: str | None = None
    winner: int | None = None

    @property
    def seats(self) -> int:
        """How many play."""
        return self.setup.mode.players

    @property
    def phase(self) -> str:
        """One of "play" and "over"."""
        return "play" if self.reason is None else "over"

    @property
    def colour(self) -> int | None:
        """The colour that must play now; None when the match is over."""
        return self.turn if self.reason is None else None

    @property
    def to_move(self) -> int | None:
        """The seat that must act now; None when the match is over."""
        return self.setup.mode.owners[self.turn] if self.reason is None else None
