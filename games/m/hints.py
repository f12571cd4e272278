"""Why a bot of M would play a move, in the game's terms: codes with parameters, the weightiest first.

| code | parameters | of |
|---|---|---|
| `scores` | `line` ("row" or "col") of `count` tiles that it scores, the seat picking first | placements |
| `last` | the stack is empty, so that the match ends with this round | placements |
| `chips` | `count` chips that it takes | placements |
| `no-gap` | no tile unseen fits a free place with so many neighbours (`beside`, 2 or 3) or more | placements |
| `fills` | it fills a place with so many neighbours (`beside`, 3 or 4), which brings no chips | placements |
| `only` | nothing else may be taken | takes |
| `adds` | `points` by which the score rises, in a `colour` that counts | takes |
| `free` | the tile changes no score | takes |
| `costs` | `points` by which the score falls; `least` 1 if every other tile costs as much or more, else 0 | takes |
| `denies` | `points` that the tile would bring the next who picks | takes |
| `no-fit` | no tile of the hand fits | passes |
| `no-better` | placements seem to give others more than the pass; `pays` 1 if it pays a chip, else 0 | passes |
| `exchange` | `tile` that has the least in common with those on the table | passes |
| `best` | nothing of the above: in the turns that follow it promises most | all |
"""

from __future__ import annotations

from games.contract.values import NO_PARAMS, Params
from games.m.field import LINES
from games.m.gains import rise
from games.m.guessing import Knowledge, cell_of
from games.m.tiles import ALL_TILES, colour_of
from games.m.world import AWAY, LIFT, NOTHING, TILES, Act

Reason = tuple[str, Params]

GAP_FEARED = 3
"""So many neighbours make a free place a gap that is spoken of: it brings two chips or more."""


def reasons(knowledge: Knowledge, act: Act) -> tuple[Reason, ...]:
    """Why the act is worth playing; at least one reason."""
    tile, cell, _axis = act
    if tile == LIFT:
        found = _of_take(knowledge, cell)
    elif cell == AWAY:
        found = _of_pass(knowledge, tile)
    else:
        found = _of_placement(knowledge, act)
    return tuple(found or [("best", NO_PARAMS)])


def _of_placement(knowledge: Knowledge, act: Act) -> list[Reason]:
    tile, cell, axis = act
    view, world = knowledge.view, knowledge.world.copy()
    found: list[Reason] = []
    chips = next(fit.chips for fit in view.fits if (fit.tile, fit.cell) == (ALL_TILES[tile], cell_of(cell)))
    beside = world.room[cell] >> TILES
    world.place(tile, cell, axis)
    if axis is not None and world.picker is not None:
        found.append(("scores", {"line": LINES[axis], "count": len(world.line)}))
    if axis is not None and not view.stack:
        found.append(("last", NO_PARAMS))
    if chips:
        found.append(("chips", {"count": chips}))
    elif beside >= GAP_FEARED:
        found.append(("fills", {"beside": beside}))
    if axis is None:
        unseen = sum(1 << number for number in knowledge.unseen)
        most = max((fits >> TILES for _, fits in world.places() if fits & unseen), default=0)
        if most < GAP_FEARED:
            found.append(("no-gap", {"beside": max(2, most + 1)}))
    return found


def _of_take(knowledge: Knowledge, cell: int) -> list[Reason]:
    view = knowledge.view
    if len(view.takeable) == 1:
        return [("only", NO_PARAMS)]
    seat, tile = knowledge.seat, view.table[cell_of(cell)]
    own = rise(view, tile, seat)
    found: list[Reason] = []
    if own > 0:
        found.append(("adds", {"points": own, "colour": colour_of(tile)}))
    elif own < 0:
        least = own == max(rise(view, view.table[other], seat) for other in view.takeable)
        found.append(("costs", {"points": -own, "least": int(least)}))
    else:
        found.append(("free", NO_PARAMS))
    following = rise(view, tile, (seat - 1) % len(view.chips))
    if following > 0 and _round_goes_on(knowledge, cell):
        found.append(("denies", {"points": following}))
    return found


def _round_goes_on(knowledge: Knowledge, cell: int) -> bool:
    """Whether the next still picks after this take."""
    world = knowledge.world.copy()
    world.take(cell)
    return world.picker is not None


def _of_pass(knowledge: Knowledge, tile: int) -> list[Reason]:
    view = knowledge.view
    pays = int(view.chips[knowledge.seat] > 0)
    found: list[Reason] = [("no-better", {"pays": pays}) if view.fits else ("no-fit", NO_PARAMS)]
    if tile != NOTHING:
        found.append(("exchange", {"tile": ALL_TILES[tile]}))
    return found
