"""Claims in company: when one is accepted, and what becomes of it when it is committed.

A claim is refused with one of these codes, looked for in this order: `not-open` (no round is open), `sitting-out`,
`done` (the card is placed), `blocked`, `erred`, `claim-waiting`, `too-late` (`by` so many ms).
"""

from __future__ import annotations

from dataclasses import replace

from games.blockyou import events
from games.blockyou.area import is_legal
from games.blockyou.cards import turned
from games.blockyou.placement import Placement
from games.blockyou.position import (
    BLOCKED,
    ERRED,
    IDLE,
    PLACED,
    SEARCHING,
    SITTING_OUT,
    Block,
    Claim,
    Past,
    Position,
)
from games.blockyou.timing import HOLD, SEEN
from games.contract.errors import IllegalMove
from games.contract.values import Event

_REFUSED = {IDLE: "not-open", SITTING_OUT: "sitting-out", PLACED: "done", BLOCKED: "blocked", ERRED: "erred"}


def accept_claim(
    position: Position, seat: int, placement: Placement, *, at: int, lag: int, happened: list[Event]
) -> Position:
    """The position with the claim waiting. Raises `IllegalMove`."""
    state = position.seats[seat]
    if state.status != SEARCHING:
        raise IllegalMove(_REFUSED[state.status])
    if state.claim is not None:
        raise IllegalMove("claim-waiting")
    assert position.closes is not None, "a seat searches, so a round is open"
    effective = max(position.opens, at - min(lag, HOLD))
    if effective > position.closes:
        raise IllegalMove("too-late", by=effective - position.closes)
    happened.append(events.claimed(at, seat, placement))
    return position.with_seat(seat, replace(state, claim=Claim(placement, at, effective)))


def next_claim(position: Position) -> tuple[int, Claim] | None:
    """The claim to commit first, and its seat: by due time, effective time, more cards in the queue, lower seat."""
    waiting = [(seat, state.claim) for seat, state in enumerate(position.seats) if state.claim is not None]
    if not waiting:
        return None
    return min(waiting, key=lambda one: (one[1].due, one[1].effective, -len(position.seats[one[0]].queue), one[0]))


def commit_claim(position: Position, seat: int, at: int, happened: list[Event]) -> tuple[Position, bool]:
    """The position after the verdict on the seat's claim, and whether it changed anything but that no claim waits."""
    state = position.seats[seat]
    claim = state.claim
    assert claim is not None, "nothing waits"
    position = position.with_seat(seat, replace(state, claim=None))
    if state.status != SEARCHING:
        happened.append(events.dropped(at, seat, claim.placement, claim.effective, state.blocked))
        return position, False
    if is_legal(position.area.colours, position.face_up(seat), claim.placement):
        return _commit_fitting(position, seat, claim, at, happened), True
    change = spoilt_by(position, seat, claim.placement, claim.effective)
    if change is not None:
        happened.append(events.bounced(at, seat, claim.placement, claim.effective, change))
        return position, False
    happened.append(events.wrong(at, seat, claim.placement, penalty=bool(position.pile)))
    return _err(position, seat, claim, at), True


def spoilt_by(position: Position, seat: int, placement: Placement, effective: int) -> Past | None:
    """For a placement that is not legal now: the area on which it last was, with who changed it.

    None if it was not legal on any that was current since `SEEN` before the claim was made. An area is current up to,
    not including, the millisecond of the change that replaced it; one made and replaced within a millisecond counts.
    """
    face = position.face_up(seat)
    for past in reversed(position.past):
        if past.until > effective - SEEN and is_legal(past.colours, face, placement):
            return past
    return None


def points_at(position: Position, seat: int, placement: Placement) -> tuple[int, ...]:
    """The seats in whose directions the fingers of the seat's card point, placed so."""
    fingers = turned(position.face_up(seat), placement.turn).fingers
    return tuple(other for other, direction in enumerate(position.setup.compass) if direction in fingers)


def _commit_fitting(position: Position, seat: int, claim: Claim, at: int, happened: list[Event]) -> Position:
    """Placed, or a self-block; either way all others who search and are pointed at are blocked."""
    hit = points_at(position, seat, claim.placement)
    if seat in hit:
        happened.append(events.self_block(at, seat, claim.placement, penalty=bool(position.pile)))
        position = _err(position, seat, claim, at)
    else:
        happened.append(events.placed(at, seat, claim.placement))
        position = _lay_card(position, seat, claim, at)
        done = replace(position.seats[seat], up=None, status=PLACED, placed_at=claim.effective)
        position = position.with_seat(seat, done)
    for other in hit:
        # [ruling] Fingers don't touch players who are not searching.
        if other in position.searching:
            happened.append(events.blocked(at, other, seat))
            state = position.seats[other]
            block = Block(seat, claim.effective)
            out = replace(state, queue=state.returned, up=None, status=BLOCKED, blocked=block)
            position = position.with_seat(other, out)
    return position


def _err(position: Position, seat: int, claim: Claim, at: int) -> Position:
    """The card stays on the area and one of the pile is drawn; [ruling] with the pile empty, the card goes back."""
    state = position.seats[seat]
    queue = state.returned
    if position.pile:
        position = _lay_card(position, seat, claim, at)
        queue = (*state.queue, position.pile[0])
        position = replace(position, pile=position.pile[1:])
    return position.with_seat(seat, replace(state, queue=queue, up=None, status=ERRED, claim=None, sits_out=True))


def _lay_card(position: Position, seat: int, claim: Claim, at: int) -> Position:
    card = position.seats[seat].up
    assert card is not None
    area = position.area.with_card(card, position.setup.face(card), claim.placement)
    return replace(position, laid=claim.placement).with_area(area, at=at, seat=seat, effective=claim.effective)
