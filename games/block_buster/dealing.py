"""What is settled before the first turn of Block Buster: the table's options, the layout, and the first position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from games.block_buster.modes import MODE_NAMES, MODES, Mode, players_of
from games.block_buster.position import Position, Setup
from games.block_buster.tokens import supply_after
from games.contract.errors import BadDeal, BadOption
from games.contract.options import complete_options
from games.contract.values import GameInfo, Json, Option, OptionValue

Layout = tuple[str, ...]
"""For each row of tiles, the shapes of its point blocks."""

FIXED_LAYOUTS: dict[int, Layout] = {
    3: ("AAB", "CBA", "BCC"),
    4: ("ABCD", "CDAB", "DCBA", "BADC"),
    5: ("ABACD", "EDCAC", "CEBDA", "BCEAD", "EBDEB"),
}
"""[ruling] By the board's side in tiles. The shapes are spread out, and such that the first side can complete a
collection which an opponent who copies every block by a half turn does not stop."""

_COLLECTIONS: dict[str, tuple[int, ...]] = {
    mode.name: mode.collections for mode in MODES.values() if len(mode.collections) > 1
}
"""The modes in which the collection is an option, with what it may be."""

INFO = GameInfo(
    slug="block_buster",
    title="Block Buster",
    min_seats=2,
    max_seats=4,
    options=(
        Option("mode", MODE_NAMES, "standard", players={name: players_of(name) for name in MODE_NAMES}),
        Option("layout", ("fixed", "random"), "fixed"),
        Option("collection", (3, 4), 3, only_with={"mode": tuple(_COLLECTIONS)}),
    ),
    reasons=("collection", "exhausted"),
    highlights=("acquired", "out"),
    # Everything lies open from the first move on.
    revealing=(),
)


def settle_options(given: Mapping[str, Any], players: int) -> dict[str, OptionValue]:
    """All options with their values; there is a `collection` only in the modes that let one choose it.

    Raises `BadOption`: `mode-players` (`mode`, `players`, and the counts that it `allows`), `no-collection` (`mode`),
    and what is wrong with the options of any game (see `games.contract.options`).
    """
    complete = complete_options(INFO, given, players)
    mode = str(complete["mode"])
    if (mode, players) not in MODES:
        raise BadOption("mode-players", mode=mode, players=players, allows=players_of(mode))
    if mode not in _COLLECTIONS:
        if "collection" in given:
            raise BadOption("no-collection", mode=mode)
        del complete["collection"]
    return complete


def draw_deal(options: Mapping[str, Any], players: int, rng: Random) -> dict[str, Json]:
    """The layout of a match."""
    complete = settle_options(options, players)
    mode = MODES[str(complete["mode"]), players]
    layout = FIXED_LAYOUTS[mode.tiles] if complete["layout"] == "fixed" else draw_layout(mode, rng)
    return {"layout": list(layout)}


def draw_layout(mode: Mode, rng: Random) -> Layout:
    """Each shape as often as the board is wide, by lot, so that no two equal shapes touch by a side."""
    while True:
        rows = list(_drawn_until_equal_ones_touch(mode, rng))
        if len(rows) == mode.tiles:
            return tuple(rows)


def _drawn_until_equal_ones_touch(mode: Mode, rng: Random) -> Iterator[str]:
    """Rows of a shuffle, drawn shape by shape, so that a shuffle that is no good is not drawn to its end."""
    pool = list(mode.shapes * mode.tiles)
    above = "." * mode.tiles
    for _row in range(mode.tiles):
        row = ""
        for beside in above:
            shape = pool.pop(rng.randrange(len(pool)))
            if shape == beside or row.endswith(shape):
                return
            row += shape
        yield row
        above = row


def first_position(options: Mapping[str, Any], deal: object, players: int) -> Position:
    """The position before the first move. Raises `BadOption` or `BadDeal`."""
    complete = settle_options(options, players)
    mode = MODES[str(complete["mode"]), players]
    layout = check_deal(deal, mode, fixed=complete["layout"] == "fixed")
    colours = len(mode.owners)
    return Position(
        setup=Setup(mode, layout, int(complete.get("collection", mode.collections[0]))),
        placed=(),
        cells=(0,) * colours,
        left=(mode.blocks,) * colours,
        tokens=mode.penalties,
        supply=supply_after(mode.penalties),
    )


def check_deal(deal: object, mode: Mode, *, fixed: bool) -> Layout:
    """The layout of a deal from outside, whatever it may be; a random one may also have equal neighbours.

    Raises `BadDeal`: `wrong-type` and `missing-key` (`key`), `layout-size` (`tiles` that there are in a row and in a
    column), `unknown-shape` (`row`, from 1, and the `shapes` on this board), `shape-count` (`shape`, `count`,
    `wanted`), `not-fixed` (the `layout` that it must be).
    """
    if not isinstance(deal, Mapping):
        raise BadDeal("wrong-type", key="deal")
    if "layout" not in deal:
        raise BadDeal("missing-key", key="layout")
    rows = deal["layout"]
    if not isinstance(rows, list | tuple) or not all(isinstance(row, str) for row in rows):
        raise BadDeal("wrong-type", key="layout")
    if len(rows) != mode.tiles or any(len(row) != mode.tiles for row in rows):
        raise BadDeal("layout-size", tiles=mode.tiles)
    for number, row in enumerate(rows, 1):
        if not set(row) <= set(mode.shapes):
            raise BadDeal("unknown-shape", row=number, shapes=mode.shapes)
    for shape in mode.shapes:
        count = "".join(rows).count(shape)
        if count != mode.tiles:
            raise BadDeal("shape-count", shape=shape, count=count, wanted=mode.tiles)
    layout = tuple(rows)
    if fixed and layout != FIXED_LAYOUTS[mode.tiles]:
        raise BadDeal("not-fixed", layout=FIXED_LAYOUTS[mode.tiles])
    return layout
