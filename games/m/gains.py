"""What a move of M brings its seat at once, in points, as the seat can count it from its view."""

from __future__ import annotations

from games.m.field import Table, line_through
from games.m.position import Cell, Move, Pass, Place, Take, Tile, View
from games.m.scoring import CHIP_POINTS, score, takeable


def moves(view: View) -> list[Move]:
    """Every legal move of the view's seat but the passes."""
    if view.phase == "take":
        return [Take(cell) for cell in view.takeable]
    return [move for fit in view.fits for move in fit.moves]


def gain(view: View, move: Move, handed_on: float = 0.0) -> float:
    """What the move brings at once; a scoring round counts by its first pick.

    `handed_on` is how much of what the next who picks can take then counts against a pick.
    """
    seat = seat_of(view)
    match move:
        case Place(tile, cell, said_line):
            fit = next(fit for fit in view.fits if (fit.tile, fit.cell) == (tile, cell))
            chips = CHIP_POINTS * fit.chips
            if not fit.lines:
                return chips
            table = {**view.table, cell: tile}
            line = line_through(table, cell, said_line or fit.lines[0])
            picks = (_pick(view, table, line, pick, handed_on) for pick in takeable(table, line))
            return chips + max(picks, default=0)
        case Take(cell):
            assert view.scoring is not None
            return _pick(view, view.table, view.scoring.line, cell, handed_on)
        case Pass():
            return -CHIP_POINTS if view.chips[seat] else 0


def rise(view: View, tile: Tile, seat: int) -> int:
    """By how much the seat's score rises, or falls, with one more tile."""
    taken = view.taken[seat]
    return score(0, (*taken, tile)) - score(0, taken)


def seat_of(view: View) -> int:
    """The seat that the view is for."""
    assert view.seat is not None, "only a seat plays"
    return view.seat


def _pick(view: View, table: Table, line: tuple[Cell, ...], pick: Cell, handed_on: float) -> float:
    """What taking this tile of the line adds to the seat's score, less a part of the best left to the next."""
    seat = seat_of(view)
    own = rise(view, table[pick], seat)
    if not handed_on:
        return own
    left = {cell: tile for cell, tile in table.items() if cell != pick}
    rest = tuple(cell for cell in line if cell != pick)
    after = (seat - 1) % len(view.chips)
    return own - handed_on * max((rise(view, left[cell], after) for cell in takeable(left, rest)), default=0)
