"""Scores and places of BlockYou!."""

from __future__ import annotations

from games.blockyou import solo
from games.blockyou.position import Position
from games.contract.values import Outcome

_NEVER = 0
"""Stands for the time of the last placement where cards are left: it makes no difference then."""


def scores(position: Position) -> tuple[int, ...]:
    """The cards left by seat, one turned up included: it would go back. Solo, milliseconds. Fewer are better."""
    if position.solo:
        return (solo.score(position),)
    return tuple(len(seat.returned) for seat in position.seats)


def places(position: Position) -> tuple[int, ...]:
    """Places by seat: the fewer cards the better, equal numbers share.

    Among players with none the earlier effective time of the last placement comes first; [ruling] equal times share.
    """
    ranks = [_rank(position, seat, left) for seat, left in enumerate(scores(position))]
    return tuple(1 + sum(other < own for other in ranks) for own in ranks)


def outcome(position: Position) -> Outcome | None:
    """How the match ended; None while it runs."""
    if position.reason is None:
        return None
    return Outcome(position.reason, places(position), scores(position))


def _rank(position: Position, seat: int, left: int) -> tuple[int, int]:
    placed_at = position.seats[seat].placed_at
    return left, placed_at if left == 0 and placed_at is not None else _NEVER
