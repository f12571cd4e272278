"""Placing a tile in M: where it may go, the chips it brings, and why it is refused."""

import pytest

from games.m.rules import RULES
from tests.games.m.boards import board, codes, legal, play, play_one, position, refusal

CROSS = """
    .   RT1 .
    RC2 .   RT3
    .   RF4 .
"""
"""RT2 fits everywhere: four neighbours in the middle, two in the corners, one outside."""


def test_a_tile_shares_a_feature_with_each_neighbour_and_not_always_the_same() -> None:
    start = position("RT3 . YC2", ["RC4", "RC1"])
    after = play(start, "RC4@1,0")
    assert after.table == board("RT3 RC4 YC2")
    assert after.to_move == 1
    assert after.ply == start.ply + 1


def test_one_neighbour_that_does_not_match_is_enough_to_refuse() -> None:
    refused = refusal(position("RT3 . YC2", ["RF4", "V0"]), "RF4@1,0")
    assert refused.code == "mismatch"
    assert refused.params == {"tile": "RF4", "neighbour": "YC2", "cell": "2,0"}


@pytest.mark.parametrize(
    ("beside", "tile", "fits"),
    [("R0", "Y0", True), ("R0", "R0", True), ("R0", "RF4", True), ("R0", "YF4", False), ("GS3", "Y0", False)],
)
def test_zeros_share_the_value_but_no_symbol(beside: str, tile: str, fits: bool) -> None:
    start = position(f"{beside} .", [tile, "V0"])
    assert (f"{tile}@1,0" in legal(start)) == fits
    if not fits:
        assert refusal(start, f"{tile}@1,0").code == "mismatch"


@pytest.mark.parametrize(
    ("text", "code", "params"),
    [
        ("YS1@1,1", "not-in-hand", {"tile": "YS1"}),
        ("RT3@0,0", "occupied", {"cell": "0,0", "tile": "RT1"}),
        ("RT3@1,1", "no-neighbour", {"cell": "1,1"}),
        ("RT3@100000,-100000", "no-neighbour", {"cell": "100000,-100000"}),
        ("RT3@-1,0", "frame", {"size": 6}),
        ("RT3@6,0", "frame", {"size": 6}),
        ("BS4@0,-1", "mismatch", {"tile": "BS4", "neighbour": "RT1", "cell": "0,0"}),
        ("RT3@0,1/row", "line-not-asked", {"lines": ""}),
        ("take 0,0", "no-round", {}),
    ],
)
def test_refusals(text: str, code: str, params: dict[str, object]) -> None:
    start = position("RT1 . . GC1 RC1 RC2", ["RT3 BS4", "YS1"])
    refused = refusal(start, text)
    assert (refused.code, dict(refused.params)) == (code, params)
    assert text not in legal(start)


def test_the_cell_is_looked_at_before_the_match_and_the_hand_before_all() -> None:
    """The first thing wrong is named, in an order that does not change."""
    start = position("RC4 RC1 GC1 GC2 RC2 RC3", ["YT3", "YS1"])
    assert refusal(start, "YS1@0,0").code == "not-in-hand"
    assert refusal(start, "YT3@0,0/row").code == "occupied"
    assert refusal(start, "YT3@9,9/row").code == "no-neighbour"
    assert refusal(start, "YT3@-1,0/row").code == "frame"
    assert refusal(start, "YT3@0,1/row").code == "mismatch"


def test_only_the_seat_whose_turn_it_is_may_move() -> None:
    start = position("RT3 .", ["RT1", "RT2", "RC1"], turn=1)
    for seat, text in ((0, "RT1@1,0"), (2, "RC1@1,0"), (0, "pass"), (7, "pass"), (-1, "pass")):
        refused = refusal(start, text, seat=seat)
        assert (refused.code, refused.params) == ("not-your-turn", {"seat": 1})
    assert RULES.legal_moves(start, 0) == ()
    assert RULES.to_move(start) == (1,)


@pytest.mark.parametrize(
    ("cell", "chips"),
    [("1,1", (9, 6, 3)), ("0,0", (7, 6, 5)), ("2,2", (7, 6, 5)), ("1,-1", (6, 6, 6))],
)
def test_chips_by_the_number_of_neighbours_from_the_right(cell: str, chips: tuple[int, ...]) -> None:
    start = position(CROSS, ["RT2", "V0", "V0"])
    assert play(start, f"RT2@{cell}").chips == chips


def test_two_chips_for_three_neighbours() -> None:
    start = position(CROSS.replace("RF4", ".  "), ["RT2", "V0", "V0"])
    after, events = play_one(start, "RT2@1,1")
    assert after.chips == (8, 6, 4)
    assert codes(events) == ["chips", "drew"]
    assert events[0].params == {"seat": 0, "giver": 2, "count": 2}


def test_chips_go_round_with_an_event_for_each_giver() -> None:
    start = position(CROSS, ["RT2", "V0", "V0"], chips=(9, 8, 1))
    after, events = play_one(start, "RT2@1,1")
    assert after.chips == (12, 6, 0)
    assert [event.params for event in events[:2]] == [
        {"seat": 0, "giver": 2, "count": 1},
        {"seat": 0, "giver": 1, "count": 2},
    ]


def test_nobody_gives_to_themselves_so_there_may_be_fewer() -> None:
    start = position(CROSS, ["RT2", "V0"], chips=(11, 1))
    assert play(start, "RT2@1,1").chips == (12, 0)
    start = position(CROSS, ["RT2", "V0"], chips=(12, 0))
    after, events = play_one(start, "RT2@1,1")
    assert after.chips == (12, 0)
    assert codes(events) == ["drew"]


def test_after_placing_one_tile_is_drawn_from_the_top() -> None:
    start = position("RT3 .", ["RT1 RC1", "RT2"], stack=("YF2", "B0"))
    after, events = play_one(start, "RT1@1,0")
    assert after.hands == (("RC1", "YF2"), ("RT2",))
    assert after.stack == ("B0",)
    assert [(event.code, event.audience) for event in events] == [("drew", frozenset({0}))]


def test_the_last_tile_of_the_stack_is_told_to_all_and_then_nothing_is_drawn() -> None:
    start = position("RT3 .", ["RT1 RC1", "RT2"], stack=("YF2",))
    after, events = play_one(start, "RT1@1,0")
    assert [(event.code, event.audience) for event in events] == [("drew", frozenset({0})), ("stack-empty", None)]
    after, events = play_one(after, "RT2@0,1")
    assert after.hands[1] == ()
    assert events == ()


def test_of_two_equal_zeros_one_is_placed() -> None:
    after = play(position("R0 .", ["R0 R0", "RT2"], stack=()), "R0@1,0")
    assert after.hands[0] == ("R0",)


def test_legal_moves_come_by_tile_then_row_by_row_then_the_passes() -> None:
    start = position("RT3 .", ["Y0 RC1 RC1", "RT2"])
    assert legal(start) == [
        "RC1@0,-1",
        "RC1@-1,0",
        "RC1@1,0",
        "RC1@0,1",
        "pass",
        "pass RC1",
        "pass Y0",
    ]


def test_coordinates_do_not_shift_and_may_be_negative() -> None:
    after = play(position("RT3 .", ["RT1", "RT2"]), "RT1@-1,0", "RT2@-1,-1")
    assert after.table == {(0, 0): "RT3", (-1, 0): "RT1", (-1, -1): "RT2"}


def test_playing_leaves_the_position_alone() -> None:
    start = position("RT3 .", ["RT1", "RT2"])
    before = RULES.dump(start)
    play(start, "RT1@1,0")
    play(start, "pass RT1")
    assert RULES.dump(start) == before


def test_the_turn_key_is_the_ply() -> None:
    start = position("RT3 .", ["RT1", "RT2"])
    assert RULES.turn_key(start, 0) == RULES.turn_key(start, 1) == "20"
    assert RULES.turn_key(play(start, "pass"), 0) == "21"


def test_nothing_happens_by_time_alone() -> None:
    start = position("RT3 .", ["RT1", "RT2"])
    assert RULES.due(start) is None
    assert RULES.advance(start, 10**9) == (start, ())
