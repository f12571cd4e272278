"""Rounds in company: how one opens, goes on after a commit, and ends; and what is due when."""

from __future__ import annotations

from dataclasses import replace

from games.blockyou import events
from games.blockyou.area import has_safe
from games.blockyou.claims import commit_claim, next_claim
from games.blockyou.position import (
    COUNTDOWN,
    ERRED,
    FINAL_ROUND,
    IDLE,
    OPEN_ROUND,
    OVER,
    PLACED,
    SEARCHING,
    SITTING_OUT,
    Position,
    Seat,
)
from games.blockyou.refresh import refresh
from games.blockyou.timing import CAP, COUNT, FINAL, HOLD, PAUSE
from games.contract.values import Event

QUIET_ROUNDS = 5
"""[ruling] After so many rounds in a row in which nobody placed a card, the match is over."""


def next_due(position: Position) -> int | None:
    """When the next claim is committed, or the round opens or closes; None when the match is over."""
    if position.phase == OVER:
        return None
    if position.closes is None:
        return position.opens
    closing = position.closes + HOLD
    first = next_claim(position)
    return closing if first is None else min(closing, first[1].due)


def do_next(position: Position, at: int, happened: list[Event]) -> Position:
    """The position after the one thing that is due at `at`: claims come before a closing of the same time."""
    if position.closes is None:
        return open_round(position, at, happened)
    first = next_claim(position)
    if first is None or first[1].due > at:
        return _close(position, at, happened)
    seat, _ = first
    position, changed = commit_claim(position, seat, at, happened)
    return _go_on(position, at, happened, after=position.seats[seat].status) if changed else position


def open_round(position: Position, at: int, happened: list[Event]) -> Position:
    """All who do not sit out turn up a card. A round in which nobody may play is passed over."""
    if all(seat.sits_out for seat in position.seats):
        happened.append(events.passed_over(at, position.round))
        served = tuple(replace(seat, sits_out=False) for seat in position.seats)
        position = replace(position, round=position.round + 1, seats=served)
    happened.append(events.opened(at, position.round))
    seats = tuple(map(_opened, position.seats))
    position = replace(position, phase=OPEN_ROUND, opens=at, closes=at + CAP, seats=seats, laid=None)
    return _go_on(position, at, happened, after=SEARCHING)


def _opened(seat: Seat) -> Seat:
    if seat.sits_out:
        return Seat(seat.queue, status=SITTING_OUT)
    return Seat(seat.queue[1:], up=seat.queue[0], status=SEARCHING)


def _go_on(position: Position, at: int, happened: list[Event], *, after: str) -> Position:
    """The round by how many still search. `after` is the status of who has just acted; at the opening, searching."""
    searching = position.searching
    if not searching:
        return _end_round(position, at, happened)
    if len(searching) == 1:
        if after == PLACED:
            happened.append(events.last(at, searching[0]))
            return _end_round(position, at, happened)
        position = replace(position, phase=FINAL_ROUND, closes=at + FINAL)
        happened.append(events.final(at, at + FINAL))
    if not any(_has_safe(position, seat) for seat in searching):
        happened.append(events.stalemate(at))
        return _end_round(position, at, happened, refreshed=True)
    return position


def _has_safe(position: Position, seat: int) -> bool:
    return has_safe(position.area.colours, position.face_up(seat), position.setup.compass[seat])


def _close(position: Position, at: int, happened: list[Event]) -> Position:
    happened.append(events.closed(at, final=position.phase == FINAL_ROUND))
    return _end_round(position, at, happened)


def _end_round(position: Position, at: int, happened: list[Event], *, refreshed: bool = False) -> Position:
    """Cards still up go to the back, claims still waiting are dropped; then the match is over or the next round due."""
    number = position.round
    searched = tuple(seat for seat, state in enumerate(position.seats) if state.status != SITTING_OUT)
    # Any wrong card or self-block counts as placed here.
    busy = any(state.status in (PLACED, ERRED) for state in position.seats)
    for seat, state in enumerate(position.seats):
        if state.claim is not None:
            happened.append(events.dropped(at, seat, state.claim.placement, state.claim.effective, state.blocked))
    ended = tuple(
        Seat(state.returned, status=IDLE, sits_out=state.sits_out, placed_at=state.placed_at)
        for state in position.seats
    )
    position = replace(position, closes=None, seats=ended, quiet=0 if busy else position.quiet + 1)
    if refreshed:
        position = refresh(position, at, number, happened)
    happened.append(events.round_over(at, number, searched))
    if not all(state.queue for state in position.seats):
        return _end_match(position, at, happened, "cleared")
    if position.quiet >= QUIET_ROUNDS:
        return _end_match(position, at, happened, "stalled")
    return replace(position, phase=COUNTDOWN, round=number + 1, opens=at + PAUSE + COUNT)


def _end_match(position: Position, at: int, happened: list[Event], reason: str) -> Position:
    happened.append(events.match_over(at, reason))
    return replace(position, phase=OVER, reason=reason)
