"""The score: sets by majorities, minus tokens, minus the squares left."""

import pytest

from games.block_buster.rules import RULES
from games.block_buster.scoring import SET_POINTS
from tests.games.block_buster.boards import position, start

BY_ROWS = ["AAAAA", "BBBBB", "CCCCC", "DDDDD", "EEEEE"]
NOTHING_LEFT = {"b": "", "y": "", "r": "", "g": ""}


@pytest.mark.parametrize(("count", "points"), [(0, 0), (1, 3), (2, 7), (3, 12), (4, 18), (5, 25)])
def test_sets_of_a_shape(count: int, points: int) -> None:
    row = "".join("b..." if tile < count else "...." for tile in range(5))
    begun = position(row, players=4, layout=BY_ROWS, left=NOTHING_LEFT)
    assert RULES.scores(begun) == (points, 0, 0, 0)
    assert SET_POINTS[count] == points


def test_each_shape_is_a_set_of_its_own_and_ties_are_nobodys() -> None:
    begun = position(
        """
        b...by..y...
        .##..##..##.
        .##..##..##.
        ............
        ....b.......
        """,
        left=NOTHING_LEFT,
    )
    # AAB, CBA: an A and a B for blue; the second A is tied; a B for yellow.
    assert RULES.scores(begun) == (6, 3)


def test_tokens_and_squares_left_are_taken_off_from_the_start_on() -> None:
    assert RULES.scores(start()) == (-3 - 54, -54)
    assert RULES.scores(start("official-duel")) == (-3 - 128, -128)
    assert RULES.scores(start("two-colours")) == (-3 - 128, -128)
    begun = position("b", left={"b": "1 L4", "y": "I3"}, tokens=(-7, -1))
    assert RULES.scores(begun) == (3 - 7 - 5, -1 - 3)


def test_two_colours_of_a_player_make_their_sets_together() -> None:
    begun = position("b...r...y...g...", mode="two-colours", layout=BY_ROWS, left=NOTHING_LEFT, tokens=(-3, 0))
    assert RULES.scores(begun) == (7 - 3, 7)


def test_ones_own_other_colour_takes_part_in_a_tie() -> None:
    begun = position("br..", mode="two-colours", layout=BY_ROWS, left=NOTHING_LEFT)
    assert RULES.scores(begun) == (0, 0)


def test_a_pair_counts_each_member_alone_and_shows_the_sum() -> None:
    left = NOTHING_LEFT | {"r": "2", "g": "1"}
    begun = position("b...r...y...y...", mode="pairs", players=4, layout=BY_ROWS, left=left, tokens=(-2, 0, -1, -4))
    assert RULES.scores(begun) == (3 - 2 + 3 - 2 - 1, 7 - 1 - 4) * 2
