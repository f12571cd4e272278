"""What people can do at a match, by name: the one service behind both doors, the socket and the form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from games.matches.callers import Caller
from games.matches.errors import BadInput
from games.matches.numbers import whole_number
from games.matches.services import at_once, invitations, play, rematches, tables, takebacks, takeovers

Data = Mapping[str, str]


class Arrival(NamedTuple):
    """What the door has measured: when it came, and how long the person's line took, in ms."""

    at: datetime
    lag: int = 0


def perform_act(*, act: str, slug: str, caller: Caller, data: Data, arrived: datetime, lag: int = 0) -> str | None:
    """Do what the form or message asks for. Raises `Refused`; an unknown act is a `BadInput`.

    Returns the slug of the match to which it leads, where that is not the one of the page: see `rematch`, `accept`.

    `data` are the form's fields as texts, `arrived` the moment at which the door received them, `lag` the person's
    line in ms as the server has measured it: no field says anything of either.
    """
    perform = ACTS.get(act)
    if perform is None:
        raise BadInput(what="act")
    caller.require_user()
    return perform(slug, caller, data, Arrival(arrived, lag))


def _move(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    play.play_move(
        slug=slug,
        caller=caller,
        text=data.get("move", ""),
        turn_key=data.get("turn_key", ""),
        key=data.get("key", ""),
        arrived=came.at,
        lag=came.lag,
    )


def _join(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    index = _number(data, "seat") if data.get("seat") else None
    tables.join_table(slug=slug, caller=caller, index=index, moment=came.at)


def _leave(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    tables.leave_table(slug=slug, caller=caller, moment=came.at)


def _unseat(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    tables.unseat(slug=slug, caller=caller, index=_number(data, "seat"), moment=came.at)


def _bot(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    level = data.get("level", at_once.PLAY_NOW_LEVEL)
    tables.seat_bot(slug=slug, caller=caller, index=_number(data, "seat"), level=level, moment=came.at)


def _ready(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    tables.set_ready(slug=slug, caller=caller, ready=_flag(data, "ready"), moment=came.at)


def _close(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    tables.close_table(slug=slug, caller=caller, moment=came.at)


def _resign(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    play.resign(slug=slug, caller=caller, moment=came.at)


def _cancel(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    play.cancel_match(slug=slug, caller=caller, moment=came.at)


def _end(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    play.agree_to_end(slug=slug, caller=caller, agreed=_flag(data, "agreed"), moment=came.at)


def _decline_end(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    play.decline_end(slug=slug, caller=caller, moment=came.at)


def _abandon(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    play.abandon_match(slug=slug, caller=caller, moment=came.at)


def _takeback(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    takebacks.answer_takeback(
        slug=slug, caller=caller, answer=data.get("answer", ""), ply=_number(data, "ply"), moment=came.at
    )


def _rematch(slug: str, caller: Caller, data: Data, came: Arrival) -> str | None:
    return rematches.offer_rematch(slug=slug, caller=caller, wanted=_flag(data, "wanted"), moment=came.at)


def _invite(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    invitations.invite_person(slug=slug, caller=caller, name=data.get("name", ""), moment=came.at)


def _accept(slug: str, caller: Caller, data: Data, came: Arrival) -> str:
    invitations.accept_invitation(slug=slug, caller=caller, moment=came.at)
    return slug


def _decline(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    invitations.decline_invitation(slug=slug, caller=caller, moment=came.at)


def _end_wait(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    play.end_wait(slug=slug, caller=caller, index=_number(data, "seat"), moment=came.at)


def _return(slug: str, caller: Caller, data: Data, came: Arrival) -> None:
    takeovers.return_to_seat(slug=slug, caller=caller, moment=came.at)


ACTS: dict[str, Callable[[str, Caller, Data, Arrival], str | None]] = {
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
    "decline-end": _decline_end,
    "abandon": _abandon,
    "takeback": _takeback,
    "rematch": _rematch,
    "invite": _invite,
    "accept": _accept,
    "decline": _decline,
    "end-wait": _end_wait,
    "return": _return,
}


def _number(data: Data, name: str) -> int:
    number = whole_number(data.get(name, ""), digits=3)
    if number is None:
        raise BadInput(what=name)
    return number


def _flag(data: Data, name: str) -> bool:
    text = data.get(name, "")
    if text not in ("0", "1"):
        raise BadInput(what=name)
    return text == "1"
