"""What the places of a match come to for each seat. Pure."""

from __future__ import annotations

from collections.abc import Sequence

WON, SHARED, LOST = "won", "shared", "lost"


def seat_result(seat: int, *, places: Sequence[int], teams: Sequence[int]) -> str:
    """Whether the seat has won, shares the first place with another team, or has lost; both by seat."""
    if places[seat] != 1:
        return LOST
    shared = any(place == 1 and team != teams[seat] for place, team in zip(places, teams, strict=True))
    return SHARED if shared else WON
