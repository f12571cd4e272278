"""Positions of BlockYou! as plain data: for storage, both ways, and as the lines of `record trace`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.blockyou.area import Area
from games.blockyou.notation import format_move, parse_move
from games.blockyou.placement import PLACEMENTS, Placement
from games.blockyou.position import Block, Claim, Past, Position, Seat, Setup
from games.contract.values import Json


def dump_position(position: Position) -> dict[str, Json]:
    """The whole position, hidden cards and waiting claims included."""
    setup, area = position.setup, position.area
    return {
        "setup": [setup.deck, setup.pace, list(setup.compass)],
        "now": position.now,
        "phase": position.phase,
        "round": position.round,
        "opens": position.opens,
        "closes": position.closes,
        "area": [area.colours, list(area.owners)],
        "past": [[past.colours, past.until, past.seat, past.effective] for past in position.past],
        "laid": None if position.laid is None else position.laid.number,
        "pile": list(position.pile),
        "seats": [_dump_seat(seat) for seat in position.seats],
        "quiet": position.quiet,
        "penalties": position.penalties,
        "settled": position.settled,
        "reason": position.reason,
    }


def load_position(data: Mapping[str, Any]) -> Position:
    """The position that was dumped."""
    deck, pace, compass = data["setup"]
    colours, owners = data["area"]
    return Position(
        setup=Setup(deck, pace, tuple(compass)),
        now=data["now"],
        phase=data["phase"],
        round=data["round"],
        opens=data["opens"],
        closes=data["closes"],
        area=Area(colours, tuple(owners)),
        past=tuple(Past(*past) for past in data["past"]),
        # Positions stored by an earlier version have none.
        laid=None if (laid := data.get("laid")) is None else PLACEMENTS[laid],
        pile=tuple(data["pile"]),
        seats=tuple(map(_load_seat, data["seats"])),
        quiet=data["quiet"],
        penalties=data["penalties"],
        settled=data["settled"],
        reason=data["reason"],
    )


def trace_position(position: Position) -> dict[str, Json]:
    """A line of `record trace`, all but its `ply`."""
    return {
        "at": position.now,
        "phase": position.phase,
        "round": position.round,
        "area": list(position.area.rows),
        "queues": [len(seat.queue) for seat in position.seats],
        "status": [seat.status for seat in position.seats],
        "waiting": sum(seat.claim is not None for seat in position.seats),
        "pile": len(position.pile),
    }


def _dump_seat(seat: Seat) -> Json:
    claim, blocked = seat.claim, seat.blocked
    return {
        "queue": list(seat.queue),
        "up": seat.up,
        "status": seat.status,
        "claim": None if claim is None else [format_move(claim.placement), claim.arrived, claim.effective],
        "blocked": None if blocked is None else [blocked.seat, blocked.effective],
        "sits_out": seat.sits_out,
        "placed_at": seat.placed_at,
    }


def _load_seat(data: Mapping[str, Any]) -> Seat:
    claim, blocked = data["claim"], data["blocked"]
    return Seat(
        queue=tuple(data["queue"]),
        up=data["up"],
        status=data["status"],
        claim=None if claim is None else _load_claim(*claim),
        blocked=None if blocked is None else Block(*blocked),
        sits_out=data["sits_out"],
        placed_at=data["placed_at"],
    )


def _load_claim(text: str, arrived: int, effective: int) -> Claim:
    placement = parse_move(text)
    assert isinstance(placement, Placement)
    return Claim(placement, arrived, effective)
