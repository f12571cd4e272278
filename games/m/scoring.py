"""What brings points and chips in M: chips for neighbours, scoring rounds, and the score at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from games.m.field import LINES, Table, around, splits
from games.m.position import Cell, Tile
from games.m.tiles import CLOSE, colour_of, points_of

CHIP_POINTS = 10
CHIPS_AT_START = 6
LINE_LENGTHS = (5, 6)
"""How many tiles make a line that can score."""

COLOURS_THAT_COUNT = 2
"""The points of so many colours, the player's best, are added; those of the others are taken off."""


def chips_due(beside: int) -> int:
    """The chips of a placement by its number of neighbours: 0, 1, 2, 3 for 1, 2, 3, 4.

    [ruling] A scoring round brings none beyond these.
    """
    return beside - 1


def givers_of_chips(chips: Sequence[int], seat: int, wanted: int) -> list[tuple[int, int]]:
    """Who gives how many of the wanted chips to this seat, as (seat, count), the right neighbour first.

    They come one by one from the right neighbour, and when that player has none, from the next to the right, never
    from oneself; fewer than wanted if no one has any.
    """
    givers = []
    for distance in range(1, len(chips)):
        giver = (seat - distance) % len(chips)
        count = min(chips[giver], wanted)
        if count:
            givers.append((giver, count))
            wanted -= count
    return givers


def scoring_lines(table: Table, tile: Tile, cell: Cell) -> tuple[str, ...]:
    """The lines ("row", "col") that the tile, put on this empty cell, would make score.

    A line scores when all tiles of the table in it, 5 or 6, lie side by side, and the tile shares two features or
    more with an adjacent tile in that same line.
    """
    alike = CLOSE[tile]
    close = [beside for beside in around(cell) if table.get(beside) in alike]
    if not close:
        return ()
    return tuple(
        line
        for axis, line in enumerate(LINES)
        if any(beside[1 - axis] == cell[1 - axis] for beside in close) and _side_by_side(table, cell, axis)
    )


def _side_by_side(table: Table, cell: Cell, axis: int) -> bool:
    """Whether with a tile on this empty cell all tiles of its row (axis 0) or column (1), 5 or 6, lie side by side."""
    across = cell[1 - axis]
    places = [other[axis] for other in table if other[1 - axis] == across]
    places.append(cell[axis])
    return len(places) in LINE_LENGTHS and max(places) - min(places) == len(places) - 1


def takeable(table: Table, line: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """The cells of the line whose tiles may be taken now: at least one must stay, and none may split a group."""
    if len(line) < 2:
        return ()
    return tuple(cell for cell in line if not splits(table, cell))


def points_by_colour(tiles: Iterable[Tile]) -> Counter[str]:
    """The points that these taken tiles hold in each colour."""
    points: Counter[str] = Counter()
    for tile in tiles:
        points[colour_of(tile)] += points_of(tile)
    return points


def score(chips: int, taken: Iterable[Tile]) -> int:
    """10 a chip, plus the two colours with the most points, minus the points of every other colour."""
    points = sorted(points_by_colour(taken).values(), reverse=True)
    return CHIP_POINTS * chips + sum(points[:COLOURS_THAT_COUNT]) - sum(points[COLOURS_THAT_COUNT:])


def places(scores: Sequence[int]) -> tuple[int, ...]:
    """The place of each seat, 1 for the highest score. [ruling] Equal scores share the place: 1, 1, 3."""
    return tuple(1 + sum(other > own for other in scores) for own in scores)
