"""A position of M as a bot imagines it: the same rules on plain integers, changed in place, for searching quickly.

Tiles are numbers 0..89, and a set of tiles is an integer with a bit for each. A cell is `row * WIDTH + column`. For
every empty cell beside a tile, `room` has the set of tiles that match all neighbours, and above it the number of
neighbours. `tests/games/m/test_world.py` holds this to the rules.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.m.field import FRAME
from games.m.position import COLOURS, Tile
from games.m.rules import ROUNDS_OF_PASSES
from games.m.scoring import LINE_LENGTHS
from games.m.tiles import ALL_TILES, CLOSE, COPIES, MATCHING, colour_of, points_of

TILES = len(ALL_TILES)
ALL = (1 << TILES) - 1
ONE_BESIDE = 1 << TILES
"""What a neighbour more adds to a value of `room`."""

WIDTH = 256
MIDDLE = 128
"""What is added to coordinates: with 90 tiles nobody gets as far as the edge of this grid."""


def _mask(tiles: Iterable[Tile]) -> int:
    wanted = frozenset(tiles)
    return sum(1 << number for number, tile in enumerate(ALL_TILES) if tile in wanted)


MATCH = tuple(_mask(MATCHING[tile]) for tile in ALL_TILES)
NEAR = tuple(_mask(CLOSE[tile]) for tile in ALL_TILES)
_MATCH_KEEPING_COUNT = tuple(mask | -ONE_BESIDE for mask in MATCH)
NUMBERS: dict[Tile, int] = {}
"""The first number of each kind of tile; its second copy, if it has one, has the next."""
for _number, _tile in enumerate(ALL_TILES):
    NUMBERS.setdefault(_tile, _number)
COLOUR = tuple(COLOURS.index(colour_of(tile)) for tile in ALL_TILES)
POINTS = tuple(points_of(tile) for tile in ALL_TILES)

SCORING_LINES = frozenset(((1 << length) - 1) << at for length in LINE_LENGTHS for at in range(WIDTH))
"""The rows and columns, as sets of cells, that are long enough and side by side."""

ROW, COLUMN = 0, 1

Act = tuple[int, int, int | None]
"""A move: `(tile, cell, axis)` places, `(LIFT, cell, None)` takes, `(tile or NOTHING, AWAY, None)` passes."""

LIFT = -2
NOTHING = -1
AWAY = -1

_SECOND = _mask(tile for tile in ALL_TILES if COPIES[tile] > 1) & ~sum(1 << number for number in NUMBERS.values())


def kinds(tiles: int) -> list[int]:
    """The numbers of the tiles in the set, of two copies the first alone."""
    tiles &= ~(tiles << 1 & _SECOND)
    found = []
    while tiles:
        low = tiles & -tiles
        found.append(low.bit_length() - 1)
        tiles ^= low
    return found


class World:
    """A whole position, hands and stack included. `stack` is drawn from its end. By seat: `hands` are sets of tiles,
    `points` the points taken in each colour.

    `picker` is None between turns; in a scoring round `line` are its cells that still hold tiles, and `takes` those of
    them whose tiles may be taken now. `passes` counts since the last placement. `scored` is whether a round was played
    with the stack empty.
    """

    __slots__ = (
        "chips",
        "columns",
        "hands",
        "line",
        "passes",
        "picker",
        "points",
        "room",
        "rows",
        "scored",
        "seats",
        "stack",
        "table",
        "takes",
        "turn",
    )

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.table: dict[int, int] = {}
        self.room: dict[int, int] = {}
        self.rows: dict[int, int] = {}
        self.columns: dict[int, int] = {}
        self.hands: list[int] = [0] * seats
        self.stack: list[int] = []
        self.chips: list[int] = [0] * seats
        self.points: list[list[int]] = [[0] * len(COLOURS) for _ in range(seats)]
        self.turn = 0
        self.picker: int | None = None
        self.line: list[int] = []
        self.takes: list[int] = []
        self.passes = 0
        self.scored = False

    def copy(self) -> World:
        twin = World.__new__(World)
        twin.seats = self.seats
        twin.table = self.table.copy()
        twin.room = self.room.copy()
        twin.rows = self.rows.copy()
        twin.columns = self.columns.copy()
        twin.hands = self.hands.copy()
        twin.stack = self.stack.copy()
        twin.chips = self.chips.copy()
        twin.points = [own.copy() for own in self.points]
        twin.turn = self.turn
        twin.picker = self.picker
        twin.line = self.line.copy()
        twin.takes = self.takes
        twin.passes = self.passes
        twin.scored = self.scored
        return twin

    # The field

    def put(self, tile: int, cell: int) -> None:
        """Lay the tile on an empty cell."""
        table, room = self.table, self.room
        table[cell] = tile
        room.pop(cell, None)
        row, column = cell >> 8, cell & 255
        self.rows[row] = self.rows.get(row, 0) | 1 << column
        self.columns[column] = self.columns.get(column, 0) | 1 << row
        match = _MATCH_KEEPING_COUNT[tile]
        for beside in (cell - WIDTH, cell + 1, cell + WIDTH, cell - 1):
            if beside not in table:
                room[beside] = (room.get(beside, ALL) & match) + ONE_BESIDE

    def lift(self, cell: int) -> int:
        """Take the tile of the cell away."""
        table, room = self.table, self.room
        tile = table.pop(cell)
        row, column = cell >> 8, cell & 255
        for lines, line, bit in ((self.rows, row, 1 << column), (self.columns, column, 1 << row)):
            left = lines[line] ^ bit
            if left:
                lines[line] = left
            else:
                del lines[line]
        for free in (cell, cell - WIDTH, cell + 1, cell + WIDTH, cell - 1):
            if free in table:
                continue
            fits = ALL
            for beside in (free - WIDTH, free + 1, free + WIDTH, free - 1):
                if beside in table:
                    fits = (fits & _MATCH_KEEPING_COUNT[table[beside]]) + ONE_BESIDE
            if fits >= ONE_BESIDE:
                room[free] = fits
            else:
                room.pop(free, None)
        return tile

    def places(self) -> list[tuple[int, int]]:
        """The empty cells within the frame that are beside a tile, each with its value of `room`."""
        left, right = max(self.columns) - FRAME, min(self.columns) + FRAME
        top, bottom = max(self.rows) - FRAME, min(self.rows) + FRAME
        return [
            (cell, fits) for cell, fits in self.room.items() if left < cell & 255 < right and top < cell >> 8 < bottom
        ]

    def scoring(self, tile: int, cell: int) -> tuple[bool, bool]:
        """Whether the tile, put on this empty cell, would make the row score, and the column."""
        table, near = self.table, NEAR[tile]
        row = column = False
        for beside in (cell - 1, cell + 1):
            if beside in table and near >> table[beside] & 1:
                row = self.rows[cell >> 8] | 1 << (cell & 255) in SCORING_LINES
        for beside in (cell - WIDTH, cell + WIDTH):
            if beside in table and near >> table[beside] & 1:
                column = self.columns[cell & 255] | 1 << (cell >> 8) in SCORING_LINES
        return row, column

    def line_through(self, cell: int, axis: int) -> list[int]:
        """The cells with tiles in the row (`ROW`) or column (`COLUMN`) of this cell."""
        if axis == ROW:
            return [other for other in self.table if other >> 8 == cell >> 8]
        return [other for other in self.table if other & 255 == cell & 255]

    def splits(self, cell: int) -> bool:
        """Whether the tiles would fall into more groups without this one."""
        table = self.table
        beside = [n for n in (cell - WIDTH, cell + 1, cell + WIDTH, cell - 1) if n in table]
        if len(beside) < 2:
            return False
        missing = set(beside)
        edge = [missing.pop()]
        seen = {cell, edge[0]}
        while edge:
            at = edge.pop()
            for reached in (at - WIDTH, at + 1, at + WIDTH, at - 1):
                if reached in table and reached not in seen:
                    if reached in missing:
                        missing.remove(reached)
                        if not missing:
                            return False
                    seen.add(reached)
                    edge.append(reached)
        return True

    # Turns

    def acts(self) -> list[Act]:
        """Every placement, of equal tiles one; or every take, in a scoring round. Passes are not listed."""
        if self.picker is not None:
            return [(LIFT, cell, None) for cell in self.takes]
        hand = self.hands[self.turn]
        found: list[Act] = []
        for cell, fits in self.places():
            if fits & hand:
                for tile in kinds(fits & hand):
                    row, column = self.scoring(tile, cell)
                    if row or not column:
                        found.append((tile, cell, ROW if row else None))
                    if column:
                        found.append((tile, cell, COLUMN))
        return found

    def do(self, act: Act) -> None:
        """Play the act for the seat that is to move."""
        tile, cell, axis = act
        if tile == LIFT:
            self.take(cell)
        elif cell == AWAY:
            self.skip(None if tile == NOTHING else tile)
        else:
            self.place(tile, cell, axis)

    def place(self, tile: int, cell: int, axis: int | None) -> None:
        """The seat whose turn it is places a tile of its hand; the line of the axis, if one is given, is scored."""
        seat = self.turn
        self.pay(seat, (self.room[cell] >> TILES) - 1)
        self.hands[seat] ^= 1 << tile
        self.put(tile, cell)
        self.passes = 0
        if axis is None:
            self._draw()
            return
        self.line = self.line_through(cell, axis)
        self.picker = seat
        self._close_if_none()

    def pay(self, seat: int, wanted: int) -> None:
        """Chips for the seat, from its right neighbour first."""
        chips, giver = self.chips, seat
        while wanted > 0:
            giver = (giver - 1) % self.seats
            if giver == seat:
                return
            given = min(wanted, chips[giver])
            chips[giver] -= given
            chips[seat] += given
            wanted -= given

    def take(self, cell: int) -> None:
        """The picker takes the tile of the cell."""
        assert self.picker is not None
        self.line.remove(cell)
        tile = self.lift(cell)
        self.points[self.picker][COLOUR[tile]] += POINTS[tile]
        self.picker = (self.picker - 1) % self.seats
        self._close_if_none()

    def skip(self, tile: int | None) -> None:
        """The seat whose turn it is passes; `tile` goes under the stack, None without an exchange."""
        seat = self.turn
        if self.chips[seat]:
            self.chips[seat] -= 1
            self.chips[seat - 1] += 1
        if tile is not None:
            self.hands[seat] ^= 1 << tile | 1 << self.stack.pop()
            self.stack.insert(0, tile)
        self.passes += 1
        self.turn = (seat + 1) % self.seats

    def _close_if_none(self) -> None:
        self.takes = [cell for cell in self.line if not self.splits(cell)] if len(self.line) > 1 else []
        if not self.takes:
            self.picker = None
            self.line = []
            self.scored = not self.stack
            self._draw()

    def _draw(self) -> None:
        if self.stack:
            self.hands[self.turn] |= 1 << self.stack.pop()
        self.turn = (self.turn + 1) % self.seats

    def over(self) -> bool:
        """Between turns: whether the match has ended."""
        if self.scored or self.passes >= ROUNDS_OF_PASSES * self.seats:
            return True
        held = 0
        for hand in self.hands:
            held |= hand
        return not any(fits & held for _, fits in self.places())
