"""The field of M: where there is room, and what splits it."""

from itertools import product

from games.m.field import line_through, open_cells, placements, splits
from games.m.position import Cell, Tile
from tests.games.m.boards import board


def groups(table: dict[Cell, Tile]) -> int:
    """The number of connected groups, counted the plain way."""
    left, count = set(table), 0
    while left:
        count += 1
        edge = [left.pop()]
        while edge:
            x, y = edge.pop()
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if cell in left:
                    left.remove(cell)
                    edge.append(cell)
    return count


def test_splits_is_that_the_number_of_groups_rises() -> None:
    """Every field of 3 x 3, every tile of it."""
    for filled in product((True, False), repeat=9):
        cells = [cell for cell, full in zip(product(range(3), range(3)), filled, strict=True) if full]
        table = dict.fromkeys(cells, "R0")
        for cell in table:
            without = {other: tile for other, tile in table.items() if other != cell}
            assert splits(table, cell) == (groups(without) > groups(table)), (cells, cell)


def test_a_way_round_keeps_a_field_together() -> None:
    table = board("""
        RT1 RT2 RT3
        RC1 .   RC3
        RS1 RS2 RS3
    """)
    assert not any(splits(table, cell) for cell in table)


def test_a_tile_that_lies_alone_may_go() -> None:
    assert not splits(board("RT1 . RT2 RT3"), (0, 0))


def test_the_frame_is_six_by_six_around_the_tiles_now_on_the_table() -> None:
    table = board("RT1 RT2 RT3 RT4 RC1", left=-2)
    cells = [cell for cell, _ in open_cells(table)]
    assert (-3, 0) in cells, "a sixth column fits on either side"
    assert (3, 0) in cells
    table[-3, 0] = "RC2"
    cells = [cell for cell, _ in open_cells(table)]
    assert (-4, 0) not in cells, "a seventh does not"
    assert (3, 0) not in cells
    del table[2, 0], table[1, 0]
    cells = [cell for cell, _ in open_cells(table)]
    assert (-4, 0) in cells, "taking tiles frees the frame"


def test_the_frame_bounds_rows_as_well() -> None:
    table = {(4, y): f"R{symbol}1" for y, symbol in zip(range(5), "TCSFT", strict=True)} | {(4, 5): "R0"}
    cells = [cell for cell, _ in open_cells(table)]
    assert (4, -1) not in cells
    assert (4, 6) not in cells
    assert (3, 0) in cells


def test_open_cells_are_beside_tiles_row_by_row() -> None:
    table = board("""
        RT1 .
        .   YC2
    """)
    assert open_cells(table) == (
        ((0, -1), ("RT1",)),
        ((-1, 0), ("RT1",)),
        ((1, 0), ("RT1", "YC2")),
        ((0, 1), ("RT1", "YC2")),
        ((2, 1), ("YC2",)),
        ((1, 2), ("YC2",)),
    )


def test_placements_match_every_neighbour_each_by_any_feature() -> None:
    table = board("""
        RT1 .
        .   YC2
    """)
    found = list(placements(table, ("BF4", "RC3", "RC3")))
    both = [("RC3", (1, 0), 2), ("RC3", (0, 1), 2)]
    assert [place for place in found if place[2] == 2] == both, "red beside RT1, cube beside YC2; equal tiles once"
    assert len(found) == 6
    assert all(tile == "RC3" for tile, _, _ in found)


def test_line_through_holds_all_tiles_of_the_row_or_column() -> None:
    table = board("""
        RT1 .   RT2
        YC2 YC1 .
    """)
    assert line_through(table, (0, 0), "row") == ((0, 0), (2, 0))
    assert line_through(table, (0, 0), "col") == ((0, 0), (0, 1))
