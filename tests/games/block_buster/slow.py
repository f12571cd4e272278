"""Block Buster's placements worked out once more, cell by cell and from the written rules, to compare with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from games.block_buster.notation import format_board
from games.block_buster.placing import board_of
from games.block_buster.position import Position

Cell = tuple[int, int]

# Cells by row and column, as the rules list them.
WRITTEN = """
1   0,0                      L4  0,0 1,0 2,0 2,1
2   0,0 0,1                  I5  0,0 0,1 0,2 0,3 0,4
I3  0,0 0,1 0,2              L5  0,0 1,0 2,0 3,0 3,1
V3  0,0 1,0 1,1              P5  0,0 0,1 1,0 1,1 2,0
I4  0,0 0,1 0,2 0,3          N5  0,1 1,1 2,0 2,1 3,0
O4  0,0 0,1 1,0 1,1          Y5  0,1 1,0 1,1 2,1 3,1
T4  0,0 0,1 0,2 1,1          V5  0,0 1,0 2,0 2,1 2,2
S4  0,1 0,2 1,0 1,1          F5  0,1 0,2 1,0 1,1 2,1
"""


def written() -> dict[str, list[Cell]]:
    """The blocks as the rules list them, cells as (column, row)."""
    blocks: dict[str, list[Cell]] = {}
    name = ""
    for word in WRITTEN.split():
        if "," in word:
            row, column = map(int, word.split(","))
            blocks[name].append((column, row))
        else:
            name = word
            blocks[name] = []
    return blocks


def forms(cells: list[Cell]) -> set[frozenset[Cell]]:
    """Turned and flipped in every way, moved to 0,0."""
    found = set()
    for swap, flip_x, flip_y in product((False, True), repeat=3):
        turned = [((y, x) if swap else (x, y)) for x, y in cells]
        turned = [(-x if flip_x else x, -y if flip_y else y) for x, y in turned]
        left, top = min(x for x, _ in turned), min(y for _, y in turned)
        found.add(frozenset((x - left, y - top) for x, y in turned))
    return found


FORMS = {name: forms(cells) for name, cells in written().items()}


def placements(position: Position, colour: int) -> Iterator[tuple[str, frozenset[Cell], int]]:
    """Every placement of the colour's blocks on free cells, with its gap, whatever it costs."""
    rows = format_board(board_of(position), position.placed)
    size = len(rows)
    free = {(x, y) for x in range(size) for y in range(size) if rows[y][x] == "."}
    own = [cell for placed in position.placed if placed.colour == colour for cell in placed.cells]
    for block in set(position.left[colour]):
        for form in FORMS[block]:
            for left, top in product(range(size), repeat=2):
                cells = frozenset((left + x, top + y) for x, y in form)
                if cells <= free:
                    yield block, cells, gap(own, cells)


def gap(own: list[Cell], cells: frozenset[Cell]) -> int:
    """The least Manhattan distance minus 1; 0 for the first block."""
    if not own:
        return 0
    return min(abs(x - a) + abs(y - b) for x, y in own for a, b in cells) - 1


def is_affordable(gap: int, tokens: int, supply: tuple[int, int]) -> bool:
    """Paid step by step: a big token, or two small ones."""
    big, small = supply
    for _step in range(gap):
        if big:
            big -= 1
        elif small >= 2:
            small -= 2
        else:
            return False
        tokens -= 2
    return tokens >= -10
