"""Events as plain data, as the log of a match keeps them."""

from __future__ import annotations

from typing import Any

from games.contract.values import Event


def dump_event(event: Event) -> dict[str, Any]:
    """The event as plain data."""
    audience = sorted(event.audience) if event.audience is not None else None
    return {"at": event.at, "code": event.code, "params": dict(event.params), "audience": audience}


def load_event(data: dict[str, Any]) -> Event:
    """The event again. Lists in the parameters come back as tuples, as events have them."""
    params = {key: tuple(value) if isinstance(value, list) else value for key, value in data["params"].items()}
    audience = frozenset(data["audience"]) if data["audience"] is not None else None
    return Event(at=data["at"], code=data["code"], params=params, audience=audience)
