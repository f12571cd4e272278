"""A board as bots see it: every spot where a block may lie, with what a search asks of it, worked out once."""

from __future__ import annotations

from functools import cache

from games.block_buster.blocks import BLOCKS, SQUARES
from games.block_buster.board import Board, Cells, Stamp, board_with
from games.block_buster.position import Place

STEPS = 6
"""Tables by ring have so many entries a ring: for none to five cells in it."""

EVERYWHERE: Cells = -1


class Spot:
    """A block lying somewhere: its cells, those around them by a side, and in `feet` where it stands in tables by
    ring, `STEPS * tile + cells in that ring`, four times (0, the entry of no cells, if it lies on fewer rings)."""

    __slots__ = ("around", "block", "cells", "feet", "place", "size")

    def __init__(self, board: Board, place: Place) -> None:
        self.place = place
        self.block = BLOCKS.index(place.block)
        self.size = SQUARES[place.block]
        self.cells: Cells = board.cells_of(place.cells)
        self.around: Cells = board.spread(self.cells) & ~self.cells
        tiles = [board.tile_of(cell) for cell in place.cells]
        feet = [STEPS * tile + tiles.count(tile) for tile in dict.fromkeys(tiles)]
        self.feet = (*feet, *[0] * (4 - len(feet)))


class Ground:
    """All spots of the board with so many tiles a side."""

    def __init__(self, tiles: int) -> None:
        self.board = board = board_with(tiles)
        self.rings = board.rings
        stamps = [(block, stamp) for block, name in enumerate(BLOCKS) for stamp in board.stamps[name]]
        self.offsets = tuple(sorted({offset for _, stamp in stamps for offset in stamp.offsets}))
        numbers = {offset: number for number, offset in enumerate(self.offsets)}
        self.stamps: list[list[tuple[tuple[int, ...], list[Spot | None]]]] = [[] for _ in BLOCKS]
        """By block, for each of its forms: the numbers of its offsets, and the spots by anchor."""
        for block, stamp in stamps:
            self.stamps[block].append((tuple(numbers[offset] for offset in stamp.offsets), self._spots(stamp)))

        self._by_place = {
            spot.place: spot for forms in self.stamps for _, spots in forms for spot in spots if spot is not None
        }

    def half_turned(self, spot: Spot) -> Spot:
        """Where the block comes to lie if the board is turned by 180 degrees."""
        return self._by_place[Place(spot.place.block, self.board.half_turned(spot.place.cells))]

    def _spots(self, stamp: Stamp) -> list[Spot | None]:
        spots: list[Spot | None] = [None] * self.board.placeable.bit_length()
        fitting = stamp.fitting(self.board.placeable)
        for anchor in range(len(spots)):
            if fitting >> anchor & 1:
                spots[anchor] = Spot(self.board, stamp.place(anchor))
        return spots

    def shifted(self, cells: Cells) -> list[Cells]:
        """The cells as every square of a block sees them from its anchor, by the number of its offset."""
        return [cells >> offset for offset in self.offsets]

    def spots(
        self, blocks: list[int], free: list[Cells], near: Cells, also: Cells = EVERYWHERE, but: Cells = 0
    ) -> list[Spot]:
        """Where these blocks fit on `free` (shifted) cells: with a `near` one and one of `also`, and none of `but`."""
        found: list[Spot] = []
        nearby, beside, barred = self.shifted(near), self.shifted(also), self.shifted(but)
        for block in blocks:
            for numbers, spots in self.stamps[block]:
                anchors = -1
                for number in numbers:
                    anchors &= free[number]
                if not anchors:
                    continue
                touching = 0
                for number in numbers:
                    touching |= nearby[number]
                anchors &= touching
                if not anchors:
                    continue
                if also != EVERYWHERE:
                    touching = 0
                    for number in numbers:
                        touching |= beside[number]
                    anchors &= touching
                if but:
                    for number in numbers:
                        anchors &= ~barred[number]
                while anchors:
                    lowest = anchors & -anchors
                    anchors ^= lowest
                    spot = spots[lowest.bit_length() - 1]
                    assert spot is not None
                    found.append(spot)
        return found


@cache
def ground_with(tiles: int) -> Ground:
    """The ground of so many by so many tiles, worked out once."""
    return Ground(tiles)
