"""The frozen values of BlockYou!: claims, seats, and the position."""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.blockyou.area import Area
from games.blockyou.cards import DECKS, CardFace
from games.blockyou.placement import Placement
from games.blockyou.timing import HOLD, SEEN

COUNTDOWN, OPEN_ROUND, FINAL_ROUND, OVER = "countdown", "open", "final", "over"
"""The phases. Solo, a match is open while a card is up."""

IDLE, SEARCHING, PLACED, BLOCKED, ERRED, SITTING_OUT = (
    "idle",
    "searching",
    "placed",
    "blocked",
    "erred",
    "sitting out",
)
"""The status of a seat; idle between rounds and when the match is over."""

KEPT = SEEN + HOLD
"""How long an area that was replaced can still matter to a claim."""


@dataclass(frozen=True, slots=True)
class NoFit:
    """Solo: the claim that the card fits nowhere safely."""


NOFIT = NoFit()

Move = Placement | NoFit


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that waits for its commit: when it arrived, and when it was made after allowing for the line."""

    placement: Placement
    arrived: int
    effective: int

    @property
    def due(self) -> int:
        """When it is committed: never in the millisecond of its arrival, so that all who arrive then are in."""
        return max(self.arrived + 1, self.effective + HOLD)


@dataclass(frozen=True, slots=True)
class Past:
    """Colours that were current until `until`, replaced by `seat` (None: by a refresh).

    `effective` is when that was done, after allowing for the line.
    """

    colours: str
    until: int
    seat: int | None
    effective: int


@dataclass(frozen=True, slots=True)
class Block:
    """Who blocked a seat, by a claim of that effective time."""

    seat: int
    effective: int


@dataclass(frozen=True, slots=True)
class Seat:
    """What a seat has. `queue` are its cards in the order of play, `up` the one turned up, which is not among them.

    `claim` waits for its commit. `blocked` says by whom, while the status is so. `sits_out` is whether the next round
    is lost for an error. `placed_at` is the effective time of a placement in the last round that was open.
    """

    queue: tuple[int, ...]
    up: int | None = None
    status: str = IDLE
    claim: Claim | None = None
    blocked: Block | None = None
    sits_out: bool = False
    placed_at: int | None = None

    @property
    def may_claim(self) -> bool:
        """Whether the seat searches, and has no claim waiting."""
        return self.status == SEARCHING and self.claim is None

    @property
    def returned(self) -> tuple[int, ...]:
        """The queue once the card that is up, if any, has gone to the back of it."""
        return self.queue if self.up is None else (*self.queue, self.up)


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same: the names of deck and pace, and the direction of each seat."""

    deck: str
    pace: str
    compass: tuple[int, ...]

    def face(self, card: int) -> CardFace:
        """The card's face in this deck."""
        return DECKS[self.deck][card]


@dataclass(frozen=True, slots=True)
class Position:
    """A position, brought to the time `now`. All times are milliseconds since the match began.

    `round` is the one open or next to open, `opens` when it opened or will; solo, the number of the card, and when it
    was turned up. `closes` is the last effective time of a claim, None in the countdown and when over. `past` are areas
    replaced within the last `KEPT`, the oldest first. `laid` is where the last card was laid since the round opened,
    None before one was, and solo. `pile` has the top card in front. `quiet` counts the rounds in a row in which nobody
    placed a card. Solo: `penalties` in ms, and when the last card was `settled`. `reason` is None until the match ends.
    """

    setup: Setup
    now: int
    phase: str
    round: int
    opens: int
    closes: int | None
    area: Area
    pile: tuple[int, ...]
    seats: tuple[Seat, ...]
    past: tuple[Past, ...] = ()
    laid: Placement | None = None
    quiet: int = 0
    penalties: int = 0
    settled: int | None = None
    reason: str | None = None

    @property
    def solo(self) -> bool:
        return len(self.seats) == 1

    @property
    def is_open(self) -> bool:
        """Whether a round is open; solo, whether a card is up and the match runs."""
        return self.phase in (OPEN_ROUND, FINAL_ROUND)

    @property
    def searching(self) -> tuple[int, ...]:
        """The seats that search, rising."""
        return tuple(seat for seat, state in enumerate(self.seats) if state.status == SEARCHING)

    def face_up(self, seat: int) -> CardFace:
        """The card that this seat has turned up."""
        card = self.seats[seat].up
        assert card is not None, "nothing is turned up"
        return self.setup.face(card)

    def with_seat(self, seat: int, state: Seat) -> Position:
        """The position with another state of that seat."""
        return replace(self, seats=(*self.seats[:seat], state, *self.seats[seat + 1 :]))

    def with_area(self, area: Area, *, at: int, seat: int | None, effective: int) -> Position:
        """The position with the area changed at `at`; the one before is remembered for claims made by it."""
        return replace(self, area=area, past=(*self.past, Past(self.area.colours, at, seat, effective)))

    def reached(self, at: int) -> Position:
        """The position at that time, in which nothing is due before; areas that can no longer matter are forgotten."""
        past = self.past
        if past and past[0].until <= at - KEPT:
            past = tuple(area for area in past if area.until > at - KEPT)
        return replace(self, now=at, past=past)


def fully_covered(position: Position) -> list[int]:
    """The cards of which nothing is seen any more, rising: those that are neither on top, nor held, nor in the pile."""
    elsewhere = {*position.area.owners, *position.pile, *(card for seat in position.seats for card in seat.returned)}
    return [card for card in range(len(DECKS[position.setup.deck])) if card not in elsewhere]
