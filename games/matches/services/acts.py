"""What people can do at a match, by name: the one service behind both doors, the socket and the form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from games.matches.callers import Caller
from games.matches.errors import BadInput
from games.matches.services import play, tables

Data = Mapping[str, str]


def perform_act(*, act: str, slug: str, caller: Caller, data: Data, arrived: datetime) -> None:
    """Do what the form or message asks for. Raises `Refused`; an unknown act is a `BadInput`.

    `data` are the form's fields as texts, `arrived` the moment at which the door received them.
    """
    perform = ACTS.get(act)
    if perform is None:
        raise BadInput(what="act")
    caller.require_user()
    perform(slug, caller, data, arrived)


def _move(slug: str, caller: Caller, data: Data, arrived: datetime) -> None:
    play.play_move(
        slug=slug,
        caller=caller,
        text=data.get("move", ""),
        turn_key=data.get("turn_key", ""),
        key=data.get("key", ""),
        arrived=arrived,
    )


def _join(slug: str, caller: Caller, data: Data, arrived: datetime) -> None:
    index = _number(data, "seat") if data.get("seat") else None
    tables.join_table(slug=slug, caller=caller, index=index, moment=arrived)


def _leave(slug: str, caller: Caller, data: Data, arrived: datetime) -> None:
    tables.leave_table(slug=slug, caller=caller, moment=arrived)


def _unseat(slug: str, caller: Caller, data: Data, arrived: datetime) -> None:
    tables.unseat(slug=slug, caller=caller, index=_number(data, "seat"), moment=arrived)


def _bot(slug: str, caller: Caller, data: Data, arrived: datetime) -> None:
    level = data.get("level", tables.PLAY_NOW_LEVEL)
    tables.seat_bot(slug=slug, caller=caller, index=_number(data, "seat"), level=level, moment=arrived)


def _ready(slug: str, caller: Caller, data: Data, arrived: datetime) -> None:
    tables.set_ready(slug=slug, caller=caller, ready=_flag(data, "ready"), moment=arrived)


def _close(slug: str, caller: Caller, data: Data, arrived: datetime) -> None:
    tables.close_table(slug=slug, caller=caller, moment=arrived)


def _resign(slug: str, caller: Caller, data: Data, arrived: datetime) -> None:
    play.resign(slug=slug, caller=caller, moment=arrived)


def _cancel(slug: str, caller: Caller, data: Data, arrived: datetime) -> None:
    play.cancel_match(slug=slug, caller=caller, moment=arrived)


def _end(slug: str, caller: Caller, data: Data, arrived: datetime) -> None:
    play.agree_to_end(slug=slug, caller=caller, agreed=_flag(data, "agreed"), moment=arrived)


ACTS: dict[str, Callable[[str, Caller, Data, datetime], None]] = {
    "move": _move,
    "join": _join,
    "leave": _leave,
    "unseat": _unseat,
    "bot": _bot,
    "ready": _ready,
    "close": _close,
    "resign": _resign,
    "cancel": _cancel,
    "end": _end,
}


def _number(data: Data, name: str) -> int:
    text = data.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise BadInput(what=name)
    return int(text)


def _flag(data: Data, name: str) -> bool:
    text = data.get(name, "")
    if text not in ("0", "1"):
        raise BadInput(what=name)
    return text == "1"
