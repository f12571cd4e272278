"""The 90 tiles, read by their codes: colours, points, and the features that two of them share."""

from __future__ import annotations

from collections import Counter

from games.m.position import COLOURS, SYMBOLS, Tile

COPIES: dict[Tile, int] = {
    f"{colour}{symbol}{value}": 1 for colour in COLOURS for symbol in SYMBOLS for value in "1234"
}
COPIES |= {f"{colour}0": 2 for colour in COLOURS}
"""How many of each tile there are: one of each value and symbol in each colour, and two zeros without a symbol."""

ALL_TILES: tuple[Tile, ...] = tuple(Counter(COPIES).elements())


def colour_of(tile: Tile) -> str:
    return tile[0]


def points_of(tile: Tile) -> int:
    """The value printed on the tile: 0, 10, 20, 30 or 40."""
    return 10 * int(tile[-1])


def shared_features(one: Tile, other: Tile) -> int:
    """How many of colour, symbol and value the two have in common. Having no symbol is not a shared symbol."""
    return (one[0] == other[0]) + (one[1:-1] == other[1:-1] != "") + (one[-1] == other[-1])


def _sharing(at_least: int) -> dict[Tile, frozenset[Tile]]:
    return {tile: frozenset(other for other in COPIES if shared_features(tile, other) >= at_least) for tile in COPIES}


# Looked up for every tile and place of a list of legal moves, so they are worked out once.
MATCHING = _sharing(1)
"""For each tile, those that it may lie beside."""

CLOSE = _sharing(2)
"""For each tile, those with two features in common or more, beside which it begins a scoring round."""
