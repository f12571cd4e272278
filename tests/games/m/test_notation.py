"""Moves of M as text: one spelling each, and nothing else is read."""

import pytest

from games.contract.errors import IllegalMove
from games.m.notation import format_move, parse_move
from games.m.position import Move, Pass, Place, Take


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("RT3@2,-1", Place("RT3", (2, -1))),
        ("RT3@2,-1/row", Place("RT3", (2, -1), "row")),
        ("V0@0,0/col", Place("V0", (0, 0), "col")),
        ("BF4@-10,12", Place("BF4", (-10, 12))),
        ("take 2,-1", Take((2, -1))),
        ("take 0,10", Take((0, 10))),
        ("pass", Pass()),
        ("pass RT3", Pass("RT3")),
        ("pass G0", Pass("G0")),
    ],
)
def test_texts_and_moves_are_one_to_one(text: str, move: Move) -> None:
    assert parse_move(text) == move
    assert format_move(move) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        # numbers
        "RT3@+1,0",
        "RT3@01,0",
        "RT3@-0,0",
        "RT3@0,-0",
        "RT3@-01,0",
        "RT3@--1,0",
        "RT3@1.0,0",
        "RT3@1e1,0",
        "RT3@1_0,0",
        "RT3@,0",
        "RT3@0",
        "RT3@0,0,0",
        "RT3@\u0663,0",  # an Arabic-Indic three, which int() would read
        "RT3@\uff11,0",  # a fullwidth one
        "RT3@\u00b2,0",
        "RT3@\u22121,0",  # a minus sign, not a hyphen
        "take 00,1",
        "take +1,1",
        "take \u0661,1",
        # blanks and line ends
        " RT3@2,1",
        "RT3@2,1 ",
        "RT3@2,1\n",
        "RT3@2, 1",
        "RT3 @2,1",
        "RT3@2,1 /row",
        "take  2,1",
        "take\t2,1",
        "take\u00a02,1",
        "take2,1",
        "take 2,1\n",
        "pass ",
        "pass\n",
        " pass",
        "pass  RT3",
        "pass RT3\r",
        "pass\x00",
        # letters
        "rt3@2,1",
        "RT3@2,1/ROW",
        "RT3@2,1/Row",
        "RT3@2,1/diagonal",
        "RT3@2,1/",
        "RT3@2,1/row/col",
        "Take 2,1",
        "PASS",
        "pass rt3",
        "pass ??",
        "pass RT3 RT4",
        "take RT3",
        "take",
        "take 2,1/row",
        # tiles
        "RT5@2,1",
        "RT0@2,1",
        "R3@2,1",
        "RX3@2,1",
        "XT3@2,1",
        "TR3@2,1",
        "0@2,1",
        "R00@2,1",
        "pass RT5",
        "RT\u0663@2,1",
        "RT3",
        "RT3@2,1RT3@2,1",
    ],
)
def test_any_other_spelling_is_malformed(text: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        parse_move(text)
    assert refused.value.code == "malformed"


@pytest.mark.parametrize("text", ["RT3@999999999999,0", "take 0,-" + "9" * 1_000_000, "RT3@" + "1" * 5000 + ",0"])
def test_numbers_without_end_are_refused_unread(text: str) -> None:
    """Python refuses to read more than 4300 digits by an error of its own, and slowly before that."""
    with pytest.raises(IllegalMove) as refused:
        parse_move(text)
    assert refused.value.code == "malformed"


@pytest.mark.parametrize("text", [None, 5, ["pass"], b"pass", {"move": "pass"}])
def test_what_is_no_text_is_malformed(text: object) -> None:
    with pytest.raises(IllegalMove) as refused:
        parse_move(text)  # type: ignore[arg-type]
    assert refused.value.code == "malformed"
