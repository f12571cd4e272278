"""Which moves of a node are worth a look: the best of all joined ones, and of the jumps into rings worth the cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from games.block_buster.board import Cells, union
from games.block_buster.bots.ground import STEPS, Ground, Spot
from games.block_buster.bots.model import Match, Node, Step, reach
from games.block_buster.bots.worth import WIN, Worth
from games.block_buster.tokens import cost

KEPT = 24
"""So many are weighed with what they open and shut."""

MOST = 10
"""So many are worth a look at most."""

ENOUGH = 6
"""Jumps must be better than so many joined steps."""

AVERTED = 5.0
"""What it is worth to be in the way of almost all placements that win at once."""

Weighed = tuple[float, Step]
"""What a step brings the team that plays it, against its rivals, in points."""

Found = tuple[float, int, Spot]
"""What a placement brings, without what it opens and shuts, its gap, and where it is."""


def steps_of(match: Match, node: Node, worth: Worth) -> list[Weighed]:
    """The best steps of the colour whose turn it is, the best first; none if it is out, or has no legal placement.

    Of those that put the same block into the same rings there is only the best. The pass is there if it is legal.
    """
    return best_of(match, node, worth, found_for(match, node, worth))


def wary(match: Match, node: Node, worth: Worth, found: list[Found]) -> list[Found]:
    """The placements, those that leave no rival a placement that wins at once preferred."""
    threats = threats_to(match, node, worth)
    if not threats:
        return found
    threatened = union(threats)
    averting = [
        (gain + _averted(spot, threats) if spot.cells & threatened else gain, gap, spot) for gain, gap, spot in found
    ]
    averting.sort(key=itemgetter(0), reverse=True)
    return averting


def best_of(match: Match, node: Node, worth: Worth, found: list[Found]) -> list[Weighed]:
    """The best steps out of these placements, which are the best first."""
    if not found:
        return []
    best = _weighed(match, node, worth, found[:KEPT])
    if all(gap for _, gap, _ in found):
        best.append((0.0, Step(None)))
    best.sort(key=itemgetter(0), reverse=True)
    different: dict[object, Weighed] = {}
    for gain, step in best:
        different.setdefault(step.spot and (step.spot.block, step.spot.feet), (gain, step))
    return list(different.values())[:MOST]


def threats_to(match: Match, node: Node, worth: Worth) -> list[Cells]:
    """The cells of each placement by which a rival of the colour whose turn it is could complete a collection now."""
    team = match.team_of[node.turn]
    return [
        spot.cells
        for colour in match.colours
        if match.team_of[colour] != team
        for spot in winning_spots(match, replace(node, turn=colour), worth)
    ]


def winning_spots(match: Match, node: Node, worth: Worth) -> list[Spot]:
    """Where the colour whose turn it is can complete a collection by cells in one ring."""
    if node.turn in node.out or worth.short(node) >= STEPS:
        return []
    gains = worth.gains(node)
    if max(gains) < WIN / 2:
        return []
    ground, own = match.ground, node.cells[node.turn]
    blocks = [block for block, count in enumerate(node.left[node.turn]) if count]
    most = [max(gains[at : at + STEPS]) for at in range(0, len(gains), STEPS)]
    near = ground.board.within(own, reach(match, node) + 1)
    rings = _rings_above(ground, most, WIN / 2)
    spots = ground.spots(blocks, ground.shifted(node.free), near, also=rings)
    return [spot for spot in spots if max(gains[foot] for foot in spot.feet) > WIN / 2]


def _averted(spot: Spot, threats: list[Cells]) -> float:
    """What it is worth that the spot is in the way of these placements."""
    left = sum([not spot.cells & cells for cells in threats])
    return AVERTED * (1 - left / len(threats)) if left else WIN / 2


def found_for(match: Match, node: Node, worth: Worth) -> list[Found]:
    """All joined placements of the colour whose turn it is, and the jumps that are worth a look, the best first."""
    if node.turn in node.out:
        return []
    ground, own, free = match.ground, node.cells[node.turn], node.free
    spread = ground.board.spread
    blocks = [block for block, count in enumerate(node.left[node.turn]) if count]
    gains = worth.gains(node)
    shifted = ground.shifted(free)
    near = spread(own) if own else free
    found = _valued(ground.spots(blocks, shifted, near), worth.squares, gains, 0, 0.0)
    found.sort(key=itemgetter(0), reverse=True)
    if not own:
        return found
    floor = found[ENOUGH - 1][0] if len(found) >= ENOUGH else float("-inf")
    most = [max(gains[at : at + STEPS]) + worth.squares[-1] for at in range(0, len(gains), STEPS)]
    for gap in range(1, reach(match, node) + 1):
        price = worth.weights.token * cost(gap)
        worthwhile = _rings_above(ground, most, floor + price)
        if not worthwhile & free:
            break
        layer = spread(near)
        spots = ground.spots(blocks, shifted, layer & ~near, also=worthwhile, but=near)
        found += _valued(spots, worth.squares, gains, gap, price)
        near = layer
    found.sort(key=itemgetter(0), reverse=True)
    return found


def _valued(spots: list[Spot], squares: Sequence[float], gains: Sequence[float], gap: int, price: float) -> list[Found]:
    return [
        (squares[spot.block] + gains[a] + gains[b] + gains[c] + gains[d] - price, gap, spot)
        for spot in spots
        for a, b, c, d in [spot.feet]
    ]


def _rings_above(ground: Ground, most: Sequence[float], bar: float) -> Cells:
    return union(ring for ring, gain in zip(ground.rings, most, strict=True) if gain > bar)


def _weighed(match: Match, node: Node, worth: Worth, found: list[Found]) -> list[Weighed]:
    """The placements with what they open for the own colour and shut for those of rivals."""
    spread, outlook, team = match.ground.board.spread, worth.weights.outlook, match.team_of[node.turn]
    beside = spread(node.cells[node.turn])
    open_now = node.free & ~beside
    theirs = [spread(node.cells[colour]) for colour in match.colours if match.team_of[colour] != team]
    weighed = []
    for gain, gap, spot in found:
        opened = (spot.around & open_now).bit_count() - (spot.cells & beside).bit_count()
        shut = sum([(spot.cells & cells).bit_count() for cells in theirs]) / (match.teams - 1)
        weighed.append((gain + outlook * (opened + shut), Step(spot, gap)))
    return weighed
