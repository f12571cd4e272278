"""Scoring rounds in M: what triggers one, who picks, what may be taken, and how it ends."""

import pytest

from games.m.rules import RULES
from tests.games.m.boards import board, codes, legal, play, play_one, position, refusal

ROW = "RT1 RC2 RS3 RF4 ."
"""RS4 at the end makes five, close to RF4 (red, 40)."""

COMB = """
    RT1 RC2 RS3 RF4 .
    RT2 RC1 RS1 RF1 RS2
"""
"""No tile of the upper row holds the field together."""

TREE = """
    RT1 RC2 RS3 RF4 .
    RT2 .   .   .   RS2
"""
"""Every tile of the upper row does."""


@pytest.mark.parametrize(
    ("drawing", "text", "lines"),
    [
        (ROW, "RS4@4,0", ("row",)),
        ("RT1 RC2 RS3 RF4 YF1 .", "YS1@5,0", ("row",)),
        ("RT1 RC2 . RF4 YF1", "RF2@2,0", ("row",)),
        # four tiles are too few
        ("RT1 RC2 RS3 .", "RS4@3,0", ()),
        # only one feature shared with each
        (ROW, "RS1@4,0", ()),
        # five tiles, but not side by side
        ("RT1 RC2 RS3 . . RF4", "RS4@3,0", ()),
        # four side by side, and another tile apart in the same row
        ("RT1 . RS3 RF4 YF4 .", "YF1@5,0", ()),
        # a column works the same
        ("RT1\nRC2\nRS3\nRF4\n.", "RS4@0,4", ("col",)),
        # both zeros of a colour share colour and value
        ("RT1 RC2 RS3 R0 .", "R0@4,0", ("row",)),
        # zeros of two colours share only the value
        ("YT1 YC2 YS3 Y0 .", "R0@4,0", ()),
    ],
)
def test_what_makes_a_line_score(drawing: str, text: str, lines: tuple[str, ...]) -> None:
    tile = text[: text.index("@")]
    start = position(drawing, [tile, "V0"])
    assert [fit.lines for fit in RULES.view(start, 0).fits if text == f"{tile}@{fit.cell[0]},{fit.cell[1]}"] == [lines]
    _, events = play_one(start, text)
    assert ("round" in codes(events)) == bool(lines)


def test_the_two_features_must_be_shared_within_the_line_itself() -> None:
    """RS1 shares two features with RS2 above it, but its row of five is not the column of the two."""
    drawing = """
        .   .   .   .   RS2
        RT1 RC2 RS3 RF4 .
    """
    start = position(drawing, ["RS1", "V0"])
    _, events = play_one(start, "RS1@4,1")
    assert "round" not in codes(events)


CORNER = """
    .   .   .   .   RT2
    .   .   .   .   RF3
    .   .   .   .   RC1
    .   .   .   .   RS2
    RT1 RC2 RS3 RF4 .
"""


def test_where_row_and_column_qualify_the_player_says_which() -> None:
    start = position(CORNER, ["RS4", "V0"])
    assert [text for text in legal(start) if "@4,4" in text] == ["RS4@4,4/row", "RS4@4,4/col"]
    assert refusal(start, "RS4@4,4").code == "line-missing"
    row, events = play_one(start, "RS4@4,4/row")
    assert row.scoring is not None
    assert row.scoring.line == ((0, 4), (1, 4), (2, 4), (3, 4), (4, 4))
    assert events[1].params == {"seat": 0, "line": "row", "cells": ("0,4", "1,4", "2,4", "3,4", "4,4")}
    column = play(start, "RS4@4,4/col")
    assert column.scoring is not None
    assert column.scoring.line == ((4, 0), (4, 1), (4, 2), (4, 3), (4, 4))


def test_where_one_qualifies_saying_it_is_refused() -> None:
    start = position(CORNER.replace("RS2", "BS2"), ["RS1", "V0"])
    for line in ("row", "col"):
        refused = refusal(position(ROW, ["RS4", "V0"]), f"RS4@4,0/{line}")
        assert (refused.code, refused.params) == ("line-not-asked", {"lines": "row"})
    assert refusal(start, "RS1@3,3/row").code == "line-not-asked"


def test_the_trigger_brings_no_chips_beyond_those_for_neighbours() -> None:
    assert play(position(ROW, ["RS4", "V0"]), "RS4@4,0").chips == (6, 6)
    assert play(position(COMB, ["RS4", "V0"]), "RS4@4,0").chips == (7, 5)


def test_a_scoring_round_is_never_optional_and_passes_are_refused_in_it() -> None:
    begun = play(position(ROW, ["RS4 V0", "V0"]), "RS4@4,0")
    assert begun.phase == "take"
    assert legal(begun) == ["take 0,0", "take 4,0"]
    for text in ("pass", "pass V0", "V0@0,1"):
        assert refusal(begun, text).code == "must-take"


def test_picks_go_counter_clockwise_from_the_placer_and_round_again() -> None:
    start = position(COMB, ["RS4", "RT4", "RC4"], turn=0)
    begun = play(start, "RS4@4,0")
    pickers = []
    while begun.phase == "take":
        pickers.append(begun.to_move)
        begun = play(begun, legal(begun)[0])
    assert pickers == [0, 2, 1, 0]
    assert begun.to_move == 1, "the left neighbour of the player who placed"


def test_the_turn_comes_back_to_the_left_of_the_placer_wherever_the_picks_ended() -> None:
    begun = play(position(ROW, ["RS1", "RS4", "V0"], turn=1), "RS4@4,0", "take 4,0", "take 3,0", "take 0,0")
    assert begun.to_move == 1
    over, events = play_one(begun, "take 1,0")
    assert over.table == board(". . RS3")
    assert over.to_move == 2
    assert codes(events)[:2] == ["took", "round-over"]


def test_the_tiles_taken_lie_sorted_before_who_took_them() -> None:
    over = play(position(ROW, ["RS4", "V0"]), "RS4@4,0", "take 4,0", "take 0,0", "take 3,0", "take 1,0")
    assert over.taken == (("RF4", "RS4"), ("RC2", "RT1"))


def test_the_tile_just_placed_may_be_taken_even_at_once() -> None:
    begun = play(position(ROW, ["RS4", "V0"]), "RS4@4,0")
    after, events = play_one(begun, "take 4,0")
    assert after.taken[0] == ("RS4",)
    assert events[0].params == {"seat": 0, "tile": "RS4", "cell": "4,0"}


def test_taking_is_a_must_even_if_it_costs_points() -> None:
    begun = play(position(ROW, ["RS4", "V0"], taken=(("BT1", "GT1", "RT4"), ())), "RS4@4,0")
    assert all(text.startswith("take") for text in legal(begun))


@pytest.mark.parametrize(
    ("text", "code"), [("take 2,0", "splits"), ("take 5,0", "not-in-line"), ("take 0,1", "not-in-line")]
)
def test_what_may_not_be_taken(text: str, code: str) -> None:
    start = position(
        """
        RT1 RC2 RS3 RF4 .
        RT2 .   .   .   .
        """,
        ["RS4", "V0"],
    )
    refused = refusal(play(start, "RS4@4,0"), text)
    assert (refused.code, refused.params) == (code, {"cell": text.removeprefix("take ")})


def test_a_field_in_several_groups_may_be_taken_from_as_long_as_none_is_split() -> None:
    """The lone tile and the row are two groups; the ends of the row may go, its middle may not."""
    drawing = """
        RT1 RC2 RS3 RF4 .
        .   .   .   .   .
        .   .   VT1 .   .
    """
    begun = play(position(drawing, ["RS4", "V0"]), "RS4@4,0")
    assert legal(begun) == ["take 0,0", "take 4,0"]
    assert refusal(begun, "take 1,0").code == "splits"


def test_the_line_is_fixed_at_the_trigger_and_one_of_it_stays() -> None:
    """The comb's lower row never belongs to the line, and its upper row keeps one tile."""
    over = play(position(COMB, ["RS4", "V0"]), "RS4@4,0", "take 0,0", "take 1,0", "take 2,0", "take 3,0")
    assert over.phase == "play"
    assert over.table == board(". . . . RS4\nRT2 RC1 RS1 RF1 RS2")


def test_a_round_ends_when_no_tile_of_the_line_may_be_taken_though_more_than_one_is_left() -> None:
    drawing = """
        RT1 RC2 RS3 RF4 .
        .   RT2 .   RS2 .
    """
    begun = play(position(drawing, ["RS4", "V0", "V0"]), "RS4@4,0", "take 4,0")
    assert begun.to_move == 2
    over, events = play_one(begun, "take 0,0")
    assert "round-over" in codes(events)
    assert over.phase == "play"
    assert over.to_move == 1


def test_a_round_in_which_nothing_may_be_taken_is_over_at_once_and_still_was_one() -> None:
    after, events = play_one(position(TREE, ["RS4", "RT4"]), "RS4@4,0")
    assert codes(events) == ["chips", "round", "round-over", "drew"]
    assert after.phase == "play"
    assert after.to_move == 1


def test_drawing_comes_after_the_scoring_round() -> None:
    start = position(ROW, ["RS4", "RS1"], stack=("YF2", "B0"))
    begun, events = play_one(start, "RS4@4,0")
    assert begun.hands[0] == ()
    assert begun.stack == ("YF2", "B0")
    assert "drew" not in codes(events)
    over, events = play_one(play(begun, "take 4,0", "take 0,0", "take 3,0"), "take 1,0")
    assert over.hands[0] == ("YF2",), "the placer draws, not who took the last tile"
    assert over.stack == ("B0",)
    assert codes(events) == ["took", "round-over", "drew"]
    assert events[2].audience == frozenset({0})


def test_each_take_is_a_ply() -> None:
    assert play(position(ROW, ["RS4", "V0"]), "RS4@4,0", "take 4,0").ply == 22
