"""Chips, scores and places in M."""

import pytest

from games.m.scoring import givers_of_chips, places, score


@pytest.mark.parametrize(
    ("chips", "seat", "wanted", "givers"),
    [
        ((6, 6, 6), 0, 3, [(2, 3)]),
        ((6, 6, 1), 0, 3, [(2, 1), (1, 2)]),
        ((6, 6, 0), 0, 2, [(1, 2)]),
        ((6, 1, 1), 0, 3, [(2, 1), (1, 1)]),
        ((18, 0, 0), 0, 3, []),
        ((0, 6), 0, 1, [(1, 1)]),
        ((6, 6), 1, 0, []),
        ((2, 6, 6, 1), 1, 3, [(0, 2), (3, 1)]),
    ],
)
def test_chips_come_from_the_right_and_on_from_there_never_from_oneself(
    chips: tuple[int, ...], seat: int, wanted: int, givers: list[tuple[int, int]]
) -> None:
    assert givers_of_chips(chips, seat, wanted) == givers


@pytest.mark.parametrize(
    ("chips", "taken", "points"),
    [
        (6, "", 60),
        (0, "RT4", 40),
        (0, "RT4 RT3 YT1", 80),
        (2, "RT4 YT3 GT2", 20 + 40 + 30 - 20),
        (0, "RT1 YT1 GT1 BT1 VT1", 20 - 30),
        (0, "RT1 R0 Y0 G0 B0 V0", 10),
        (0, "RT4 YT2 YC3 GT4 GC3", 70 + 50 - 40),
    ],
)
def test_a_chip_is_ten_and_two_colours_count_and_the_others_cost(chips: int, taken: str, points: int) -> None:
    assert score(chips, taken.split()) == points


@pytest.mark.parametrize(
    ("scores", "expected"),
    [((10, 20), (2, 1)), ((10, 10), (1, 1)), ((30, 30, 10), (1, 1, 3)), ((-5, 0, 7, 0), (4, 2, 1, 2))],
)
def test_equal_scores_share_the_place(scores: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert places(scores) == expected
