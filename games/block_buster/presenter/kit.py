"""All blocks of a colour laid out small, each always in the same place, so that one sees at a glance what is gone."""

from __future__ import annotations

from games.block_buster.blocks import FORMS, Cell, Form

_LAID_OUT = """
    V V V . F F . I I I I I . i i i . O O . L L L . S S .
    V . . . . F F . . . . . . . . . . O O . L . . S S . .
    V . . . . F . . j j j j . 2 2 . 1 . . . . . . . . . .
    . . . . . . . . . . . . . . . . . . v v . T T T . . .
    l l l l . P P P . N N N . Y Y Y Y . v . . . T . . . .
    l . . . . . P P . . . N N . Y . . . . . . . . . . . .
"""
_SIGNS = {
    "V": "V5", "F": "F5", "I": "I5", "i": "I3", "O": "O4", "L": "L4", "S": "S4", "j": "I4", "2": "2", "1": "1",
    "v": "V3", "T": "T4", "l": "L5", "P": "P5", "N": "N5", "Y": "Y5",
}  # fmt: skip


def _places() -> dict[str, tuple[Cell, Form]]:
    cells: dict[str, list[Cell]] = {}
    for y, row in enumerate(_LAID_OUT.split("\n")[1:-1]):
        for x, sign in enumerate(row.split()):
            if sign != ".":
                cells.setdefault(_SIGNS[sign], []).append((x, y))
    found = {}
    for block, own in cells.items():
        left, top = min(x for x, _ in own), min(y for _, y in own)
        form = tuple((x - left, y - top) for x, y in own)
        assert form in FORMS[block], block
        found[block] = ((left, top), form)
    return found


PLACES: dict[str, tuple[Cell, Form]] = _places()
"""Where each block lies in the layout, in cells, and in which form."""

WIDTH = max(left + max(x for x, _ in form) for (left, _), form in PLACES.values()) + 1
HEIGHT = max(top + max(y for _, y in form) for (_, top), form in PLACES.values()) + 1
