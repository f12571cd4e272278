"""Where blocks may be placed: joined to the colour's own, over a gap that can be paid for, or anywhere at first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.block_buster.board import Board, Cells, bits_of, board_with, union
from games.block_buster.position import Place, Position
from games.block_buster.tokens import furthest_gap


class Room(NamedTuple):
    """Where a colour may place.

    A block lies on `free` cells alone. With one of them in `joined` it touches the colour's own and is free of charge;
    with one in `reached` its gap can be paid for. Both are the whole board for a colour's first block.
    """

    free: Cells
    joined: Cells
    reached: Cells


@dataclass(frozen=True, slots=True)
class Fit:
    """A block that is left, and the number of its legal placements: `joined` ones, and paid `jumps`."""

    block: str
    joined: int
    jumps: int


def board_of(position: Position) -> Board:
    """The board that the position is played on."""
    return board_with(position.setup.mode.tiles)


def room_of(board: Board, cells: Sequence[Cells], colour: int, gap: int) -> Room:
    """The room of a colour, where the colours have these cells, and its player can pay for so wide a gap."""
    own = cells[colour]
    free = board.placeable & ~union(cells)
    if not own:
        return Room(free, board.everything, board.everything)
    joined = board.spread(own)
    return Room(free, joined, board.within(joined, gap))


def room_now(position: Position, colour: int) -> Room:
    """The room of the colour as the board, its player's tokens and the supply are now, whether or not it is out."""
    return room_of(board_of(position), position.cells, colour, reach(position, colour))


def reach(position: Position, colour: int) -> int:
    """The widest gap that the colour's player can pay for now."""
    return furthest_gap(position.tokens[position.setup.mode.owners[colour]], position.supply)


def gap_between(board: Board, own: Cells, placed: Cells) -> int:
    """The gap over which `placed` joins the colour's `own` cells.

    It is the least Manhattan distance between two of their cells, minus 1. [ruling] Counted over all cells of the
    board, whatever is on them. A colour's first block has the gap 0.
    """
    if not own:
        return 0
    gap, near = 0, board.spread(own)
    while not near & placed:
        gap, near = gap + 1, board.spread(near)
    return gap


def places(board: Board, blocks: Iterable[str], free: Cells, near: Cells) -> Iterator[Place]:
    """Every placement of these blocks on free cells, with a near one among them.

    In the order of the blocks, equal ones once, then by form, and then row by row.
    """
    for block in dict.fromkeys(blocks):
        for stamp in board.stamps[block]:
            for anchor in bits_of(stamp.anchors(free, near)):
                yield stamp.place(anchor)


def count_places(board: Board, blocks: Iterable[str], free: Cells, near: Cells) -> int:
    """How many placements `places` lists."""
    return sum(
        stamp.anchors(free, near).bit_count() for block in dict.fromkeys(blocks) for stamp in board.stamps[block]
    )


def has_place(board: Board, blocks: Iterable[str], free: Cells, near: Cells) -> bool:
    """Whether `places` lists any. Quick where blocks come smallest first, since those fit most easily."""
    if not free & near:
        return False
    return any(stamp.anchors(free, near) for block in dict.fromkeys(blocks) for stamp in board.stamps[block])


def count_fits(board: Board, blocks: Iterable[str], room: Room) -> tuple[Fit, ...]:
    """For each of these blocks, equal ones once, how many legal placements it has."""
    fits = []
    for block in dict.fromkeys(blocks):
        joined = reached = 0
        for stamp in board.stamps[block]:
            if anchors := stamp.fitting(room.free):
                joined += (anchors & stamp.touching(room.joined)).bit_count()
                reached += (anchors & stamp.touching(room.reached)).bit_count()
        fits.append(Fit(block, joined, reached - joined))
    return tuple(fits)


def may_pass(position: Position) -> bool:
    """Whether the colour that plays may pass: only if no block can be joined.

    [ruling] A jump that can be paid for may be declined.
    """
    room = room_now(position, position.turn)
    return not has_place(board_of(position), position.left[position.turn], room.free, room.joined)


def is_stuck(position: Position, colour: int) -> bool:
    """Whether the colour has no legal placement at all, so that it is out."""
    room = room_now(position, colour)
    return not has_place(board_of(position), position.left[colour], room.free, room.reached)
