"""The blocks, and the board that they lie on."""

from itertools import product

import pytest

from games.block_buster.blocks import BLOCKS, FORMS, SQUARES, by_row
from games.block_buster.board import bits_of, board_with, union
from tests.games.block_buster import slow


def test_there_are_16_blocks_of_64_squares_as_the_rules_list_them() -> None:
    assert set(BLOCKS) == set(slow.written())
    assert len(BLOCKS) == 16
    assert sum(SQUARES.values()) == 64


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_lies_in_every_way_in_which_it_can_be_turned_and_flipped(block: str) -> None:
    assert {frozenset(form) for form in FORMS[block]} == slow.FORMS[block]
    assert len(FORMS[block]) == len(slow.FORMS[block]), "no form is listed twice"
    assert all(list(form) == sorted(form, key=by_row) for form in FORMS[block])


@pytest.mark.parametrize("tiles", [3, 4, 5])
def test_every_placeable_cell_belongs_to_exactly_one_ring_of_12(tiles: int) -> None:
    board = board_with(tiles)
    assert board.size == 4 * tiles
    assert len(board.rings) == tiles * tiles
    assert all(ring.bit_count() == 12 for ring in board.rings)
    assert union(board.rings) == board.placeable
    assert sum(ring.bit_count() for ring in board.rings) == board.placeable.bit_count()
    assert board.everything.bit_count() == board.size**2
    for tile, ring in enumerate(board.rings):
        assert all(board.tile_of(board.cells[bit]) == tile for bit in bits_of(ring))


def test_the_rows_of_the_empty_board_show_point_blocks_in_the_middle_of_each_tile() -> None:
    assert board_with(3).rows[:4] == ("............", ".##..##..##.", ".##..##..##.", "............")
    assert board_with(5).point_cells[:2] == ((1, 1), (5, 1))
    assert board_with(5).point_cells[24] == (17, 17)


@pytest.mark.parametrize("distance", [0, 1, 2, 5, 30])
@pytest.mark.parametrize("cell", [(0, 0), (11, 0), (0, 11), (11, 11), (5, 6), (11, 5)])
def test_distances_go_by_sides_and_not_round_the_edges(cell: tuple[int, int], distance: int) -> None:
    board = board_with(3)
    near = {board.cells[bit] for bit in bits_of(board.within(board.cells_of([cell]), distance))}
    assert near == {(x, y) for x, y in product(range(12), repeat=2) if abs(x - cell[0]) + abs(y - cell[1]) <= distance}


@pytest.mark.parametrize("block", BLOCKS)
def test_stamps_find_what_lies_on_free_cells_and_touches_a_near_one(block: str) -> None:
    """Compared cell by cell on a board with holes, where shapes could run over its edges."""
    board = board_with(3)
    free = {(x, y) for x, y in product(range(12), repeat=2) if (12 * x + y) % 7 and (12 * x + y) % 11}
    near = {(x, y) for x, y in product(range(12), repeat=2) if x in (0, 11) or y in (0, 6, 11)}
    found = {
        frozenset(stamp.place(anchor).cells)
        for stamp in board.stamps[block]
        for anchor in bits_of(stamp.anchors(board.cells_of(free), board.cells_of(near)))
    }
    expected = set()
    for form, left, top in product(slow.FORMS[block], range(-4, 16), range(-4, 16)):
        cells = frozenset((left + x, top + y) for x, y in form)
        if cells <= free and cells & near:
            expected.add(cells)
    assert found == expected


def test_a_placement_is_one_object_with_its_cells_in_order() -> None:
    stamp = board_with(3).stamps["S4"][0]
    place = stamp.place(board_with(3).bit((3, 4)))
    assert place is stamp.place(board_with(3).bit((3, 4)))
    assert (place.block, place.cells) == ("S4", ((4, 4), (5, 4), (3, 5), (4, 5)))
