"""Before the first move of Block Buster: options, layouts, and what each mode starts with."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from games.block_buster.blocks import BLOCKS, SQUARES
from games.block_buster.dealing import FIXED_LAYOUTS, draw_layout
from games.block_buster.modes import MODES, Mode
from games.block_buster.rules import RULES
from games.contract.errors import BadDeal, BadOption
from tests.games.block_buster.boards import start

FIXED: dict[str, Any] = {"layout": ["AAB", "CBA", "BCC"]}
LARGE: dict[str, Any] = {"layout": ["ABACD", "EDCAC", "CEBDA", "BCEAD", "EBDEB"]}


@pytest.mark.parametrize(
    ("mode", "players", "size", "colours", "squares", "tokens", "supply"),
    [
        ("standard", 2, 12, 2, 54, (-3, 0), (7, 7)),
        ("standard", 3, 16, 3, 59, (-4, -2, 0), (5, 8)),
        ("standard", 4, 20, 4, 64, (-2, -1, 0, 0), (7, 7)),
        ("two-colours", 2, 20, 4, 64, (-3, 0), (7, 7)),
        ("official-duel", 2, 20, 2, 128, (-3, 0), (7, 7)),
        ("pairs", 4, 20, 4, 64, (-2, 0, 0, 0), (7, 8)),
    ],
)
def test_what_each_mode_starts_with(
    mode: str,
    players: int,
    size: int,
    colours: int,
    squares: int,
    tokens: tuple[int, ...],
    supply: tuple[int, int],
) -> None:
    begun = start(mode, players)
    view = RULES.view(begun, 0)
    assert len(view.board) == len(view.board[0]) == size
    assert len(begun.left) == colours
    assert all(sum(SQUARES[block] for block in left) == squares for left in begun.left)
    assert (begun.tokens, begun.supply) == (tokens, supply)
    assert (begun.turn, begun.out, begun.placed, begun.reason) == (0, (), (), None)
    assert RULES.to_move(begun) == (0,)


def test_which_blocks_are_left_out() -> None:
    assert set(BLOCKS) - set(start(players=2).left[0]) == {"F5", "I5"}
    assert set(BLOCKS) - set(start(players=3).left[2]) == {"F5"}
    assert start(players=4).left[3] == BLOCKS
    assert Counter(start("official-duel").left[1]) == Counter(2 * BLOCKS)


@pytest.mark.parametrize(
    ("mode", "players", "teams", "owners"),
    [
        ("standard", 2, (0, 1), (0, 1)),
        ("standard", 3, (0, 1, 2), (0, 1, 2)),
        ("standard", 4, (0, 1, 2, 3), (0, 1, 2, 3)),
        ("two-colours", 2, (0, 1), (0, 1, 0, 1)),
        ("official-duel", 2, (0, 1), (0, 1)),
        ("pairs", 4, (0, 1, 0, 1), (0, 1, 2, 3)),
    ],
)
def test_seats_colours_and_teams(mode: str, players: int, teams: tuple[int, ...], owners: tuple[int, ...]) -> None:
    assert RULES.teams({"mode": mode}, players) == teams
    assert MODES[mode, players].owners == owners


@pytest.mark.parametrize(
    ("given", "players", "complete"),
    [
        ({}, 2, {"mode": "standard", "layout": "fixed"}),
        ({}, 3, {"mode": "standard", "layout": "fixed"}),
        ({"layout": "random"}, 4, {"mode": "standard", "layout": "random"}),
        ({"mode": "pairs"}, 4, {"mode": "pairs", "layout": "fixed"}),
        ({"mode": "two-colours"}, 2, {"mode": "two-colours", "layout": "fixed", "collection": 3}),
        (
            {"mode": "official-duel", "collection": 4},
            2,
            {"mode": "official-duel", "layout": "fixed", "collection": 4},
        ),
    ],
)
def test_a_collection_is_an_option_of_two_modes_only(
    given: dict[str, Any], players: int, complete: dict[str, Any]
) -> None:
    assert RULES.complete_options(given, players) == complete


@pytest.mark.parametrize(
    ("options", "players", "collection"),
    [
        ({}, 2, 3),
        ({}, 3, 4),
        ({}, 4, 4),
        ({"mode": "pairs"}, 4, 4),
        ({"mode": "two-colours"}, 2, 3),
        ({"mode": "two-colours", "collection": 4}, 2, 4),
        ({"mode": "official-duel", "collection": 3}, 2, 3),
        ({"mode": "official-duel", "collection": 4}, 2, 4),
    ],
)
def test_how_many_of_a_shape_win(options: dict[str, Any], players: int, collection: int) -> None:
    assert RULES.start(options, RULES.deal(options, [""] * players, Random(1)), players).setup.collection == collection


@pytest.mark.parametrize(
    ("given", "players", "code"),
    [
        ({"mode": "two-colours"}, 3, "mode-players"),
        ({"mode": "two-colours"}, 4, "mode-players"),
        ({"mode": "official-duel", "collection": 3}, 4, "mode-players"),
        ({"mode": "pairs"}, 2, "mode-players"),
        ({"mode": "pairs"}, 3, "mode-players"),
        ({"collection": 3}, 2, "no-collection"),
        ({"mode": "standard", "collection": 4}, 4, "no-collection"),
        ({"mode": "pairs", "collection": 4}, 4, "no-collection"),
        ({"mode": "two-colours", "collection": 5}, 2, "bad-option"),
        ({"mode": "two-colours", "collection": "3"}, 2, "bad-option"),
        ({"mode": "two-colours", "collection": 3.0}, 2, "bad-option"),
        ({"mode": "two-colours", "collection": True}, 2, "bad-option"),
        ({"mode": "Pairs"}, 4, "bad-option"),
        ({"mode": ["pairs"]}, 4, "bad-option"),
        ({"mode": None}, 4, "bad-option"),
        ({"layout": "spiral"}, 2, "bad-option"),
        ({"start": "zigzag"}, 2, "unknown-option"),
        ({"\ud800" * 1000: 1}, 2, "unknown-option"),
        ({}, 1, "player-count"),
        ({}, 5, "player-count"),
        ({"mode": "pairs"}, 5, "player-count"),
        (None, 2, "wrong-type"),
        ([], 2, "wrong-type"),
    ],
)
def test_bad_options(given: Any, players: int, code: str) -> None:
    for refuse in (RULES.complete_options, RULES.teams, lambda options, count: RULES.start(options, FIXED, count)):
        with pytest.raises(BadOption) as refused:
            refuse(given, players)
        assert refused.value.code == code
        str(refused.value).encode("utf-8")


@pytest.mark.parametrize("mode", MODES.values(), ids=lambda mode: f"{mode.name}-{mode.players}")
def test_fixed_layouts_have_each_shape_as_often_as_the_board_is_wide_and_are_not_their_own_half_turn(
    mode: Mode,
) -> None:
    """With a layout that a half turn maps onto itself, copying the other's blocks by a half turn wins."""
    layout = FIXED_LAYOUTS[mode.tiles]
    assert Counter("".join(layout)) == dict.fromkeys(mode.shapes, mode.tiles)
    assert tuple(row[::-1] for row in reversed(layout)) != layout
    deal = RULES.deal({"mode": mode.name}, [""] * mode.players, Random(1))
    assert deal == {"layout": list(layout)}
    assert RULES.start({"mode": mode.name}, deal, mode.players).setup.layout == layout


@pytest.mark.parametrize("mode", MODES.values(), ids=lambda mode: f"{mode.name}-{mode.players}")
def test_random_layouts_keep_equal_shapes_apart(mode: Mode) -> None:
    options = {"mode": mode.name, "layout": "random"}
    drawn = set()
    for seed in range(30):
        layout = draw_layout(mode, Random(seed))
        assert Counter("".join(layout)) == dict.fromkeys(mode.shapes, mode.tiles)
        columns = ["".join(column) for column in zip(*layout, strict=True)]
        assert not any(line[at] == line[at + 1] for line in (*layout, *columns) for at in range(mode.tiles - 1))
        assert RULES.deal(options, [""] * mode.players, Random(seed)) == {"layout": list(layout)}
        assert RULES.start(options, {"layout": list(layout)}, mode.players).setup.layout == layout
        drawn.add(layout)
    assert len(drawn) > 5


@pytest.mark.parametrize("layout", [["AAA", "BBB", "CCC"], ["AAB", "CBA", "BCC"]])
def test_a_random_layout_from_outside_may_have_equal_neighbours_and_be_the_fixed_one(layout: list[str]) -> None:
    begun = RULES.start({"layout": "random"}, {"layout": layout, "note": "x"}, 2)
    assert [begun.setup.shape(tile) for tile in range(9)] == list("".join(layout))


@pytest.mark.parametrize(
    ("options", "deal", "code"),
    [
        ({}, None, "wrong-type"),
        ({}, [], "wrong-type"),
        ({}, {}, "missing-key"),
        ({}, {"layout": None}, "wrong-type"),
        ({}, {"layout": "AABCBABCC"}, "wrong-type"),
        ({}, {"layout": [1, 2, 3]}, "wrong-type"),
        ({}, {"layout": ["AAB", "CBA", None]}, "wrong-type"),
        ({}, {"layout": [["A", "A", "B"], ["C", "B", "A"], ["B", "C", "C"]]}, "wrong-type"),
        ({}, {"layout": []}, "layout-size"),
        ({}, {"layout": ["AAB", "CBA"]}, "layout-size"),
        ({}, {"layout": ["AAB", "CBA", "BCC", "ABC"]}, "layout-size"),
        ({}, {"layout": ["AAB", "CBA", "BC"]}, "layout-size"),
        ({}, {"layout": ["AAB" * 10**6, "CBA", "BCC"]}, "layout-size"),
        ({}, LARGE, "layout-size"),
        ({}, {"layout": ["AAB", "CBA", "BCD"]}, "unknown-shape"),
        ({}, {"layout": ["AAB", "CBA", "BCc"]}, "unknown-shape"),
        ({}, {"layout": ["AAB", "CBA", "BC\ud800"]}, "unknown-shape"),
        ({}, {"layout": ["AAB", "CBA", "BCB"]}, "shape-count"),
        ({"layout": "random"}, {"layout": ["AAB", "CBA", "BCB"]}, "shape-count"),
        ({}, {"layout": ["ABC", "CBA", "BAC"]}, "not-fixed"),
        ({"mode": "two-colours"}, {"layout": LARGE["layout"][::-1]}, "not-fixed"),
    ],
)
def test_a_deal_from_outside_is_refused_for_what_is_wrong_with_it(
    options: dict[str, Any], deal: Any, code: str
) -> None:
    with pytest.raises(BadDeal) as refused:
        RULES.start(options, deal, 2)
    assert refused.value.code == code
    str(refused.value).encode("utf-8")
