"""What a seat of M knows, and how it imagines what it does not: hands and stack that fit its view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from games.m.field import LINES
from games.m.notation import format_move
from games.m.position import COLOURS, Cell, Pass, Place, Take, Tile, View
from games.m.tiles import ALL_TILES, colour_of, points_of
from games.m.world import AWAY, LIFT, MIDDLE, NOTHING, NUMBERS, WIDTH, Act, World

TRIES = 20
"""So often are hands dealt anew if nobody could place any of their tiles, since then the match would be over."""


def numbers(tiles: Iterable[Tile]) -> list[int]:
    """The tiles by their numbers, copies apart."""
    return [NUMBERS[tile] + copy for tile, count in Counter(tiles).items() for copy in range(count)]


def numbered(cell: Cell) -> int:
    """The number of a cell."""
    return (cell[1] + MIDDLE) * WIDTH + cell[0] + MIDDLE


def cell_of(number: int) -> Cell:
    """The cell of a number."""
    return number % WIDTH - MIDDLE, number // WIDTH - MIDDLE


class Knowledge:
    """What the seat of a view knows of the match, its turn to act.

    `world` has of the hands the seat's own alone, and some unseen tiles for a stack, as many as there are.
    """

    def __init__(self, view: View) -> None:
        assert view.seat is not None, "only a seat plays"
        self.seat = view.seat
        self.view = view
        known = numbers([*view.table.values(), *(view.hands[view.seat] or ()), *(t for own in view.taken for t in own)])
        self.world = world = World(len(view.chips))
        # In the order of the view's tiles, so that a tile and its number go together, copies apart.
        by_tile: dict[Tile, list[int]] = {}
        for number in sorted(known, reverse=True):
            by_tile.setdefault(ALL_TILES[number], []).append(number)
        for cell, tile in view.table.items():
            world.put(by_tile[tile].pop(), numbered(cell))
        for tile in view.hands[view.seat] or ():
            world.hands[view.seat] |= 1 << by_tile[tile].pop()
        for seat, taken in enumerate(view.taken):
            for tile in taken:
                world.points[seat][COLOURS.index(colour_of(tile))] += points_of(tile)
        world.chips = list(view.chips)
        if view.to_move is not None:
            world.turn = view.to_move
        if view.scoring is not None:
            world.turn, world.picker = view.scoring.placer, view.scoring.picker
            world.line = [numbered(cell) for cell in view.scoring.line]
            world.takes = [numbered(cell) for cell in view.takeable]
        seen = set(known)
        self.unseen = [number for number in range(len(ALL_TILES)) if number not in seen]
        world.stack = self.unseen[: view.stack]

    def imagine(self, rng: Random) -> World:
        """A world that may be the true one: other hands and the stack dealt from the tiles the seat has not seen."""
        world = self.world.copy()
        sizes = self.view.hand_sizes
        stack = self.view.stack
        for _ in range(TRIES):
            tiles = rng.sample(self.unseen, sum(sizes) - sizes[self.seat] + stack)
            world.stack = tiles[:stack]
            at = stack
            for seat, size in enumerate(sizes):
                if seat != self.seat:
                    world.hands[seat] = sum([1 << tile for tile in tiles[at : at + size]])
                    at += size
            if world.picker is not None or self.view.ply == 0 or not world.over():
                break
        return world

    def text(self, act: Act) -> str:
        """The act as the text of a move."""
        tile, cell, axis = act
        if tile == LIFT:
            return format_move(Take(cell_of(cell)))
        if cell == AWAY:
            return format_move(Pass(None if tile == NOTHING else ALL_TILES[tile]))
        line = None if axis is None or not all(self.world.scoring(tile, cell)) else LINES[axis]
        return format_move(Place(ALL_TILES[tile], cell_of(cell), line))
