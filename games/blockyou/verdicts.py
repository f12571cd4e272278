"""What came of the claims of a match, and how long after the card had turned up they were made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.contract.values import Event, Verdict

RIGHT = {"placed": True, "nofit-right": True, "wrong": False, "self-block": False, "nofit-wrong": False}
"""Bounced and dropped claims are neither: another was quicker."""


def verdicts(events: Iterable[Event]) -> Sequence[Verdict]:
    """The verdicts of all events of a match. A claim is made when it arrives, whatever its line took."""
    opened = 0
    arrived: dict[int, int] = {}
    judged = []
    for event in events:
        if event.code == "opened":
            opened = event.at
        elif event.code == "claimed":
            arrived[event.params["seat"]] = event.at
        elif event.code in RIGHT:
            seat = event.params["seat"]
            # Solo a claim is judged as it arrives.
            judged.append(Verdict(seat, RIGHT[event.code], arrived.pop(seat, event.at) - opened))
    return judged
