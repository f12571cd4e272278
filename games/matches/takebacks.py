"""Whether the last move of a match may be taken back: the conditions, the same for pages and services. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from games.matches.models import LogEntry, Match, Move, Seat

TAKEN_BACK, REFUSED = "took-back", "takeback-refused"
"""Codes of the log's entries; that somebody asks stands in the match, not in the log."""


def why_final(match: Match, last: Move | None) -> str | None:
    """Why that last move stands for good, as a code; None if it may be taken back with everybody's consent.

    What its player has shown by it stays known; but nobody may have learnt anything of what chance had hidden.
    """
    revealing = match.game.info.revealing
    if match.status != Match.Status.RUNNING:
        return "over"
    if match.in_real_time or revealing is None:
        return "game"
    if match.rated:
        return "rated"
    if last is None:
        return "nothing"
    if last.kind != Seat.Kind.PERSON:
        return "house"
    if any(event["code"] in revealing for event in last.events):
        return "revealed"
    return None


def was_refused(last: Move, entries: Iterable[LogEntry]) -> bool:
    """Whether somebody has said no to taking back this very move."""
    return any(entry.code == REFUSED and entry.ply == last.ply and entry.at >= last.at for entry in entries)
