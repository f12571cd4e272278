"""BlockYou! told once more, straight from the written rules and moment by moment, to compare with.

Nothing is kept short or fast: every area that ever was is remembered, fits are tried one by one, and the clock stops at
every moment that the rules could mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

COUNT, HOLD, SEEN, FINAL, CAP, PAUSE = 3000, 150, 200, 10_000, 90_000, 4000

Place = tuple[int, int, int]
Told = tuple[int, str, Any, Any]
"""Time, code, seat (or None), and claim text (or None) of something that happened."""


def face(deck: str, n: int) -> tuple[list[int], list[int]]:
    """Quarters and fingers of card n, as the rules write them."""
    fingers = [(0, 2), (0, 4), (1, 3), (1, 5), (0, 1), (0, 3), (0, 5), (0, 7)][n % 8]
    if deck == "standard":
        t = (27 * n + 31) % 125
        return [0, 1 + t % 5, 1 + (t // 5) % 5, 1 + t // 25], sorted((f + 2 * ((n // 8) % 4)) % 8 for f in fingers)
    t = (27 * n + 31) % 64
    shift = 2 * ((n // 8 + n // 64) % 4)
    return [0, 1 + t % 4, 1 + (t // 4) % 4, 1 + t // 16], sorted((f + shift) % 8 for f in fingers)


def turn(quarters: list[int], fingers: list[int], i: int) -> tuple[list[int], list[int]]:
    return quarters[-i:] + quarters[:-i], [(f + 2 * i) % 8 for f in fingers]


def read(text: str) -> Place:
    return int(text[0]), int(text[2]), int(text[4])


def write(place: Place) -> str:
    return "{},{}/{}".format(*place)


PLACES: list[Place] = list(product(range(7), range(7), range(4)))


@dataclass
class Waiting:
    place: Place
    effective: int
    due: int


@dataclass
class Player:
    direction: int
    queue: list[int]
    up: int | None = None
    status: str = "idle"
    claim: Waiting | None = None
    sits_out_next: bool = False
    placed_at: int = 0


@dataclass
class Table:
    """What company and solo have in common: cards, the area, and what has been told."""

    deck: str
    pile: list[int]
    players: list[Player]
    grid: list[list[tuple[int, int]]] = field(default_factory=lambda: [[(0, -1)] * 8 for _ in range(8)])
    areas: list[tuple[int, list[list[int]]]] = field(default_factory=list)
    buried: set[int] = field(default_factory=set)
    now: int = 0
    phase: str = "countdown"
    round: int = 1
    opens: int = COUNT
    reason: str | None = None
    told: list[Told] = field(default_factory=list)

    def colours(self) -> list[list[int]]:
        return [[colour for colour, _ in row] for row in self.grid]

    def put(self, card: int, place: Place, at: int) -> None:
        row, col, i = place
        quarters, _ = turn(*face(self.deck, card), i)
        for (down, right), colour in zip(((0, 0), (0, 1), (1, 1), (1, 0)), quarters, strict=True):
            self.grid[row + down][col + right] = (colour, card)
        self.buried.add(card)
        self.areas.append((at, self.colours()))

    def legal(self, colours: list[list[int]], card: int, place: Place) -> bool:
        row, col, i = place
        quarters, _ = turn(*face(self.deck, card), i)
        under = [colours[row][col], colours[row][col + 1], colours[row + 1][col + 1], colours[row + 1][col]]
        return all(own == other or own == 0 or other == 0 for own, other in zip(quarters, under, strict=True))

    def safe(self, player: Player) -> Iterator[Place]:
        assert player.up is not None
        for place in PLACES:
            _, fingers = turn(*face(self.deck, player.up), place[2])
            if self.legal(self.colours(), player.up, place) and player.direction not in fingers:
                yield place

    def was_legal(self, card: int, place: Place, first: int, last: int) -> bool:
        """On an area that was current at some moment from `first` to `last`."""
        for number, (made, colours) in enumerate(self.areas):
            replaced = self.areas[number + 1][0] if number + 1 < len(self.areas) else last + 1
            if made == replaced:
                counts = first < made <= last
            else:
                counts = any(made <= moment < replaced for moment in range(first, last + 1))
            if counts and self.legal(colours, card, place):
                return True
        return False

    def refresh(self, at: int, number: int) -> None:
        if self.pile:
            card = self.pile.pop(0)
        else:
            seen = {card for row in self.grid for _, card in row}
            covered = sorted(self.buried - seen)
            if not covered:
                return
            card = covered[0]
        start = (53 * number) % 196
        for place in PLACES[start:] + PLACES[:start]:
            if self.legal(self.colours(), card, place):
                break
        else:
            place = (3, 3, 0)
        self.put(card, place, at)
        self.tell(at, "refreshed", None, write(place))

    def tell(self, at: int, code: str, seat: int | None = None, claim: str | None = None) -> None:
        self.told.append((at, code, seat, claim))

    def shown(self) -> dict[str, Any]:
        """As in a line of the trace."""
        return {
            "at": self.now,
            "phase": self.phase,
            "round": self.round,
            "area": ["".join(map(str, row)) for row in self.colours()],
            "queues": [len(player.queue) for player in self.players],
            "status": [player.status for player in self.players],
            "waiting": sum(player.claim is not None for player in self.players),
            "pile": len(self.pile),
        }

    def moments(self) -> list[int]:
        """When something may be due, and some more."""
        raise NotImplementedError

    def tick(self, t: int) -> None:
        """Do what is due at this very moment."""
        raise NotImplementedError

    def run(self, until: int) -> None:
        while self.phase != "over" and (coming := [t for t in self.moments() if self.now < t <= until]):
            self.now = min(coming)
            self.tick(self.now)
        self.now = until
