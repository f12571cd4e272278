"""A stored match as a record, and its positions one by one, as a viewer may see them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any, NamedTuple

from games.contract.record import make_record
from games.contract.values import Json
from games.matches.models import Match, Move, Seat
from games.matches.selectors import standing_moves

KEPT = 20
"""Matches whose positions are kept in a process, for who steps through them."""


class Film(NamedTuple):
    """Every position of a match, the start first, and the moves between them."""

    positions: Sequence[Any]
    moves: Sequence[Move]


_kept: OrderedDict[tuple[str, int], Film] = OrderedDict()
_lock = Lock()


def film(match: Match) -> Film:
    """The positions of the match up to its ply, replayed from the deal by the rules."""
    key = (match.slug, match.version)
    kept = _kept.get(key)
    if kept is not None:
        return kept
    rules = match.game.rules
    position = rules.start(match.options, match.deal or {}, match.seat_count)
    positions, moves = [position], standing_moves(match=match)
    for move in moves:
        position, _ = rules.advance(position, move.at)
        position, _ = rules.play(position, move.seat, rules.parse_move(move.text), at=move.at, lag=move.lag)
        positions.append(position)
    shot = Film(positions, moves)
    with _lock:
        _kept[key] = shot
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return shot


def match_record(match: Match, seats: Sequence[Seat]) -> dict[str, Json]:
    """The record of a match that is over. A running one has none, for anybody: its deal holds all that is hidden."""
    assert match.status == Match.Status.OVER
    leavers = sorted((seat for seat in seats if seat.left_order is not None), key=lambda seat: seat.left_order or 0)
    return make_record(
        game=match.game_slug,
        options=match.options,
        players=[seat.name for seat in seats],
        deal=match.deal or {},
        moves=[move.as_record() for move in standing_moves(match=match)],
        until=match.reached if match.game.info.real_time else None,
        # The rules' outcome where there is one, even if a moderator voided the match later: the moves lead there.
        outcome=match.outcome or {"reason": match.reason, **(match.standing or {})},
        left=[seat.index for seat in leavers],
    )
