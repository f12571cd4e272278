"""Events as plain data, as the log of a match keeps them."""

from __future__ import annotations

from typing import Any

from games.contract.values import Event
from games.matches.models import LogEntry, Match

END_DECLINED = "end-declined"
"""The code of the entry that somebody would rather play on than end the match without a result."""

TAKEN_OVER, RETURNED = "taken-over", "returned"
"""The codes of the entries that a bot plays on for who has left, and that they have their seat back."""

EASED = "eased"
"""The code of the entry that a bot found no move, and the weakest level plays its seat on."""


def dump_event(event: Event) -> dict[str, Any]:
    """The event as plain data."""
    audience = sorted(event.audience) if event.audience is not None else None
    return {"at": event.at, "code": event.code, "params": dict(event.params), "audience": audience}


def load_event(data: dict[str, Any]) -> Event:
    """The event again. Lists in the parameters come back as tuples, as events have them."""
    audience = frozenset(data["audience"]) if data["audience"] is not None else None
    return Event(at=data["at"], code=data["code"], params=_params(data["params"]), audience=audience)


def new_entry(match: Match, event: Event) -> LogEntry:
    """The event as a row of the log, after the moves so far. It is for everybody, or for one seat alone."""
    assert event.audience is None or len(event.audience) == 1, "an event in real time is for all or for one seat"
    seat = min(event.audience) if event.audience is not None else None
    return LogEntry(match=match, ply=match.ply, at=event.at, code=event.code, params=dict(event.params), seat=seat)


def event_of(entry: LogEntry) -> Event:
    """The event again."""
    audience = frozenset({entry.seat}) if entry.seat is not None else None
    return Event(at=entry.at, code=entry.code, params=_params(entry.params), audience=audience)


def _params(data: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}
