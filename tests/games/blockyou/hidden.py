"""What a viewer of BlockYou! may not know: cards that lie face down or are turned up by others, and waiting claims."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from random import Random

from games.blockyou.notation import format_move
from games.blockyou.placement import PLACEMENTS
from games.blockyou.position import SEARCHING, Claim, Position, Seat
from games.blockyou.timing import HOLD
from games.contract.values import Viewer


def twin(position: Position, viewer: Viewer, rng: Random) -> Position:
    """Deal all queues, the pile and the others' cards anew, and let others have claimed, or not, at some other time."""
    return _dealt_anew(position, viewer, rng, known=())


def twin_move(position: Position, seat: int, text: str, viewer: Viewer, rng: Random) -> tuple[Position, str]:
    """In company any claim of another looks like any other, since nothing is said of it before its commit.

    Solo it is committed at once: all see the card if it stays, and the top of the pile if it refreshes the area.
    """
    if position.solo:
        shown = [card for card in (position.seats[seat].up, *position.pile[:1]) if card is not None]
        return _dealt_anew(position, viewer, rng, known=shown), text
    dealt = twin(position, viewer, rng)
    return dealt.with_seat(seat, replace(dealt.seats[seat], claim=None)), format_move(rng.choice(PLACEMENTS))


def _dealt_anew(position: Position, viewer: Viewer, rng: Random, known: Collection[int]) -> Position:
    """`known` are cards that must stay where they are."""
    own = position.seats[viewer].up if isinstance(viewer, int) else None
    stay = {*known, own}
    held = [card for seat in position.seats for card in seat.returned]
    pool = [card for card in (*held, *position.pile) if card not in stay]
    rng.shuffle(pool)

    def other(card: int) -> int:
        return card if card in stay else pool.pop()

    seats = []
    for number, seat in enumerate(position.seats):
        queue, up = tuple(map(other, seat.queue)), None if seat.up is None else other(seat.up)
        dealt = replace(seat, queue=queue, up=up)
        seats.append(dealt if number == viewer or position.solo else _claimed_anew(position, dealt, rng))
    return replace(position, pile=tuple(map(other, position.pile)), seats=tuple(seats))


def _claimed_anew(position: Position, seat: Seat, rng: Random) -> Seat:
    """The seat with some claim that could wait now, or with none; a blocked one may have had one before."""
    if seat.status != SEARCHING and seat.blocked is None:
        return seat
    earliest = max(position.opens, position.now - HOLD + 1)
    if rng.random() < 0.5 or earliest > position.now:
        return replace(seat, claim=None)
    arrived = rng.randint(earliest, position.now)
    return replace(seat, claim=Claim(rng.choice(PLACEMENTS), arrived, arrived))
