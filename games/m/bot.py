"""Plays M from what a person in the seat may know: the best gain at once, with slips."""

from __future__ import annotations

from random import Random

from games.m.field import Table, line_through
from games.m.notation import format_move
from games.m.position import Cell, Move, Pass, Place, Take, Tile, View
from games.m.scoring import CHIP_POINTS, score, takeable

LEVELS: tuple[str, ...] = ("easy",)

SLIPS = 0.15
"""How often the bot overlooks what is best, and plays anything that is legal."""

HANDED_ON = 0.5
"""How much of what the next in a scoring round can take counts against a pick."""


def choose(view: View, level: str, rng: Random) -> str:
    """The move of the view's seat, whose turn it is, as text. It passes only if it has nothing to place."""
    moves = _moves(view)
    if not moves:
        return format_move(_pass(view, rng))
    if rng.random() < SLIPS:
        return format_move(rng.choice(moves))
    gains = [_gain(view, move) for move in moves]
    best = max(gains)
    return format_move(rng.choice([move for move, gain in zip(moves, gains, strict=True) if gain == best]))


def stand_in(view: View, rng: Random) -> str:
    """The move for somebody who has left: a random placement or take, a pass without exchange only if there is none."""
    return format_move(rng.choice(_moves(view) or [Pass()]))


def _moves(view: View) -> list[Move]:
    """Every legal move but the passes."""
    if view.phase == "take":
        return [Take(cell) for cell in view.takeable]
    return [move for fit in view.fits for move in fit.moves]


def _pass(view: View, rng: Random) -> Pass:
    """With an exchange if it can be had: nothing in the hand fits, and the pass is paid for either way."""
    hand = view.hands[_seat(view)] or ()
    return Pass(rng.choice(hand)) if hand and view.stack else Pass()


def _gain(view: View, move: Move) -> float:
    """What the move brings its seat at once, in points, less what it hands the next who picks in a scoring round."""
    seat = _seat(view)
    match move:
        case Place(tile, cell, said_line):
            fit = next(fit for fit in view.fits if (fit.tile, fit.cell) == (tile, cell))
            chips = CHIP_POINTS * fit.chips
            if not fit.lines:
                return chips
            table = {**view.table, cell: tile}
            line = line_through(table, cell, said_line or fit.lines[0])
            return chips + max((_worth(view, table, line, pick, seat) for pick in takeable(table, line)), default=0)
        case Take(cell):
            assert view.scoring is not None
            return _worth(view, view.table, view.scoring.line, cell, seat)
        case Pass():
            return 0


def _worth(view: View, table: Table, line: tuple[Cell, ...], pick: Cell, seat: int) -> float:
    """What taking this tile of the line adds to the seat's score, less a part of the best left to the next."""
    left = {cell: tile for cell, tile in table.items() if cell != pick}
    rest = tuple(cell for cell in line if cell != pick)
    after = (seat - 1) % len(view.chips)
    handed = max((_rise(view, left[cell], after) for cell in takeable(left, rest)), default=0)
    return _rise(view, table[pick], seat) - HANDED_ON * handed


def _rise(view: View, tile: Tile, seat: int) -> int:
    """By how much the seat's score rises, or falls, with one more tile."""
    taken = view.taken[seat]
    return score(0, (*taken, tile)) - score(0, taken)


def _seat(view: View) -> int:
    assert view.seat is not None, "only a seat plays"
    return view.seat
