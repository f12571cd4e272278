"""Before the first turn of M: options, deals, the starting M, and whatever else comes from outside."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from games.contract.errors import BadDeal, BadOption
from games.m.dealing import draw_first
from games.m.rules import RULES
from games.m.tiles import ALL_TILES, COPIES


def deal_for(players: int, seed: int = 1) -> dict[str, Any]:
    return dict(RULES.deal({"start": "zigzag"}, [""] * players, Random(seed)))


@pytest.mark.parametrize("players", range(2, 7))
def test_a_deal_holds_ten_tiles_a_seat_and_thirty(players: int) -> None:
    deal = deal_for(players)
    assert len(deal["tiles"]) == 10 * (players + 3)
    assert all(count <= COPIES[tile] for tile, count in Counter(deal["tiles"]).items())
    assert 0 <= deal["first"] < players


@pytest.mark.parametrize("players", range(2, 7))
def test_tiles_go_to_the_field_then_to_the_hands_then_to_the_stack(players: int) -> None:
    deal = deal_for(players) | {"first": 1}
    tiles = deal["tiles"]
    start = RULES.start({}, deal, players)
    assert start.table == {(0, 1): tiles[0], (1, 0): tiles[1], (2, 1): tiles[2], (3, 0): tiles[3], (4, 1): tiles[4]}
    for seat in range(players):
        assert start.hands[seat] == tuple(sorted(tiles[5 + 4 * seat : 9 + 4 * seat]))
    assert start.stack == tuple(tiles[5 + 4 * players :])
    assert start.chips == (6,) * players
    assert start.taken == ((),) * players
    assert RULES.to_move(start) == (1,)


def test_the_arch_is_the_other_starting_m() -> None:
    deal = deal_for(2)
    tiles = deal["tiles"]
    start = RULES.start({"start": "arch"}, deal, 2)
    assert start.table == {(0, 1): tiles[0], (0, 0): tiles[1], (1, 0): tiles[2], (2, 0): tiles[3], (2, 1): tiles[4]}


def test_zigzag_is_the_default() -> None:
    assert RULES.complete_options({}, 2) == {"start": "zigzag"}
    assert RULES.complete_options({"start": "arch"}, 6) == {"start": "arch"}


def test_the_same_chance_gives_the_same_deal() -> None:
    assert deal_for(4, seed=7) == deal_for(4, seed=7) != deal_for(4, seed=8)


@pytest.mark.parametrize(
    ("names", "firsts"),
    [
        (["Mimi", "Tom", "Bo"], {0}),
        (["Tom", "mMm", "Mimi"], {1}),
        (["Emma", "Mimi", "Tom"], {0, 1}),
        (["", "", ""], {0, 1, 2}),
        (["Bo", "Al"], {0, 1}),
    ],
)
def test_the_name_with_most_letters_m_starts_and_ties_are_by_lot(names: list[str], firsts: set[int]) -> None:
    assert {draw_first(names, Random(seed)) for seed in range(60)} == firsts


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"start": "circle"}, "bad-option"),
        ({"start": ""}, "bad-option"),
        ({"start": None}, "bad-option"),
        ({"start": True}, "bad-option"),
        ({"start": ["zigzag"]}, "bad-option"),
        ({"start": {}}, "bad-option"),
        ({"start": 10**5000}, "bad-option"),
        ({"begin": "zigzag"}, "unknown-option"),
        ({"start": "arch", "\ud800" * 1000: 1}, "unknown-option"),
        (None, "wrong-type"),
        ([], "wrong-type"),
        ("start", "wrong-type"),
    ],
)
def test_bad_options(given: Any, code: str) -> None:
    with pytest.raises(BadOption) as refused:
        RULES.complete_options(given, 2)
    assert refused.value.code == code
    str(refused.value).encode("utf-8")
    with pytest.raises(BadOption):
        RULES.start(given, deal_for(2), 2)


@pytest.mark.parametrize("players", [-1, 0, 1, 7, 1000])
def test_two_to_six_play(players: int) -> None:
    with pytest.raises(BadOption) as refused:
        RULES.start({}, deal_for(2), players)
    assert refused.value.code == "player-count"


TILES = list(ALL_TILES)


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        (None, "wrong-type"),
        (5, "wrong-type"),
        ("tiles", "wrong-type"),
        ([], "wrong-type"),
        ({}, "missing-key"),
        ({"tiles": TILES[:50]}, "missing-key"),
        ({"first": 0}, "missing-key"),
        ({"tiles": None, "first": 0}, "wrong-type"),
        ({"tiles": "RT3" * 50, "first": 0}, "wrong-type"),
        ({"tiles": dict.fromkeys(TILES, 1), "first": 0}, "wrong-type"),
        ({"tiles": [], "first": 0}, "tile-count"),
        ({"tiles": TILES[:49], "first": 0}, "tile-count"),
        ({"tiles": TILES[:51], "first": 0}, "tile-count"),
        ({"tiles": [None] * 1_000_000, "first": 0}, "tile-count"),
        ({"tiles": [None] * 50, "first": 0}, "wrong-type"),
        ({"tiles": [["RT3"]] * 50, "first": 0}, "wrong-type"),
        ({"tiles": [{}, *TILES[:49]], "first": 0}, "wrong-type"),
        ({"tiles": [*TILES[:49], 3], "first": 0}, "wrong-type"),
        ({"tiles": [*TILES[:49], True], "first": 0}, "wrong-type"),
        ({"tiles": [*TILES[:49], "RT5"], "first": 0}, "unknown-tile"),
        ({"tiles": [*TILES[:49], "rt3"], "first": 0}, "unknown-tile"),
        ({"tiles": [*TILES[:49], "RT3 "], "first": 0}, "unknown-tile"),
        ({"tiles": [*TILES[:49], "\ud800"], "first": 0}, "unknown-tile"),
        ({"tiles": [*TILES[:49], TILES[0]], "first": 0}, "duplicate-tile"),
        ({"tiles": [*TILES[:47], "R0", "R0", "R0"], "first": 0}, "duplicate-tile"),
        ({"tiles": TILES[:50], "first": None}, "wrong-type"),
        ({"tiles": TILES[:50], "first": True}, "wrong-type"),
        ({"tiles": TILES[:50], "first": 0.0}, "wrong-type"),
        ({"tiles": TILES[:50], "first": float("nan")}, "wrong-type"),
        ({"tiles": TILES[:50], "first": "0"}, "wrong-type"),
        ({"tiles": TILES[:50], "first": [0]}, "wrong-type"),
        ({"tiles": TILES[:50], "first": 10**5000}, "wrong-type"),
        ({"tiles": TILES[:50], "first": -1}, "wrong-seat"),
        ({"tiles": TILES[:50], "first": 2}, "wrong-seat"),
        ({"tiles": TILES[:50], "first": 2**53 - 1}, "wrong-seat"),
    ],
)
def test_a_deal_from_outside_is_refused_for_what_is_wrong_with_it(deal: Any, code: str) -> None:
    with pytest.raises(BadDeal) as refused:
        RULES.start({}, deal, 2)
    assert refused.value.code == code
    str(refused.value).encode("utf-8")


def test_both_zeros_of_a_colour_may_be_dealt_and_more_keys_do_no_harm() -> None:
    tiles = [*(tile for tile in TILES if tile[1] != "0"), "R0", "R0", "Y0", "Y0"][-50:]
    start = RULES.start({}, {"tiles": tiles, "first": 1, "note": ["x"]}, 2)
    assert start.stack[-4:] == ("R0", "R0", "Y0", "Y0")
