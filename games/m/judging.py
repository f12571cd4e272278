"""What a bot of M holds of a position and of a move at a glance: chips, rounds, and what is left to the next player."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from games.m.dealing import HAND_SIZE, tiles_used
from games.m.guessing import Knowledge
from games.m.scoring import CHIP_POINTS, COLOURS_THAT_COUNT, chips_due
from games.m.world import (
    AWAY,
    COLOUR,
    COLUMN,
    LIFT,
    MATCH,
    NOTHING,
    POINTS,
    ROW,
    SCORING_LINES,
    TILES,
    WIDTH,
    Act,
    World,
    kinds,
)

STAGES = 8
"""Into so many parts the match is cut by what is left of its stack; in the last, 0, the stack is empty."""

LEFT_OPEN = 0.8
"""How much of the chips that a gap may bring to who plays next counts against whoever opens it."""

DENIED = 0.8
"""How much of what a tile would bring the next who picks counts for taking it."""

Rated = tuple[float, Act]
"""An act with what it brings the seat that is to move, in points at the end, more than the others on average."""

Weights = tuple[float, float, float, float]


def _weights(left: float) -> Weights:
    return 1 - 0.8 * left * left, max(0.9 - 1.6 * left, -0.2), -0.95 + 0.5 * left, CHIP_POINTS * (1 - 0.3 * left)


WEIGHTS = tuple(_weights(stage / STAGES) for stage in range(STAGES + 1))
"""By stage: what a point counts in the best colour, in the second, and in the others, and what a chip counts.

From a regression of the final margin over some 3,000 matches: early the best colours are not settled, and points in a
second one are worth next to nothing yet.
"""

SCARCER, LAID, SECOND = 0.6, 0.1, 0.6
"""What follows in somebody's best colour: how much a point of it that anybody has taken costs them in the middle of the
match, times four, and what one on the table brings; and how much of both counts for the second colour. By the same
regression. Of three players the first counts two thirds, and of two one."""

FITTING = 5.0
"""What a tile in hand is worth that fits anywhere."""


def rises(points: list[int], tiles: Iterable[int], weights: Weights) -> dict[int, float]:
    """By how much each of the tiles, taken alone, raises what the points by colour are worth."""
    best, second, others, _chip = weights
    *_, high, highest = sorted(points)
    found = {}
    for tile in tiles:
        value = POINTS[tile]
        before = points[COLOUR[tile]]
        after = before + value
        rise = others * value
        if before == highest:
            rise += (best - others) * value
        elif after > highest:
            rise += (best - others) * (after - highest) + (second - others) * (highest - high)
        elif after > high:
            rise += (second - others) * (after - high)
        found[tile] = rise
    return found


class Judge:
    """Judges positions and moves from what one seat knows, and so is made anew for each move."""

    def __init__(self, knowledge: Knowledge) -> None:
        seats = knowledge.world.seats
        self._most = tiles_used(seats) - HAND_SIZE * seats - 5
        self._unseen = sum(1 << tile for tile in knowledge.unseen)
        unseen = max(1, len(knowledge.unseen))
        misses = [(1 - fitting / unseen) ** HAND_SIZE if fitting < unseen else 0.0 for fitting in range(TILES + 1)]
        # By the number of neighbours, and of unseen tiles that fit: the chips to be expected of a gap.
        self._gaps = [[max(0, chips_due(beside)) * (1 - miss) for miss in misses] for beside in range(5)]

    def stage(self, world: World) -> int:
        return -(-len(world.stack) * STAGES // self._most)

    def standing(self, world: World) -> list[float]:
        """What the position between turns is worth to each seat, in points at the end."""
        left = self.stage(world) / STAGES
        best, second, others, chip = WEIGHTS[self.stage(world)]
        scarcer = SCARCER * left * (1 - left) * min(1.0, (world.seats - 1) / 3)
        promise = [-scarcer * sum(taken) for taken in zip(*world.points, strict=True)]
        for tile in world.table.values():
            promise[COLOUR[tile]] += LAID * POINTS[tile]
        fitting = 0
        for _, fits in world.places():
            fitting |= fits
        values = []
        for points, chips, hand in zip(world.points, world.chips, world.hands, strict=True):
            *less, (high, after), (highest, most) = sorted(zip(points, promise, strict=True))
            value = best * highest + second * high + others * sum([point for point, _ in less])
            value += most + SECOND * after + chip * chips + FITTING * (fitting & hand).bit_count()
            values.append(value)
        return values

    def final(self, world: World) -> list[float]:
        """The scores of a world that is over."""
        return [
            CHIP_POINTS * chips + 2 * sum(sorted(points)[-COLOURS_THAT_COUNT:]) - sum(points)
            for points, chips in zip(world.points, world.chips, strict=True)
        ]

    def takes(self, world: World) -> list[Rated]:
        """Every pick with what it brings the picker, counting what it denies the next."""
        assert world.picker is not None
        weights, table = WEIGHTS[self.stage(world)], world.table
        tiles = [table[cell] for cell in world.takes]
        own, following = (rises(world.points[seat], tiles, weights) for seat in (world.picker, world.picker - 1))
        return [
            (own[tile] + DENIED * following[tile], (LIFT, cell, None))
            for cell, tile in zip(world.takes, tiles, strict=True)
        ]

    def round_gain(self, world: World, tiles: list[int], seat: int) -> float:
        """What a round over these tiles, in which the seat picks first, brings it, more than the others on average.

        As if one tile, the least wanted, had to stay and all others could be taken.
        """
        seats, weights = world.seats, WEIGHTS[self.stage(world)]
        by_seat = [rises(points, tiles, weights) for points in world.points]
        tiles, gain, picker = tiles.copy(), 0.0, seat
        while len(tiles) > 1:
            own, following = by_seat[picker], by_seat[picker - 1]
            pick = max(tiles, key=lambda tile: own[tile] + DENIED * following[tile])
            tiles.remove(pick)
            gain += own[pick] if picker == seat else -own[pick] / (seats - 1)
            picker = (picker - 1) % seats
        return gain

    def placements(self, world: World) -> list[Rated]:
        """Every placement of the seat whose turn it is with what it seems to bring, more than others on average."""
        seat, table, room, unseen, gaps = world.turn, world.table, world.room, self._unseen, self._gaps
        hand, chip = world.hands[seat], self._chip(world)
        others = sum(world.chips) - world.chips[seat]
        left_open = LEFT_OPEN * chip
        found: list[Rated] = []
        for cell, fits in world.places():
            hits = fits & hand
            if not hits:
                continue
            beside = fits >> TILES
            gain = chip * min(beside - 1, others) + left_open * gaps[beside][(fits & unseen).bit_count()]
            gapped = []
            for free in (cell - WIDTH, cell + 1, cell + WIDTH, cell - 1):
                if free in room:
                    around, fitting = room[free] >> TILES, room[free] & unseen
                    gain += left_open * gaps[around][fitting.bit_count()]
                    gapped.append((gaps[around + 1], fitting))
            may_score = (
                world.rows.get(cell >> 8, 0) | 1 << (cell & 255) in SCORING_LINES
                or world.columns.get(cell & 255, 0) | 1 << (cell >> 8) in SCORING_LINES
            )
            for tile in kinds(hits):
                value, axis, match = gain, None, MATCH[tile]
                for gap, fitting in gapped:
                    value -= left_open * gap[(fitting & match).bit_count()]
                if may_score:
                    for line, scores in zip((ROW, COLUMN), world.scoring(tile, cell), strict=True):
                        if scores:
                            tiles = [table[other] for other in world.line_through(cell, line)]
                            gained = self.round_gain(world, [*tiles, tile], seat)
                            found.append((value + gained, (tile, cell, line)))
                            axis = line
                if axis is None:
                    found.append((value, (tile, cell, None)))
        return found

    def passes(self, world: World) -> list[Rated]:
        """Passing, and passing with each exchange: the less a tile has in common with the table, the rather it goes."""
        paid = -self._chip(world) if world.chips[world.turn] else 0.0
        found: list[Rated] = [(paid, (NOTHING, AWAY, None))]
        if world.stack:
            laid = 0
            for tile in world.table.values():
                laid |= 1 << tile
            for tile in kinds(world.hands[world.turn]):
                matching = (MATCH[tile] & laid).bit_count() / max(1, laid.bit_count())
                found.append((paid + 1 - matching, (tile, AWAY, None)))
        return found

    def glance(self, world: World) -> Act:
        """What seems best for the seat that is to move, the first of equals."""
        if world.picker is not None:
            return (LIFT, world.takes[0], None) if len(world.takes) == 1 else max(self.takes(world), key=_gain)[1]
        best = max(self.placements(world), key=_gain, default=None)
        if best is None or best[0] < -self._chip(world):
            best = max([*([best] if best else ()), *self.passes(world)], key=_gain)
        return best[1]

    def best_first(self, world: World, rng: Random) -> list[Act]:
        """Everything that the seat to move may do, what seems best in front; equals by lot."""
        rated = self.takes(world) if world.picker is not None else [*self.placements(world), *self.passes(world)]
        rng.shuffle(rated)
        return [act for _, act in sorted(rated, key=_gain, reverse=True)]

    def _chip(self, world: World) -> float:
        """What a chip from another seat is worth, more than to the others on average."""
        return WEIGHTS[self.stage(world)][3] * world.seats / (world.seats - 1)


def _gain(rated: Rated) -> float:
    return rated[0]
