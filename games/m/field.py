"""The field of tiles on the table: what lies beside what, where the frame leaves room, and what splits it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from games.m.position import Cell, Tile
from games.m.tiles import MATCHING

Table = Mapping[Cell, Tile]

FRAME = 6
"""All tiles on the table lie within so many columns and so many rows."""

LINES = ("row", "col")


def around(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The cells above, right, below and left."""
    x, y = cell
    return (x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)


def neighbours(table: Table, cell: Cell) -> list[Cell]:
    """The cells beside this one that hold tiles."""
    return [beside for beside in around(cell) if beside in table]


def room_in_frame(table: Table) -> tuple[range, range]:
    """The columns and rows where a tile may still be put, as the bounding box of all tiles stands now.

    [ruling] The frame floats: it is measured on the tiles now on the table, and frees again when tiles are taken.
    """
    columns = [x for x, _ in table]
    rows = [y for _, y in table]
    return (
        range(max(columns) - FRAME + 1, min(columns) + FRAME),
        range(max(rows) - FRAME + 1, min(rows) + FRAME),
    )


def open_cells(table: Table) -> tuple[tuple[Cell, tuple[Tile, ...]], ...]:
    """The empty cells beside a tile and within the frame, row by row, each with the tiles around it."""
    return _open_cells(frozenset(table.items()))


@lru_cache(maxsize=2048)
def _open_cells(tiles: frozenset[tuple[Cell, Tile]]) -> tuple[tuple[Cell, tuple[Tile, ...]], ...]:
    """Kept, since every view of a position and every drawing of them asks."""
    table = dict(sorted(tiles))
    columns, rows = room_in_frame(table)
    beside: dict[Cell, list[Tile]] = {}
    for cell, tile in table.items():
        for free in around(cell):
            if free not in table:
                beside.setdefault(free, []).append(tile)
    return tuple(
        (cell, tuple(beside[cell]))
        for cell in sorted(beside, key=lambda cell: (cell[1], cell[0]))
        if cell[0] in columns and cell[1] in rows
    )


def placements(table: Table, hand: tuple[Tile, ...]) -> Iterator[tuple[Tile, Cell, int]]:
    """Every tile of the hand with each cell where it may go, and the number of neighbours there.

    In the hand's order, equal tiles once, and then row by row.
    """
    cells = open_cells(table)
    for tile in dict.fromkeys(hand):
        matching = MATCHING[tile]
        for cell, beside in cells:
            if matching.issuperset(beside):
                yield tile, cell, len(beside)


def line_through(table: Table, cell: Cell, line: str) -> tuple[Cell, ...]:
    """All cells with tiles in the row ("row") or column ("col") of this cell, from left to right or from the top."""
    fixed = 1 if line == "row" else 0
    return tuple(sorted(other for other in table if other[fixed] == cell[fixed]))


def splits(table: Table, cell: Cell) -> bool:
    """Whether taking the tile away raises the number of orthogonally connected groups on the table.

    [ruling] Groups are counted, because the field need not be connected yet. The count rises exactly when the
    tile's neighbours no longer hang together without it; a tile that lies alone takes its group with it.
    """
    beside = neighbours(table, cell)
    if len(beside) < 2:
        return False
    missing = set(beside[1:])
    seen = {cell, beside[0]}
    edge = [beside[0]]
    while edge and missing:
        for reached in neighbours(table, edge.pop()):
            if reached not in seen:
                seen.add(reached)
                missing.discard(reached)
                edge.append(reached)
    return bool(missing)
