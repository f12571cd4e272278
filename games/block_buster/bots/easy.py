"""The level `easy`: large blocks that win rings, paid jumps if they are worth it, and slips; and the stand-in."""

from __future__ import annotations

from collections import Counter
from random import Random

from games.block_buster.blocks import SQUARES
from games.block_buster.board import board_with, union
from games.block_buster.notation import format_move
from games.block_buster.placing import Room, gap_between, places, room_of
from games.block_buster.position import Pass, Place
from games.block_buster.rings import Ring
from games.block_buster.scoring import SET_POINTS
from games.block_buster.tokens import cost
from games.block_buster.view import View

SLIPS = 0.2
"""How often the bot overlooks what is best, and joins any block anywhere."""

LOOKS = 200
"""How many placements it considers at most, drawn by lot; as many jumps again."""

# What a placement is worth, in points.
RIVALS_SHARE = 0.5
"""How much of what a rival loses, or wins, counts against what is won or lost oneself."""
SAFE = 2.0
"""A point block acquired for good, beyond its points."""
WINNING = 1000.0
"""A collection that wins at once."""
FOOTHOLD = 0.3
"""Each cell of a ring that nobody has acquired yet."""
OUTLOOK = 0.15
"""Each free cell more beside the own ones, where the next block can be joined."""
CAUTION = 1.5
"""How much a point in tokens counts: what is paid now is not there for a better jump."""


def choose(view: View, rng: Random) -> str:
    """The move of the view's seat, whose turn it is, as text. It passes only if no jump is worth its cost."""
    own, room = _own_room(view)
    board = board_with(view.setup.mode.tiles)
    joined = _looked_at(_places(view, room, room.joined), rng)
    if joined and rng.random() < SLIPS:
        return format_move(rng.choice(joined))
    valued = [(_gain(view, place), place) for place in joined]
    for place in _looked_at(_places(view, room, room.reached & ~room.joined), rng):
        gap = gap_between(board, own, board.cells_of(place.cells))
        if gap:
            valued.append((_gain(view, place) - CAUTION * cost(gap), place))
    best = max((gain for gain, _ in valued), default=0.0)
    if not joined and best <= 0:
        return format_move(Pass())
    return format_move(rng.choice([place for gain, place in valued if gain == best]))


def stand_in(view: View, rng: Random) -> str:
    """The move for somebody who has left: any block joined anywhere; a jump, and then a pass, only if it must be."""
    _own, room = _own_room(view)
    listed = _places(view, room, room.joined) or _places(view, room, room.reached)
    return format_move(rng.choice(listed) if listed else Pass())


def _own_room(view: View) -> tuple[int, Room]:
    """The cells of the colour that plays, and its room."""
    colour = _colour(view)
    return view.cells[colour], room_of(board_with(view.setup.mode.tiles), view.cells, colour, view.reach[colour])


def _places(view: View, room: Room, near: int) -> list[Place]:
    return list(places(board_with(view.setup.mode.tiles), view.left[_colour(view)], room.free, near))


def _looked_at(listed: list[Place], rng: Random) -> list[Place]:
    return rng.sample(listed, LOOKS) if len(listed) > LOOKS else listed


def _gain(view: View, place: Place) -> float:
    """What the placement brings its team, in points, without its cost."""
    board, colour = board_with(view.setup.mode.tiles), _colour(view)
    covered = board.cells_of(place.cells)
    own = view.cells[colour]
    free = board.placeable & ~union(view.cells)
    outlook = board.spread(own | covered) & free & ~covered
    gain = SQUARES[place.block] + OUTLOOK * (outlook.bit_count() - (board.spread(own) & free).bit_count())
    for tile, count in Counter(map(board.tile_of, place.cells)).items():
        gain += _gain_in_ring(view, view.rings[tile], colour, count)
    return gain


def _gain_in_ring(view: View, before: Ring, colour: int, count: int) -> float:
    """What so many cells more in the ring bring, by who gets the point block then."""
    counts = list(before.counts)
    counts[colour] += count
    after = Ring(before.shape, tuple(counts), before.free - count)
    gain = _worth(view, before, after.leader) - _worth(view, before, before.leader)
    if before.acquirer is None:
        gain += FOOTHOLD * count + _worth_for_good(view, after)
    return gain


def _worth(view: View, ring: Ring, leader: int | None) -> float:
    """The points that the ring brings with this leader, on top of the point blocks that its player has elsewhere."""
    if leader is None:
        return 0.0
    seat = view.setup.mode.owners[leader]
    elsewhere = view.held[seat][view.setup.mode.shapes.index(ring.shape)]
    if ring.leader is not None and view.setup.mode.owners[ring.leader] == seat:
        elsewhere -= 1
    return _share(view, seat) * (SET_POINTS[elsewhere + 1] - SET_POINTS[elsewhere])


def _worth_for_good(view: View, ring: Ring) -> float:
    """What it brings beyond the points that the ring is acquired now, if it is."""
    if ring.acquirer is None:
        return 0.0
    seat = view.setup.mode.owners[ring.acquirer]
    count = view.acquired[seat][view.setup.mode.shapes.index(ring.shape)] + 1
    return _share(view, seat) * (WINNING if count >= view.setup.collection else SAFE)


def _share(view: View, seat: int) -> float:
    """How the points of that seat count for the one that plays."""
    teams = view.setup.mode.teams
    return 1.0 if teams[seat] == teams[view.setup.mode.owners[_colour(view)]] else -RIVALS_SHARE


def _colour(view: View) -> int:
    assert view.colour is not None, "the match is over"
    return view.colour
