"""The sentences of Auction. They are not translated: nobody reads them but tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.contract.values import Event, Options, OptionValue, Params
from tests.toy.rules import AuctionView

_REFUSALS = {
    "malformed": "A bid is written like “bid 7”.",
    "over": "The auction is over.",
    "not-your-turn": "You cannot bid now.",
    "not-in-hand": "You do not hold the {card}.",
    "too-late": "The round had closed {by} ms before.",
    "unknown-option": "Auction has no option “{option}”.",
    "bad-option": "There is no such choice for “{option}”.",
    "too-short-for-one": "Alone, three rounds are played.",
    "cards": "The deal must have each card from 1 to 24 once.",
}
_EVENTS = {
    "bid": "{who} bid the {card}.",
    "opened": "A round opens.",
    "won": "{who} won the {prize} with the {card}.",
    "unsold": "Nobody wanted the {prize}.",
}


def say(code: str, **params: Any) -> str:
    return f"{params['left']} prizes are left" if code == "prizes" else code


def hint(code: str, params: Params) -> str:
    """What the bid does."""
    said = {"highest": "bids the {card}, the highest", "left": "leaves {left} prizes"}
    return said[code].format_map(dict(params))


def refusal(code: str, params: Params) -> str:
    return _REFUSALS[code].format_map(dict(params))


def move(text: str, seat: int, names: Sequence[str]) -> str:
    return f"{names[seat]}: {text}"


def event(event: Event, names: Sequence[str]) -> str:
    seat = event.params.get("seat")
    who = names[seat] if isinstance(seat, int) else ""
    return _EVENTS[event.code].format_map({"who": who, **event.params})


def prompt(view: AuctionView, names: Sequence[str]) -> str:
    return "Bid a card." if view.may_bid else "Wait."


def reason(code: str) -> str:
    return {"sold": "everything is sold"}[code]


def tagline() -> str:
    return "Bid before the others do."


def option(key: str) -> str:
    return {"window": "Time to bid", "rounds": "Prizes"}[key]


def option_value(key: str, value: OptionValue) -> tuple[str, str]:
    return str(value), f"{option(key)}: {value}"


def seat(options: Options, players: int, seat: int) -> str:
    """All seats are alike."""
    return ""
