"""Moves of Block Buster as text: one spelling each, and nothing else is read."""

import pytest

from games.block_buster.board import board_with
from games.block_buster.notation import format_board, format_cell, format_move, parse_move
from games.block_buster.position import Move, Pass, Place, Placed
from games.contract.errors import IllegalMove


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("L4 c3 c4 c5 d5", Place("L4", ((2, 2), (2, 3), (2, 4), (3, 4)))),
        ("1 a1", Place("1", ((0, 0),))),
        ("2 s20 t20", Place("2", ((18, 19), (19, 19)))),
        ("pass", Pass()),
        # wrong, but for the rules to say so
        ("1 z99", Place("1", ((25, 98),))),
        ("2 b1 a1", Place("2", ((1, 0), (0, 0)))),
        ("1 a1 a1", Place("1", ((0, 0), (0, 0)))),
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
        "L4",
        "L4 ",
        "a1",
        "l4 c3 c4 c5 d5",
        "L4 C3 C4 C5 D5",
        "L4  c3 c4 c5 d5",
        " L4 c3 c4 c5 d5",
        "L4 c3 c4 c5 d5 ",
        "L4 c3 c4 c5 d5\n",
        "L4\tc3 c4 c5 d5",
        "L4 c3,c4,c5,d5",
        "L4 c03 c4 c5 d5",
        "L4 c0 c4 c5 d5",
        "L4 c-3 c4 c5 d5",
        "L4 c100 c4 c5 d5",
        "L4 3c c4 c5 d5",
        "L4 aa1 c4 c5 d5",
        "L4 c\u0663 c4 c5 d5",
        "X5 a1 b1 c1 d1 e1",
        "3 a1 b1 c1",
        "I5 a1 b1 c1 d1 e1 f1",
        "I5" + " a1" * 100_000,
        "Pass",
        "pass ",
        "pass 1",
        "\ud800",
        "9" * 5000,
    ],
)
def test_nothing_else_is_read(text: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        parse_move(text)
    assert refused.value.code == "malformed"


def test_cells_and_boards() -> None:
    assert format_cell((19, 19)) == "t20"
    rows = format_board(board_with(3), (Placed(0, "2", ((0, 0), (1, 0))), Placed(3, "1", ((3, 1),))))
    assert rows[:3] == ("bb..........", ".##g.##..##.", ".##..##..##.")
