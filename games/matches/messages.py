"""What a match's page sends over its socket: a form's fields, as JSON."""

from __future__ import annotations

import json

from games.matches.errors import BadInput

MAX_MESSAGE = 4096
"""Characters in one message."""

PONG = "pong"
"""What a page says by itself when it has got a ping."""


def pong_in(text: str | None) -> str | None:
    """The token in a page's answer to a ping; None for any other message."""
    if text is None or PONG not in text:
        return None
    try:
        data = fields_in(text)
    except BadInput:
        return None
    return data.get("token", "") if data.get("act") == PONG else None


def fields_in(text: str | None) -> dict[str, str]:
    """A message as a form's fields. Raises `BadInput` for anything else."""
    if text is None or len(text) > MAX_MESSAGE:
        raise BadInput(what="message")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput(what="message") from None
    if not isinstance(data, dict):
        raise BadInput(what="message")
    fields = {name: value for name, value in data.items() if name != "HEADERS"}
    if not all(isinstance(value, str) for value in fields.values()):
        raise BadInput(what="message")
    return fields
