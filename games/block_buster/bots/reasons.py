"""Why a step is a good one, as codes that `texts.hint` makes sentences of.

| code | parameters |
|---|---|
| `wins` | it completes a collection: `count` point blocks of a `shape` |
| `prevents` | `colour` could have completed a collection of this `shape` next, and can't now |
| `threatens` | with one more placement a collection of this `shape` is complete |
| `acquires` | the point block of this `shape` at `cell` is acquired for good |
| `overtakes` | the point block of this `shape` at `cell` was led by `colour`, and is led now |
| `leads` | the same where nobody led it |
| `halts` | `colour` led the point block of this `shape` at `cell`, and nobody does now |
| `large` | a block of so many `squares` is placed while it fits |
| `opens` | next to it there are so many free `cells` more, to join blocks at |
| `joins` | it costs no tokens |
| `jumps` | over a gap for `cost` points in tokens, and better than what can be joined |
| `passes` | no block can be joined, and no jump is worth its cost |

Cells are those by which texts name point blocks, colours whole words.
"""

from __future__ import annotations

from dataclasses import replace

from games.block_buster.bots.ground import STEPS
from games.block_buster.bots.model import Match, Node, Step, match_node, played
from games.block_buster.bots.steps import winning_spots
from games.block_buster.bots.weights import weights_of
from games.block_buster.bots.worth import RING, Worth
from games.block_buster.modes import COLOURS
from games.block_buster.notation import format_cell
from games.block_buster.rings import Ring
from games.block_buster.tokens import cost
from games.block_buster.view import View
from games.contract.values import Params

MOST = 3
"""A hint says so many reasons at most."""

LARGE = 4
"""From so many squares on a block is a large one."""

Reason = tuple[str, Params]


def reasons(view: View, step: Step) -> tuple[Reason, ...]:
    """Why the view's seat may well play the step, the weightiest reason first."""
    match, node = match_node(view)
    if step.spot is None:
        return (("passes", {}),)
    after = played(match, node, step)
    found = _collections(match, node, after)
    if not (found and found[0][0] == "wins"):
        found += _rings(match, node, after, step)
        found += _surroundings(match, node, step)
    return tuple(found[:MOST])


def _collections(match: Match, node: Node, after: Node) -> list[Reason]:
    """What the step means for collections of either side."""
    colour, seat = node.turn, match.owners[node.turn]
    for shape, count in _acquired(match, after, seat).items():
        if count >= match.setup.collection:
            return [("wins", {"shape": shape, "count": count})]
    found: list[Reason] = []
    worth = Worth(match, weights_of(match.setup))
    for rival in match.colours:
        if match.team_of[rival] != match.team_of[colour]:
            looming = _next_collection(match, node, worth, rival)
            if looming and not _next_collection(match, after, worth, rival):
                found.append(("prevents", {"colour": COLOURS[rival], "shape": looming}))
    if coming := _next_collection(match, after, worth, colour):
        found.append(("threatens", {"shape": coming}))
    return found


def _acquired(match: Match, node: Node, seat: int) -> dict[str, int]:
    """By shape, how many point blocks the seat has acquired."""
    counts = dict.fromkeys(match.setup.mode.shapes, 0)
    for shape, tiles in zip(counts, match.tiles_of, strict=True):
        for tile in tiles:
            acquirer = _ring(shape, node.rings[tile]).acquirer
            counts[shape] += acquirer is not None and match.owners[acquirer] == seat
    return counts


def _next_collection(match: Match, node: Node, worth: Worth, colour: int) -> str | None:
    """The shape of which the colour could complete a collection if it was its turn."""
    turned = replace(node, turn=colour)
    for spot in winning_spots(match, turned, worth):
        for shape, count in _acquired(match, played(match, turned, Step(spot, 0)), match.owners[colour]).items():
            if count >= match.setup.collection:
                return shape
    return None


def _rings(match: Match, node: Node, after: Node, step: Step) -> list[Reason]:
    """What changes in the rings that the step touches: first what is for good."""
    assert step.spot is not None
    found: list[tuple[int, Reason]] = []
    for tile in sorted({foot // STEPS for foot in step.spot.feet if foot}):
        row, column = divmod(tile, match.setup.mode.tiles)
        shape = match.setup.layout[row][column]
        was, now = _ring(shape, node.rings[tile]), _ring(shape, after.rings[tile])
        where = {"shape": shape, "cell": format_cell(match.ground.board.point_cells[tile])}
        if now.acquirer == node.turn and was.acquirer is None:
            found.append((0, ("acquires", where)))
        elif was.leader == now.leader or was.acquirer is not None:
            continue
        elif was.leader is not None and match.team_of[was.leader] != match.team_of[node.turn]:
            code = "overtakes" if now.leader == node.turn else "halts"
            found.append((1 + (code == "halts"), (code, {**where, "colour": COLOURS[was.leader]})))
        elif now.leader == node.turn:
            found.append((3, ("leads", where)))
    return [reason for _weight, reason in sorted(found, key=lambda item: item[0])]


def _surroundings(match: Match, node: Node, step: Step) -> list[Reason]:
    """What it is worth beside point blocks."""
    assert step.spot is not None
    found: list[Reason] = []
    if step.gap:
        found.append(("jumps", {"cost": cost(step.gap)}))
    if step.spot.size >= LARGE:
        found.append(("large", {"squares": step.spot.size}))
    beside = match.ground.board.spread(node.cells[node.turn])
    opened = (step.spot.around & node.free & ~beside).bit_count() - (step.spot.cells & beside).bit_count()
    if opened > 0 and node.cells[node.turn]:
        found.append(("opens", {"cells": opened}))
    return found or [("joins", {})]


def _ring(shape: str, counts: tuple[int, ...]) -> Ring:
    return Ring(shape, counts, RING - sum(counts))
