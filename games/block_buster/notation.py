"""Moves, cells and boards of Block Buster as text. Texts of moves are exact: no second spelling is read.

A cell is a column letter and a row number from the top left, `a1` .. `t20`. Cells outside every board are read too, up
to `z99`, so that the rules can say what is wrong with them; and so are cells in a wrong order.
"""

from __future__ import annotations

from string import ascii_lowercase

from games.block_buster.blocks import BLOCKS, MOST_SQUARES, Cell
from games.block_buster.board import Board
from games.block_buster.modes import COLOURS
from games.block_buster.position import Move, Pass, Place, Placed
from games.contract.errors import IllegalMove

_TEXTS: dict[Cell, str] = {(x, y): f"{letter}{y + 1}" for x, letter in enumerate(ascii_lowercase) for y in range(99)}
_CELLS: dict[str, Cell] = {text: cell for cell, text in _TEXTS.items()}


def parse_move(text: str) -> Move:
    """The move of an exact text, `L4 c3 c4 c5 d5` or `pass`. Raises `IllegalMove` with the code `malformed`."""
    if not isinstance(text, str):
        raise IllegalMove("malformed")
    if text == "pass":
        return Pass()
    block, *cells = text.split(" ", MOST_SQUARES + 1)
    if block not in BLOCKS or not 1 <= len(cells) <= MOST_SQUARES:
        raise IllegalMove("malformed")
    try:
        return Place(block, tuple([_CELLS[cell] for cell in cells]))
    except KeyError:
        raise IllegalMove("malformed") from None


def format_move(move: Move) -> str:
    """The one text of a move."""
    match move:
        case Place(block, cells):
            return f"{block} {' '.join([_TEXTS[cell] for cell in cells])}"
        case Pass():
            return "pass"


def format_cell(cell: Cell) -> str:
    """A cell as text, `c3`."""
    return _TEXTS[cell]


def format_board(board: Board, placed: tuple[Placed, ...]) -> tuple[str, ...]:
    """The board with these blocks, one text a row: a cell that is taken shows the first letter of the colour."""
    rows = [list(row) for row in board.rows]
    for block in placed:
        letter = COLOURS[block.colour][0]
        for x, y in block.cells:
            rows[y][x] = letter
    return tuple(map("".join, rows))
