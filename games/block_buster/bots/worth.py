"""What a position is worth to each seat, in points, and what cells more in a ring would change of that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import exp
from operator import mul

from games.block_buster.blocks import BLOCKS, SQUARES
from games.block_buster.bots.ground import STEPS
from games.block_buster.bots.model import Counts, Match, Node
from games.block_buster.bots.weights import Weights
from games.block_buster.modes import SHAPES
from games.block_buster.scoring import SET_POINTS, collections, places

RING = 12
"""The cells of a ring."""

WIN = 1000.0
"""To win counts more than any points."""

NEVER = 200
"""So many cells lack where no number of them acquires a ring any more."""

Prospect = tuple[float, int]
"""How likely a seat gets a ring in the end, and how many cells it lacks to acquire it."""

Beside = tuple[float, float, int, int]
"""What the other rings of a shape are worth if the seat does not get this one, what more they are if it does, how many
cells all but one ring of a collection lack, and how many the last one does if it is not this one."""

Rings = tuple[Counts, ...]
"""The rings of all point blocks of one shape."""


class Worth:
    """Weighs the nodes of one match, and remembers what it has worked out."""

    def __init__(self, match: Match, weights: Weights) -> None:
        self.match = match
        self.weights = weights
        self.squares = [weights.squares[SQUARES[block]] for block in BLOCKS]
        """What a placed block counts."""
        rivals = 1 / (match.teams - 1)
        self._shares = [
            [1.0 if team == other else -rivals for other in match.setup.mode.teams] for team in range(match.teams)
        ]
        self._colours_of = [
            [colour for colour in match.colours if match.owners[colour] == seat] for seat in match.seats
        ]
        self._set_points = [
            points + (weights.collection if count >= match.setup.collection else 0.0)
            for count, points in enumerate(SET_POINTS)
        ]
        self._race: list[float] = [weights.race * 2 ** (-short / weights.pace) for short in range(2 * NEVER + 1)]
        """What it counts that a collection lacks so many cells."""
        self._race[0] += WIN
        self._ring_prospects: dict[Counts, tuple[Prospect, ...]] = {}
        self._points: dict[tuple[Prospect, ...], float] = {}
        self._besides: dict[tuple[Prospect, ...], Beside] = {}
        self._sets: dict[Rings, tuple[float, ...]] = {}
        self._gains: dict[tuple[Rings, int], list[float]] = {}
        self._shorts: dict[Rings, tuple[int, ...]] = {}

    def values(self, node: Node) -> list[float]:
        """What the node is worth to each seat; more than half of `WIN` to who has won at once."""
        weights, spread = self.weights, self.match.ground.board.spread
        values = [weights.token * points for points in node.tokens]
        for tiles in self.match.tiles_of:
            for seat, points in enumerate(self.sets(tuple([node.rings[tile] for tile in tiles]))):
                values[seat] += points
        for colour, owner in enumerate(self.match.owners):
            values[owner] -= sum(map(mul, self.squares, node.left[colour]))
            if colour not in node.out:
                values[owner] += weights.outlook * (spread(node.cells[colour]) & node.free).bit_count()
        return values

    def final(self, node: Node) -> list[float]:
        """What the node is worth to each seat if the match is played out there: its points, and whom it beats."""
        match, mode = self.match, self.match.setup.mode
        held: tuple[Counter[str], ...] = tuple(Counter() for _seat in match.seats)
        for shape, tiles in zip(SHAPES, match.tiles_of, strict=False):
            for counts in (node.rings[tile] for tile in tiles):
                if counts.count(max(counts)) == 1:
                    held[match.owners[counts.index(max(counts))]][shape] += 1
        points = [
            sum(SET_POINTS[count] for count in shapes.values()) + tokens
            for shapes, tokens in zip(held, node.tokens, strict=True)
        ]
        for owner, left in zip(match.owners, node.left, strict=True):
            points[owner] -= sum(SQUARES[block] * count for block, count in zip(BLOCKS, left, strict=True))
        scores = [
            sum(points[seat] for seat in match.seats if mode.teams[seat] == mode.teams[own]) for own in match.seats
        ]
        winners = {seat for seat, _shape in collections(match.setup, held)}
        ranks = places(match.setup, scores, winners)
        return [
            score + WIN / 2 * sum(rank < other for other in ranks) / (len(ranks) - 1)
            for score, rank in zip(scores, ranks, strict=True)
        ]

    def balance(self, values: list[float]) -> list[float]:
        """By team: what the values of all seats mean to it, its own against those of the others."""
        return [sum(map(mul, values, shares)) for shares in self._shares]

    def gains(self, node: Node) -> list[float]:
        """By tile, `STEPS` entries each: what so many cells more in the ring are worth to the team of the colour whose
        turn it is."""
        table = [0.0] * (STEPS * len(node.rings))
        for tiles in self.match.tiles_of:
            rings = tuple([node.rings[tile] for tile in tiles])
            gains = self._gains.get((rings, node.turn))
            if gains is None:
                gains = self._gains[rings, node.turn] = self._work_out_gains(rings, node.turn)
            for index, tile in enumerate(tiles):
                table[STEPS * tile : STEPS * (tile + 1)] = gains[STEPS * index : STEPS * (index + 1)]
        return table

    def _work_out_gains(self, rings: Rings, colour: int) -> list[float]:
        shares = self._shares[self.match.team_of[colour]]
        before = sum(map(mul, self.sets(rings), shares))
        prospects = [self._prospects(counts) for counts in rings]
        gains = []
        for index, counts in enumerate(rings):
            free = RING - sum(counts)
            others = [
                self._beside(tuple(sorted(own)))
                for own in zip(*prospects[:index], *prospects[index + 1 :], strict=True)
            ]
            gains.append(0.0)
            for count in range(1, STEPS):
                more = 0.0
                if count <= free:
                    grown = (*counts[:colour], counts[colour] + count, *counts[colour + 1 :])
                    after = [
                        without + chance * added + self._race[rest + (lacking if lacking < last else last)]
                        for (chance, lacking), (without, added, rest, last) in zip(
                            self._prospects(grown), others, strict=True
                        )
                    ]
                    more = sum(map(mul, after, shares)) - before
                gains.append(more)
        return gains

    def _beside(self, others: tuple[Prospect, ...]) -> Beside:
        """What one ring more means to who has these prospects in the other rings of the shape, the least first."""
        found = self._besides.get(others)
        if found is None:
            likely = self._likely(others)
            without = sum(map(mul, likely, self._set_points))
            added = sum(map(mul, likely, self._set_points[1:])) - without
            needed = self.match.setup.collection - 1
            lacking = [*sorted([lacking for _chance, lacking in others]), NEVER]
            found = self._besides[others] = (without, added, min(sum(lacking[:needed]), NEVER), lacking[needed])
        return found

    def short(self, node: Node) -> int:
        """How many cells more complete a collection for the seat whose turn it is, if nobody else gets any."""
        seat = self.match.owners[node.turn]
        return min([self._short(tuple([node.rings[tile] for tile in tiles]))[seat] for tiles in self.match.tiles_of])

    def _short(self, rings: Rings) -> tuple[int, ...]:
        """By seat, the same for one shape."""
        found = self._shorts.get(rings)
        if found is None:
            prospects = zip(*[self._prospects(counts) for counts in rings], strict=True)
            found = self._shorts[rings] = tuple(self._lacking(own) for own in prospects)
        return found

    def _lacking(self, prospects: Iterable[Prospect]) -> int:
        """How many cells more complete a collection out of these rings."""
        return sum(sorted([lacking for _chance, lacking in prospects])[: self.match.setup.collection])

    def sets(self, rings: Rings) -> tuple[float, ...]:
        """What the point blocks of one shape are worth to each seat."""
        found = self._sets.get(rings)
        if found is None:
            found = self._sets[rings] = self._work_out_sets(rings)
        return found

    def _work_out_sets(self, rings: Rings) -> tuple[float, ...]:
        worth = []
        for prospects in zip(*[self._prospects(counts) for counts in rings], strict=True):
            in_order = tuple(sorted(prospects))
            points = self._points.get(in_order)
            if points is None:
                points = self._points[in_order] = self._work_out_points(in_order)
            worth.append(points)
        return tuple(worth)

    def _work_out_points(self, prospects: tuple[Prospect, ...]) -> float:
        """What the point blocks of one shape are worth to a seat with these prospects."""
        points = sum(map(mul, self._likely(prospects), self._set_points))
        return float(points + self._race[min(self._lacking(prospects), NEVER)])

    def _likely(self, prospects: tuple[Prospect, ...]) -> list[float]:
        """By number, how likely the seat gets so many of the rings in the end."""
        likely = [1.0]
        for chance, _lacking in prospects:
            rest = 1.0 - chance
            likely = [a * rest + b * chance for a, b in zip((*likely, 0.0), (0.0, *likely), strict=True)]
        return likely

    def _prospects(self, counts: Counts) -> tuple[Prospect, ...]:
        """By seat."""
        found = self._ring_prospects.get(counts)
        if found is None:
            chances = self._chances(counts)
            found = self._ring_prospects[counts] = tuple(
                (sum(chances[colour] for colour in colours), min(lack(counts, colour) for colour in colours))
                for colours in self._colours_of
            )
        return found

    def _chances(self, counts: Counts) -> tuple[float, ...]:
        """How likely each colour gets the ring in the end."""
        free = RING - sum(counts)
        *_, second, most = sorted(counts)
        if most - second > free or not free:
            return tuple(float(count == most > second) for count in counts)
        slope = self.weights.sharp / free**self.weights.power
        weighed = [exp(slope * (count - most)) if count + free > most else 0.0 for count in counts]
        total = sum(weighed) + self.weights.tie * exp(slope * (second - most))
        return tuple(weight / total for weight in weighed)


def lack(counts: Counts, colour: int) -> int:
    """How many cells more acquire the ring for the colour if nobody else gets any; `NEVER` if it can't be acquired."""
    own, rival = counts[colour], max([count for other, count in enumerate(counts) if other != colour])
    free = RING - sum(counts)
    if own > rival + free:
        return 0
    cells = (rival + free - own) // 2 + 1
    return cells if cells <= free else NEVER
