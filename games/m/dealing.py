"""What is settled before the first turn of M: the table's options, the deal, who starts, and the starting M."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from games.contract.errors import BadDeal
from games.contract.strict_json import is_integer
from games.contract.values import GameInfo, Json, Option
from games.m.position import Cell, Tile
from games.m.tiles import ALL_TILES, COPIES

DEFAULT_START = "zigzag"
"""[ruling] The five corners of a letter M, not connected: the rule for taking tiles is worded for such a field."""

STARTING_CELLS: dict[str, tuple[Cell, ...]] = {
    "zigzag": ((0, 1), (1, 0), (2, 1), (3, 0), (4, 1)),
    "arch": ((0, 1), (0, 0), (1, 0), (2, 0), (2, 1)),
}
"""Where the first five tiles go, by the option `start`. The matching rule does not apply to them."""

HAND_SIZE = 4

INFO = GameInfo(
    slug="m",
    title="M",
    min_seats=2,
    max_seats=6,
    options=(Option("start", tuple(STARTING_CELLS), DEFAULT_START),),
    reasons=("scored", "blocked", "stalled"),
    highlights=("round",),
    revealing=("drew", "exchanged"),
)


def tiles_used(players: int) -> int:
    """How many of the 90 tiles a match of so many players is played with; the rest stay out, unseen."""
    return 10 * (players + 3)


def draw_deal(players: Sequence[str], rng: Random) -> dict[str, Json]:
    """The shuffled tiles of a match, and the seat that starts; `players` are display names by seat."""
    tiles = rng.sample(ALL_TILES, tiles_used(len(players)))
    return {"tiles": list(tiles), "first": draw_first(players, rng)}


def draw_first(names: Sequence[str], rng: Random) -> int:
    """The seat whose name has the most letters M, upper or lower case. [ruling] Ties are settled by lot."""
    letters = [name.count("M") + name.count("m") for name in names]
    return rng.choice([seat for seat, count in enumerate(letters) if count == max(letters)])


def check_deal(deal: object, players: int) -> tuple[tuple[Tile, ...], int]:
    """The tiles in order and the first seat of a deal from outside, whatever it may be.

    Raises `BadDeal`: `wrong-type` and `missing-key` (`key`), `tile-count` (`count`, `wanted`), `wrong-type` and
    `unknown-tile` (`number` of the tile in the list, from 1), `duplicate-tile` (`tile`, `copies` that there are),
    `wrong-seat` (`key`, `players`).
    """
    if not isinstance(deal, Mapping):
        raise BadDeal("wrong-type", key="deal")
    for key in ("tiles", "first"):
        if key not in deal:
            raise BadDeal("missing-key", key=key)
    return _checked_tiles(deal["tiles"], tiles_used(players)), _checked_seat(deal["first"], players)


def _checked_tiles(tiles: object, wanted: int) -> tuple[Tile, ...]:
    if not isinstance(tiles, list | tuple):
        raise BadDeal("wrong-type", key="tiles")
    if len(tiles) != wanted:
        raise BadDeal("tile-count", count=len(tiles), wanted=wanted)
    for number, tile in enumerate(tiles, 1):
        if not isinstance(tile, str):
            raise BadDeal("wrong-type", key="tiles", number=number)
        if tile not in COPIES:
            raise BadDeal("unknown-tile", number=number)
    for tile, count in Counter(tiles).items():
        if count > COPIES[tile]:
            raise BadDeal("duplicate-tile", tile=tile, copies=COPIES[tile])
    return tuple(tiles)


def _checked_seat(seat: object, players: int) -> int:
    if not is_integer(seat):
        raise BadDeal("wrong-type", key="first")
    if not 0 <= seat < players:
        raise BadDeal("wrong-seat", key="first", players=players)
    return seat
