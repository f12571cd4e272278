"""How a match ends: by the rules, by leaving, by agreement, or by a moderator's word."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from games.matches.errors import NotFound
from games.matches.models import Match, Seat
from games.matches.services.sitting import Sitting, locked_match

RESIGNED, ABANDONED, VOIDED, CANCELLED = "resigned", "abandoned", "voided", "cancelled"


def settle_outcome(sitting: Sitting, moment: datetime) -> None:
    """End the match if the rules say that it is over; otherwise say when it is to be looked at next."""
    outcome = sitting.rules.outcome(sitting.position)
    if outcome is None:
        sitting.schedule(moment)
        return
    sitting.match.outcome = outcome.as_json()
    places = standing_places(seats=sitting.seats, places=outcome.places)
    finish_match(sitting, moment, reason=outcome.reason, places=places)


def settle_leaving(sitting: Sitting, moment: datetime) -> None:
    """End the match if leaving has decided it: one competitor or team is left, or no person is."""
    stayed = [seat for seat in sitting.seats if seat.left_order is None]
    teams = sitting.rules.teams(sitting.match.options, len(sitting.seats))
    if len({teams[seat.index] for seat in stayed}) > 1 and any(seat.is_present for seat in stayed):
        return
    places = standing_places(seats=sitting.seats, places=[1] * len(sitting.seats))
    finish_match(sitting, moment, reason=RESIGNED, places=places)


def finish_match(sitting: Sitting, moment: datetime, *, reason: str, places: Sequence[int] | None) -> None:
    """The match is over, now. Without `places` it has no result, and so no standing."""
    match = sitting.match
    match.status = Match.Status.OVER
    match.reason = reason
    # A match that is voided later has ended when it ended.
    match.finished_at = match.finished_at or max(moment, match.touched_at)
    match.due_at = None
    match.to_move = []
    match.standing = None
    if places is not None:
        match.standing = {"places": list(places), "scores": list(sitting.rules.scores(sitting.position))}
    sitting.touch(moment, in_lobby=True)


def standing_places(*, seats: Sequence[Seat], places: Sequence[int]) -> list[int]:
    """Places by seat with leavers behind all who stayed, who left first last; equal results share: 1, 1, 3."""

    def rank(seat: Seat) -> tuple[int, int]:
        return (0, places[seat.index]) if seat.left_order is None else (1, -seat.left_order)

    ranks = [rank(seat) for seat in seats]
    return [1 + sum(other < own for other in ranks) for own in ranks]


def void_match(*, slug: str, moment: datetime) -> None:
    """A moderator's word: the match has no result. What was played stays in the log. Raises `NotFound`."""
    with locked_match(slug=slug) as sitting:
        if sitting.match.status not in (Match.Status.RUNNING, Match.Status.OVER):
            raise NotFound
        finish_match(sitting, moment, reason=VOIDED, places=None)
