"""Whether a player may ask for hints: the conditions, the same for pages and services. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from games.matches.models import Match, Seat


def why_no_hints(match: Match, seats: Iterable[Seat], own: int) -> str | None:
    """Why who plays the seat `own` is given no hints in this running match, as a code; None if they may ask for them.

    They are for who plays against bots, and against nobody else: another person at the table would not know of them.
    """
    others = [seat for seat in seats if seat.index != own]
    if match.rated:
        return "rated"
    if not others:
        return "alone"  # it may count among the best times
    if any(seat.is_present for seat in others):
        return "company"
    return None if match.game.hints is not None else "game"
