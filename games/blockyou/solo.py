"""The solo match: one card after the other against the clock. [ruling] All of it; the sources give no rules for one.

There is no holding back and no lag: a claim is committed on arrival, and the card it settles makes room for the next.
"""

from __future__ import annotations

from dataclasses import replace

from games.blockyou import events
from games.blockyou.area import has_safe, is_legal
from games.blockyou.claims import points_at, spoilt_by
from games.blockyou.placement import Placement
from games.blockyou.position import IDLE, OPEN_ROUND, OVER, SEARCHING, Move, Position, Seat
from games.blockyou.refresh import refresh
from games.blockyou.timing import COUNT, LIMITS, PENALTY, SOLO_END
from games.contract.errors import IllegalMove
from games.contract.values import Event

SEAT = 0


def next_due(position: Position) -> int | None:
    """When the first card opens, the one that is up runs out, or the match stalls; None when it is over."""
    if position.phase == OVER:
        return None
    if position.closes is None:
        return position.opens
    return min(position.closes, SOLO_END)


def do_next(position: Position, at: int, happened: list[Event]) -> Position:
    """The position after the one thing that is due at `at`: the end of the match before anything else due then."""
    if at >= SOLO_END:
        happened.append(events.match_over(at, "stalled"))
        return _over(position, "stalled")
    if position.closes is None:
        return _open_card(position, at, happened)
    happened.append(events.ran_out(at, SEAT))
    return _settle(_put_back(position), at, happened, refreshed=not _has_safe(position))


def play_claim(position: Position, move: Move, *, at: int, happened: list[Event]) -> Position:
    """The position after a claim that is committed as it arrives. Raises `IllegalMove`: `not-open`."""
    if not position.is_open:
        raise IllegalMove("not-open")
    if not isinstance(move, Placement):
        return _play_nofit(position, at, happened)
    if not is_legal(position.area.colours, position.face_up(SEAT), move):
        change = spoilt_by(position, SEAT, move, at)
        if change is not None:
            happened.append(events.bounced(at, SEAT, move, at, change))
            return position
        happened.append(events.wrong(at, SEAT, move, penalty=bool(position.pile)))
        return _err(position, move, at, happened)
    if SEAT in points_at(position, SEAT, move):
        happened.append(events.self_block(at, SEAT, move, penalty=bool(position.pile)))
        return _err(position, move, at, happened)
    happened.append(events.placed(at, SEAT, move))
    return _settle(_lay_card(position, move, at), at, happened)


def score(position: Position) -> int:
    """Milliseconds from the first opening to the last settling, and the penalties.

    When stalled, up to the end of the match, whatever was settled. While the match runs, to the last settling so far.
    """
    until = SOLO_END if position.reason == "stalled" else position.settled
    return (0 if until is None else until - COUNT) + position.penalties


def _play_nofit(position: Position, at: int, happened: list[Event]) -> Position:
    """Judged by the area as it is, never bounced."""
    right = not _has_safe(position)
    happened.append(events.nofit(at, SEAT, right=right))
    if not right:
        position = replace(position, penalties=position.penalties + PENALTY)
    return _settle(_put_back(position), at, happened, refreshed=right)


def _err(position: Position, move: Placement, at: int, happened: list[Event]) -> Position:
    """The card stays and one of the pile is drawn; with the pile empty it goes to the back. Either way it costs."""
    position = replace(position, penalties=position.penalties + PENALTY)
    if not position.pile:
        return _settle(_put_back(position), at, happened)
    position = _lay_card(position, move, at)
    drawn, pile = position.pile[0], position.pile[1:]
    queue = (*position.seats[SEAT].queue, drawn)
    return _settle(replace(position, pile=pile).with_seat(SEAT, Seat(queue)), at, happened)


def _lay_card(position: Position, move: Placement, at: int) -> Position:
    state = position.seats[SEAT]
    assert state.up is not None
    area = position.area.with_card(state.up, position.setup.face(state.up), move)
    return position.with_area(area, at=at, seat=SEAT, effective=at).with_seat(SEAT, Seat(state.queue))


def _put_back(position: Position) -> Position:
    return position.with_seat(SEAT, Seat(position.seats[SEAT].returned))


def _settle(position: Position, at: int, happened: list[Event], *, refreshed: bool = False) -> Position:
    """The card is settled: the next one opens at once, unless there is none."""
    if refreshed:
        # By the number of cards settled before this one.
        position = refresh(position, at, position.round - 1, happened)
    position = replace(position, settled=at)
    if position.seats[SEAT].queue:
        return _open_card(replace(position, round=position.round + 1), at, happened)
    happened.append(events.match_over(at, "cleared"))
    return _over(position, "cleared")


def _open_card(position: Position, at: int, happened: list[Event]) -> Position:
    first, *rest = position.seats[SEAT].queue
    happened.append(events.opened(at, position.round))
    position = position.with_seat(SEAT, Seat(tuple(rest), up=first, status=SEARCHING))
    return replace(position, phase=OPEN_ROUND, opens=at, closes=at + LIMITS[position.setup.pace])


def _over(position: Position, reason: str) -> Position:
    """A card that is still up stays up."""
    state = replace(position.seats[SEAT], status=IDLE)
    return replace(position, phase=OVER, closes=None, reason=reason).with_seat(SEAT, state)


def _has_safe(position: Position) -> bool:
    return has_safe(position.area.colours, position.face_up(SEAT), position.setup.compass[SEAT])
