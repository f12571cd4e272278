"""What a viewer may know of a position of BlockYou!: never a face-down card, another's card, or a waiting claim."""

from __future__ import annotations

from dataclasses import dataclass

from games.blockyou.cards import CardFace
from games.blockyou.placement import SIZE, Placement
from games.blockyou.position import Position
from games.blockyou.results import outcome, scores
from games.blockyou.timing import COUNT
from games.contract.values import OPEN, Viewer

__all__ = ["BlockYouView", "CardFace", "Placement", "view_of"]


@dataclass(frozen=True, slots=True)
class BlockYouView:
    """A position as a viewer sees it: equal for all positions between which that viewer cannot tell.

    `pace` is "normal" or "expert"; `phase` "countdown", "open", "final" or "over". `round` is the one open or next to
    open; solo, the number of the card. All times are whole milliseconds since the match began: `opens` is when the
    round opened or will, None when over; `closes` the last effective time of a claim, None in the countdown and when
    over; `first_opened` when the first card of a solo match opened or will.

    `area` has eight rows of colour digits, `owners` the number of the card that each quarter belongs to; `laid` is
    where the last card was laid in this round, None before one was, and solo. By seat: `compass` (directions 0..7),
    `queues` (cards left, without one turned up), `turned_up`, `status`, `sits_out_next`, `scores`; and as far as the
    viewer may know them, `cards` (turned up) and `waiting` (claims not yet committed): a seat its own, OPEN all.
    `may_claim` is whether the viewer's seat may claim now. `penalties` are the milliseconds added in a solo match.
    `places` are None until the match is over.
    """

    viewer: Viewer
    solo: bool
    pace: str
    phase: str
    round: int
    opens: int | None
    closes: int | None
    area: tuple[str, ...]
    owners: tuple[tuple[int, ...], ...]
    laid: Placement | None
    compass: tuple[int, ...]
    queues: tuple[int, ...]
    turned_up: tuple[bool, ...]
    pile: int
    status: tuple[str, ...]
    sits_out_next: tuple[bool, ...]
    cards: tuple[CardFace | None, ...]
    waiting: tuple[Placement | None, ...]
    may_claim: bool
    penalties: int
    first_opened: int
    places: tuple[int, ...] | None
    scores: tuple[int, ...]


def view_of(position: Position, viewer: Viewer) -> BlockYouView:
    """The position as this viewer sees it."""
    setup, seats = position.setup, position.seats
    known = [viewer in (OPEN, seat) for seat in range(len(seats))]
    owners = position.area.owners
    ended = outcome(position)
    own = seats[viewer] if isinstance(viewer, int) else None
    return BlockYouView(
        viewer=viewer,
        solo=position.solo,
        pace=setup.pace,
        phase=position.phase,
        round=position.round,
        opens=None if ended else position.opens,
        closes=position.closes,
        area=position.area.rows,
        owners=tuple(owners[at : at + SIZE] for at in range(0, SIZE * SIZE, SIZE)),
        laid=position.laid,
        compass=setup.compass,
        queues=tuple(len(seat.queue) for seat in seats),
        turned_up=tuple(seat.up is not None for seat in seats),
        pile=len(position.pile),
        status=tuple(seat.status for seat in seats),
        sits_out_next=tuple(seat.sits_out for seat in seats),
        cards=tuple(
            setup.face(seat.up) if knows and seat.up is not None else None
            for knows, seat in zip(known, seats, strict=True)
        ),
        waiting=tuple(
            seat.claim.placement if knows and seat.claim is not None else None
            for knows, seat in zip(known, seats, strict=True)
        ),
        may_claim=own is not None and own.may_claim,
        penalties=position.penalties,
        first_opened=COUNT,
        places=ended.places if ended else None,
        scores=scores(position),
    )
