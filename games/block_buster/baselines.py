"""Simple players of Block Buster, for bots to be measured against: one takes the points at hand, one copies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from games.block_buster.blocks import SQUARES
from games.block_buster.board import board_with
from games.block_buster.notation import format_move
from games.block_buster.placing import gap_between, places, room_of
from games.block_buster.position import Pass, Place
from games.block_buster.rings import Ring
from games.block_buster.scoring import SET_POINTS
from games.block_buster.tokens import cost
from games.block_buster.view import View

COLLECTION = 1000
"""A collection that wins at once counts more than any points."""


def play_greedily(view: View, rng: Random) -> str | None:
    """The placement that adds most to its own score as it stands, by chance among equals. It jumps if that is worth
    the tokens, and passes if everything else would cost points."""
    gains = {place: _gain(view, place) for place in _placements(view)}
    best = max(gains.values(), default=-1)
    if view.may_pass and best < 0:
        return format_move(Pass())
    return format_move(rng.choice([place for place, gain in gains.items() if gain == best]))


def copy_by_half_turn(view: View, rng: Random) -> str | None:
    """The half-turn image of the block that a rival has placed and it has not copied yet, the newest first; otherwise
    it plays greedily."""
    board, colour = board_with(view.setup.mode.tiles), view.colour
    own = {placed.cells for placed in view.placed if placed.colour == colour}
    legal = set(_placements(view))
    for placed in reversed(view.placed):
        if view.setup.mode.owners[placed.colour] == view.seat:
            continue
        image = Place(placed.block, board.half_turned(placed.cells))
        if image.cells not in own and image in legal:
            return format_move(image)
    return play_greedily(view, rng)


PLAYERS: Mapping[str, Callable[[View, Random], str | None]] = {"greedy": play_greedily, "copier": copy_by_half_turn}


def _placements(view: View) -> Iterator[Place]:
    """Every legal placement of the colour whose turn it is."""
    assert view.colour is not None, "the match is over"
    board = board_with(view.setup.mode.tiles)
    room = room_of(board, view.cells, view.colour, view.reach[view.colour])
    return places(board, view.left[view.colour], room.free, room.reached)


def _gain(view: View, place: Place) -> int:
    """What the placement adds to the score of its own seat."""
    assert view.colour is not None, "the match is over"
    assert view.to_move is not None, "the match is over"
    board, colour, seat = board_with(view.setup.mode.tiles), view.colour, view.to_move
    cells = board.cells_of(place.cells)
    gain = SQUARES[place.block] - cost(gap_between(board, view.cells[colour], cells))
    held, acquired = list(view.held[seat]), list(view.acquired[seat])
    for tile, ring in enumerate(view.rings):
        if count := (cells & board.rings[tile]).bit_count():
            shape, after = view.setup.mode.shapes.index(ring.shape), _with_more(ring, colour, count)
            held[shape] += _owns(view, seat, after.leader) - _owns(view, seat, ring.leader)
            acquired[shape] += _owns(view, seat, after.acquirer) - _owns(view, seat, ring.acquirer)
    if max(acquired) >= view.setup.collection:
        gain += COLLECTION
    return gain + sum(SET_POINTS[count] for count in held) - sum(SET_POINTS[count] for count in view.held[seat])


def _with_more(ring: Ring, colour: int, count: int) -> Ring:
    counts = tuple(cells + count if other == colour else cells for other, cells in enumerate(ring.counts))
    return Ring(ring.shape, counts, ring.free - count)


def _owns(view: View, seat: int, colour: int | None) -> bool:
    return colour is not None and view.setup.mode.owners[colour] == seat
