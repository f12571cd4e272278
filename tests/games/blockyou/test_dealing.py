"""The options, the deal, and who has what at the start."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from games.blockyou.dealing import draw_deal
from games.blockyou.rules import RULES
from games.contract.errors import BadDeal, BadOption

COMPASS = {1: [4], 2: [0, 4], 3: [1, 4, 7], 4: [0, 2, 4, 6], 5: [1, 2, 4, 6, 7]}


def deal(players: Any = 2, **parts: Any) -> dict[str, Any]:
    return {"deck": list(range(88)), "turns": [0] * 16, "compass": COMPASS[players], **parts}


def refused(given: Any, players: int = 2) -> tuple[str, dict[str, Any]]:
    with pytest.raises(BadDeal) as caught:
        RULES.start({}, given, players)
    return caught.value.code, dict(caught.value.params)


@pytest.mark.parametrize("players", range(1, 6))
def test_sixteen_cards_make_the_area_each_seat_gets_twelve_and_the_rest_is_the_pile(players: int) -> None:
    start = RULES.start({}, deal(players), players)
    assert start.area.owners[0::2][:4] == (0, 1, 2, 3)
    assert start.area.owners[-1] == 15
    assert [seat.queue for seat in start.seats] == [
        tuple(range(16 + 12 * seat, 28 + 12 * seat)) for seat in range(players)
    ]
    assert start.pile == tuple(range(16 + 12 * players, 88))
    assert list(start.setup.compass) == COMPASS[players]
    assert {seat.up for seat in start.seats} == {None}
    assert (start.phase, start.round, start.opens, RULES.due(start)) == ("countdown", 1, 3000, 3000)


def test_area_cards_are_turned_as_the_deal_says() -> None:
    """Card 0 is 0222, card 1 0423."""
    start = RULES.start({}, deal(turns=[2, 1, *[0] * 14]), 2)
    assert [row[:4] for row in start.area.rows[:2]] == ["2230", "2024"]


def test_the_deck_is_an_option() -> None:
    assert RULES.start({}, deal(), 2).area.rows[0][:2] == "02"
    assert RULES.start({"deck": "easy"}, deal(), 2).area.rows[0][:2] == "04"


@pytest.mark.parametrize("players", range(1, 6))
def test_a_deal_is_a_shuffle_of_everything(players: int) -> None:
    drawn: dict[str, Any] = draw_deal(players, Random(players))
    assert sorted(drawn["deck"]) == list(range(88))
    assert set(drawn["turns"]) <= {0, 1, 2, 3}
    assert len(drawn["turns"]) == 16
    assert sorted(drawn["compass"]) == COMPASS[players]


def test_directions_are_given_out_at_random() -> None:
    drawn: Counter[Any] = Counter()
    for seed in range(300):
        made: dict[str, Any] = draw_deal(3, Random(seed))
        drawn[tuple(made["compass"])] += 1
    assert len(drawn) == 6
    assert min(drawn.values()) > 20


def test_what_is_wrong_with_a_deal_is_said() -> None:
    assert refused("no deal") == ("wrong-type", {"key": "deal"})
    for key in deal():
        assert refused({other: value for other, value in deal().items() if other != key}) == (
            "missing-key",
            {"key": key},
        )
        assert refused(deal(**{key: 5})) == ("wrong-type", {"key": key})
        wanted = len(deal()[key])
        assert refused(deal(**{key: deal()[key][1:]})) == (
            "wrong-count",
            {"key": key, "count": wanted - 1, "wanted": wanted},
        )
        assert refused(deal(**{key: [True, *deal()[key][1:]]})) == ("wrong-type", {"key": key, "number": 1})
    assert refused(deal(deck=[*range(87), 88])) == ("unknown-card", {"number": 88})
    assert refused(deal(deck=[-1, *range(1, 88)])) == ("unknown-card", {"number": 1})
    assert refused(deal(deck=[*range(87), 7])) == ("duplicate-card", {"card": 7})
    assert refused(deal(turns=[0] * 15 + [4])) == ("unknown-turn", {"number": 16})
    assert refused(deal(compass=[4, 4])) == ("wrong-compass", {"players": 2})
    assert refused(deal(compass=[4, 6])) == ("wrong-compass", {"players": 2})


def test_options_have_their_defaults() -> None:
    assert RULES.complete_options({}, 5) == {"deck": "standard", "pace": "normal"}
    for wrong in ({"deck": "hard"}, {"pace": 10}, {"speed": "fast"}):
        with pytest.raises(BadOption):
            RULES.complete_options(wrong, 2)


@pytest.mark.parametrize("players", [0, 6])
def test_one_to_five_play(players: int) -> None:
    with pytest.raises(BadOption):
        RULES.complete_options({}, players)
