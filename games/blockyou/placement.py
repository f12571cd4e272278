"""Where a card may be put: a window of 2 x 2 quarters of the area, and how the card is turned."""

from __future__ import annotations

from dataclasses import dataclass

SIZE = 8
"""Quarters along a side of the area."""

WINDOWS = SIZE - 1
"""Windows along a side: they may straddle cards, and never hang over the edge."""

TURNS = 4


@dataclass(frozen=True, slots=True, order=True)
class Placement:
    """A window by its top left quarter (`row` and `col` 0..6), and the card's quarter-turns clockwise (0..3)."""

    row: int
    col: int
    turn: int

    @property
    def number(self) -> int:
        """Which of the 196 it is, row by row, then column by column, then turn by turn."""
        return (self.row * WINDOWS + self.col) * TURNS + self.turn

    @property
    def cells(self) -> tuple[int, int, int, int]:
        """The quarters of the area that it covers, as `8 * row + col`, clockwise from the top left."""
        top = self.row * SIZE + self.col
        return top, top + 1, top + SIZE + 1, top + SIZE


PLACEMENTS = tuple(
    Placement(row, col, turn) for row in range(WINDOWS) for col in range(WINDOWS) for turn in range(TURNS)
)
"""All 196, by number."""
