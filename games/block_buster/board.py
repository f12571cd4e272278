"""Boards as bit sets: which cells there are, what lies around what, and where each block may lie.

A set of cells is one whole number, with the bit `y * (size + 1) + x` for the cell `(x, y)`. The last bit of each row
stands for no cell: whatever is pushed over the edge of a row falls there instead of into the next row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from games.block_buster.blocks import FORMS, Cell, Form
from games.block_buster.position import Place

Cells = int
"""A set of cells, as bits."""

TILE = 4
"""Tiles are so many cells wide and high."""

POINT_BLOCK = ((1, 1), (2, 1), (1, 2), (2, 2))
"""The cells of a tile that are its point block; the others are the ring around it."""

FREE, POINT = ".", "#"
"""A cell to place on and a cell of a point block, as the rows of a board show them."""


class Board:
    """A board of `tiles` x `tiles` tiles; tiles are numbered row by row."""

    def __init__(self, tiles: int) -> None:
        self.tiles = tiles
        self.size = tiles * TILE
        self._stride = self.size + 1
        self.cells: tuple[Cell, ...] = tuple(
            (bit % self._stride, bit // self._stride) for bit in range(self.size * self._stride)
        )
        """By bit."""
        corners = [(TILE * x, TILE * y) for y in range(tiles) for x in range(tiles)]
        points = [self.cells_of((left + x, top + y) for x, y in POINT_BLOCK) for left, top in corners]
        squares = [
            self.cells_of((left + x, top + y) for y in range(TILE) for x in range(TILE)) for left, top in corners
        ]
        self.everything: Cells = union(squares)
        self.placeable: Cells = self.everything & ~union(points)
        self.rings: tuple[Cells, ...] = tuple(square & ~point for square, point in zip(squares, points, strict=True))
        self.point_cells: tuple[Cell, ...] = tuple((left + 1, top + 1) for left, top in corners)
        """By tile, the top left cell of its point block, which stands for the block in texts."""
        self.rows: tuple[str, ...] = tuple(
            "".join(FREE if self.placeable >> self.bit((x, y)) & 1 else POINT for x in range(self.size))
            for y in range(self.size)
        )
        """The empty board, one text a row."""
        self.stamps: dict[str, tuple[Stamp, ...]] = {
            block: tuple(Stamp(self, block, form) for form in forms) for block, forms in FORMS.items()
        }

    def has(self, cell: Cell) -> bool:
        """Whether the cell is on the board."""
        return 0 <= cell[0] < self.size and 0 <= cell[1] < self.size

    def bit(self, cell: Cell) -> int:
        """The number of the cell's bit; the cell is on the board."""
        return cell[1] * self._stride + cell[0]

    def first(self, cells: Cells) -> Cell:
        """The first of these cells, row by row; there is one at least."""
        return self.cells[next(bits_of(cells))]

    def cells_of(self, cells: Iterable[Cell]) -> Cells:
        """These cells, all on the board, as a set."""
        return union(1 << self.bit(cell) for cell in cells)

    def tile_of(self, cell: Cell) -> int:
        """The tile that the cell lies in."""
        return cell[1] // TILE * self.tiles + cell[0] // TILE

    def half_turned(self, cells: Sequence[Cell]) -> tuple[Cell, ...]:
        """Where these cells come to lie if the board is turned by 180 degrees; by row and then column, as they are."""
        last = self.size - 1
        return tuple([(last - x, last - y) for x, y in reversed(cells)])

    def spread(self, cells: Cells) -> Cells:
        """The cells and all that touch them by a side, whatever lies there."""
        return (cells | cells << 1 | cells >> 1 | cells << self._stride | cells >> self._stride) & self.everything

    def within(self, cells: Cells, distance: int) -> Cells:
        """All cells at most so far from one of these, in steps by sides (Manhattan distance)."""
        for _step in range(distance):
            cells = self.spread(cells)
        return cells


class Stamp:
    """A block on a board in one of its forms. Its anchor is the top left cell of its bounding box."""

    __slots__ = ("_cells", "_places", "block", "form", "offsets")

    def __init__(self, board: Board, block: str, form: Form) -> None:
        self.block = block
        self.form = form
        self.offsets = tuple(board.bit(cell) for cell in form)
        self._cells = board.cells
        self._places: dict[int, Place] = {}

    def fitting(self, free: Cells) -> Cells:
        """The anchors with which the block lies on free cells alone."""
        # A block hangs together, so one that runs over the edge of a row covers a bit that is never free.
        anchors = -1
        for offset in self.offsets:
            anchors &= free >> offset
        return anchors

    def touching(self, near: Cells) -> Cells:
        """The anchors with which the block covers one of the near cells at least."""
        anchors = 0
        for offset in self.offsets:
            anchors |= near >> offset
        return anchors

    def anchors(self, free: Cells, near: Cells) -> Cells:
        """The anchors with which it lies on free cells alone, a near one among them."""
        anchors = self.fitting(free)
        return anchors and anchors & self.touching(near)

    def place(self, anchor: int) -> Place:
        """The placement with its anchor at this bit, always the same object."""
        place = self._places.get(anchor)
        if place is None:
            cells = self._cells
            place = self._places[anchor] = Place(self.block, tuple([cells[anchor + offset] for offset in self.offsets]))
        return place


def union(sets: Iterable[Cells]) -> Cells:
    """All cells of these sets."""
    found = 0
    for cells in sets:
        found |= cells
    return found


def bits_of(cells: Cells) -> Iterator[int]:
    """The numbers of the bits that are set, rising: row by row."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


@cache
def board_with(tiles: int) -> Board:
    """The board of so many by so many tiles, worked out once."""
    return Board(tiles)
