"""What can happen in Block Buster, each event by its code; `texts` has a sentence for every one. All are for everybody.

| code | parameters |
|---|---|
| `played` | the move of `seat` was one of its `colour`; told only where a seat has several |
| `jumped` | `seat` placed a block of `colour` over a `gap` and took tokens for it, `cost` points |
| `acquired` | `colour` of `seat` has acquired the point block in `tile`, at `cell`, of this `shape` |
| `collected` | `seat` has `count` point blocks of one `shape`, enough to win outright |
| `out` | `colour` of `seat` is out |
| `ended` | the match is over, for this `reason` |

Colours are whole words; `tile` is a number row by row, `cell` the text of the top left cell of the point block.
"""

from __future__ import annotations

from games.block_buster.modes import COLOURS
from games.block_buster.notation import format_cell
from games.block_buster.placing import board_of
from games.block_buster.position import Position
from games.contract.values import Event


def colour_played(at: int, seat: int, colour: int) -> Event:
    return Event(at, "played", {"seat": seat, "colour": COLOURS[colour]})


def jumped(at: int, seat: int, colour: int, gap: int, cost: int) -> Event:
    return Event(at, "jumped", {"seat": seat, "colour": COLOURS[colour], "gap": gap, "cost": cost})


def acquired(at: int, position: Position, colour: int, tile: int) -> Event:
    return Event(
        at,
        "acquired",
        {
            "seat": position.setup.mode.owners[colour],
            "colour": COLOURS[colour],
            "tile": tile,
            "cell": format_cell(board_of(position).point_cells[tile]),
            "shape": position.setup.shape(tile),
        },
    )


def collected(at: int, seat: int, shape: str, count: int) -> Event:
    return Event(at, "collected", {"seat": seat, "shape": shape, "count": count})


def colour_out(at: int, seat: int, colour: int) -> Event:
    return Event(at, "out", {"seat": seat, "colour": COLOURS[colour]})


def match_ended(at: int, reason: str) -> Event:
    return Event(at, "ended", {"reason": reason})
