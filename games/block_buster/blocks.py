"""The 16 blocks by their names: which cells they cover, and all the ways in which they may lie."""

from __future__ import annotations

Cell = tuple[int, int]
"""A column and a row, `(x, y)`, both from 0 at the top left."""

Form = tuple[Cell, ...]
"""A block as it may lie: its cells by row and then column, from the top left corner of its bounding box."""

_DRAWN = {
    "1": "#",
    "2": "##",
    "I3": "###",
    "V3": "#. ##",
    "I4": "####",
    "O4": "## ##",
    "T4": "### .#.",
    "S4": ".## ##.",
    "L4": "#. #. ##",
    "I5": "#####",
    "L5": "#. #. #. ##",
    "P5": "## ## #.",
    "N5": ".# .# ## #.",
    "Y5": ".# ## .# .#",
    "V5": "#.. #.. ###",
    "F5": ".## ##. .#.",
}
"""[ruling] Which blocks there are: the sources say only that there are 16 of mixed sizes, almost those of Blokus."""


def by_row(cell: Cell) -> tuple[int, int]:
    """The key that sorts cells by row and then column."""
    return cell[1], cell[0]


def normalised(cells: tuple[Cell, ...]) -> Form:
    """The cells moved so that their bounding box begins at 0,0; their order is kept."""
    left = min(x for x, _ in cells)
    top = min(y for _, y in cells)
    return tuple((x - left, y - top) for x, y in cells)


def _drawn(rows: str) -> Form:
    return tuple((x, y) for y, row in enumerate(rows.split()) for x, square in enumerate(row) if square == "#")


def _forms(block: Form) -> tuple[Form, ...]:
    """As drawn, turned by quarters, then flipped and turned: each different one once."""
    found: dict[Form, None] = {}
    for cells in (block, tuple((-x, y) for x, y in block)):
        for _quarter in range(4):
            found.setdefault(tuple(sorted(normalised(cells), key=by_row)))
            cells = tuple((-y, x) for x, y in cells)
    return tuple(found)


BLOCKS: tuple[str, ...] = tuple(_DRAWN)
"""The names of all blocks, the smallest first."""

FORMS: dict[str, tuple[Form, ...]] = {name: _forms(_drawn(rows)) for name, rows in _DRAWN.items()}
"""How each block may lie; the first form is the one in which it is drawn above."""

SQUARES: dict[str, int] = {name: len(forms[0]) for name, forms in FORMS.items()}
"""How many squares each block has: 64 in all."""

MOST_SQUARES = max(SQUARES.values())
