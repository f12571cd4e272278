"""What is settled before the first round of BlockYou!: the table's options, the deal, and who has what at the start."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from games.blockyou.area import lay_out
from games.blockyou.cards import CARDS, DECKS
from games.blockyou.placement import TURNS
from games.blockyou.position import COUNTDOWN, Position, Seat, Setup
from games.blockyou.timing import COUNT, LIMITS
from games.contract.errors import BadDeal
from games.contract.strict_json import is_integer
from games.contract.values import GameInfo, Json, Option, Options

DIRECTIONS_USED = {1: (4,), 2: (4, 0), 3: (4, 7, 1), 4: (4, 6, 0, 2), 5: (4, 6, 7, 1, 2)}
"""By the number of players; who sits where is drawn by lot. [ruling] Directions are absolute for the table."""

AREA_CARDS = 16
QUEUE = 12

INFO = GameInfo(
    slug="blockyou",
    title="BlockYou!",
    min_seats=min(DIRECTIONS_USED),
    max_seats=max(DIRECTIONS_USED),
    options=(Option("deck", tuple(DECKS), "standard"), Option("pace", tuple(LIMITS), "normal", only_for=(1,))),
    reasons=("cleared", "stalled"),
    real_time=True,
    highlights=("opened",),
)


def draw_deal(players: int, rng: Random) -> dict[str, Json]:
    """The shuffled cards, how each area card is turned, and the direction of each seat."""
    return {
        "deck": list(rng.sample(range(CARDS), CARDS)),
        "turns": [rng.randrange(TURNS) for _ in range(AREA_CARDS)],
        "compass": list(rng.sample(DIRECTIONS_USED[players], players)),
    }


def start_position(options: Options, deal: object, players: int) -> Position:
    """The position before the first countdown, of complete options and a deal from outside, whatever it may be.

    Raises `BadDeal`: `wrong-type` (`key`; in a list also the `number` of the item, from 1), `missing-key` (`key`),
    `wrong-count` (`key`, `count`, `wanted`), `unknown-card` and `unknown-turn` (`number` of the item), `duplicate-card`
    (`card`), `wrong-compass` (`players`).
    """
    if not isinstance(deal, Mapping):
        raise BadDeal("wrong-type", key="deal")
    cards = _checked_numbers(deal, "deck", CARDS)
    turns = _checked_numbers(deal, "turns", AREA_CARDS)
    compass = _checked_numbers(deal, "compass", players)
    _check_range(cards, CARDS, "unknown-card")
    for at, card in enumerate(cards):
        if card in cards[:at]:
            raise BadDeal("duplicate-card", card=card)
    _check_range(turns, TURNS, "unknown-turn")
    if sorted(compass) != sorted(DIRECTIONS_USED[players]):
        raise BadDeal("wrong-compass", players=players)
    setup = Setup(str(options["deck"]), str(options["pace"]), compass)
    dealt = AREA_CARDS + QUEUE * players
    return Position(
        setup=setup,
        now=0,
        phase=COUNTDOWN,
        round=1,
        opens=COUNT,
        closes=None,
        area=lay_out((card, setup.face(card), turn) for card, turn in zip(cards, turns, strict=False)),
        pile=cards[dealt:],
        seats=tuple(Seat(cards[at : at + QUEUE]) for at in range(AREA_CARDS, dealt, QUEUE)),
    )


def _checked_numbers(deal: Mapping[Any, Any], key: str, wanted: int) -> tuple[int, ...]:
    if key not in deal:
        raise BadDeal("missing-key", key=key)
    numbers = deal[key]
    if not isinstance(numbers, list | tuple):
        raise BadDeal("wrong-type", key=key)
    if len(numbers) != wanted:
        raise BadDeal("wrong-count", key=key, count=len(numbers), wanted=wanted)
    for number, item in enumerate(numbers, 1):
        if not is_integer(item):
            raise BadDeal("wrong-type", key=key, number=number)
    return tuple(numbers)


def _check_range(numbers: tuple[int, ...], end: int, code: str) -> None:
    for number, item in enumerate(numbers, 1):
        if not 0 <= item < end:
            raise BadDeal(code, number=number)
