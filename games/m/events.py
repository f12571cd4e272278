"""What can happen in M, each event by its code; `texts.py` has a sentence for every one. Events hold nothing hidden.

| code | parameters | audience |
|---|---|---|
| `chips` | `seat` took `count` chips from the seat `giver` (one event a giver) | all |
| `paid` | `seat` paid a chip to the seat `to`, for passing | all |
| `round` | `seat` began a scoring round in `line` ("row" or "col"), whose `cells` hold its tiles | all |
| `took` | `seat` took `tile` from `cell` in a scoring round | all |
| `round-over` | no tile of the line may be taken any more | all |
| `exchanged` | `seat` put `tile` under the stack and drew the tile `drew` | that seat |
| `drew` | `seat` drew `tile` | that seat |
| `stack-empty` | the last tile of the stack was drawn: a placement that scores now ends the match | all |
| `ended` | the match is over, for this `reason` | all |

Cells are texts like `2,-1`.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.contract.values import Event
from games.m.notation import format_cell
from games.m.position import Cell, Tile


def chips_taken(at: int, seat: int, giver: int, count: int) -> Event:
    return Event(at, "chips", {"seat": seat, "giver": giver, "count": count})


def pass_paid(at: int, seat: int, to: int) -> Event:
    return Event(at, "paid", {"seat": seat, "to": to})


def round_begun(at: int, seat: int, line: str, cells: Iterable[Cell]) -> Event:
    return Event(at, "round", {"seat": seat, "line": line, "cells": tuple(format_cell(cell) for cell in cells)})


def tile_taken(at: int, seat: int, tile: Tile, cell: Cell) -> Event:
    return Event(at, "took", {"seat": seat, "tile": tile, "cell": format_cell(cell)})


def round_over(at: int) -> Event:
    return Event(at, "round-over")


def exchanged(at: int, seat: int, tile: Tile, drew: Tile) -> Event:
    return Event(at, "exchanged", {"seat": seat, "tile": tile, "drew": drew}, frozenset({seat}))


def tile_drawn(at: int, seat: int, tile: Tile) -> Event:
    return Event(at, "drew", {"seat": seat, "tile": tile}, frozenset({seat}))


def stack_empty(at: int) -> Event:
    return Event(at, "stack-empty")


def match_ended(at: int, reason: str) -> Event:
    return Event(at, "ended", {"reason": reason})
