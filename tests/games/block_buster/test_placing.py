"""Placing blocks: gaps and what they cost, where blocks may not lie, passing, and whose turn comes next."""

from typing import Any

import pytest

from games.block_buster.rules import RULES
from games.block_buster.tokens import FULL_SUPPLY, furthest_gap, payment
from tests.games.block_buster import slow
from tests.games.block_buster.boards import legal, play, play_one, position, refusal, start, told

CORNER = """
    bb..........
    .##..##..##.
    .##..##..##.
    ....y.......
"""


def test_a_first_block_goes_anywhere_free_of_charge() -> None:
    begun = start()
    after, events = play_one(begun, "L4 h4 h5 h6 i6")
    assert (after.tokens, after.supply, events) == (begun.tokens, begun.supply, ())
    late = position("y" + "." * 11, tokens=(-10, 0), supply=(0, 0))
    assert play(late, "1 l12").tokens == (-10, 0)


@pytest.mark.parametrize(
    ("move", "gap", "cost"),
    [
        ("1 c1", 0, 0),
        ("1 a2", 0, 0),
        ("I3 c1 d1 e1", 0, 0),
        ("1 d1", 1, 2),
        # a corner is no contact
        ("1 a3", 1, 2),
        ("1 e1", 2, 4),
        # over a point block, and over another's block
        ("1 a4", 2, 4),
        ("1 d4", 4, 8),
        ("2 e2 e3", 3, 6),
    ],
)
def test_a_gap_is_the_least_distance_by_sides_and_costs_two_points_a_cell(move: str, gap: int, cost: int) -> None:
    begun = position(CORNER)
    after, events = play_one(begun, move)
    assert after.tokens == (-cost, 0)
    assert after.supply == (8 - gap, 8)
    expected = [("jumped", {"seat": 0, "colour": "blue", "gap": gap, "cost": cost})] if gap else []
    assert told(events) == expected


def test_a_corner_is_a_gap_of_one() -> None:
    begun = position(
        """
        ...b
        .##..##.
        """
    )
    assert play(begun, "1 e2").tokens == (-2, 0)
    assert play(begun, "2 e1 e2").tokens == (0, 0)


def test_any_earlier_block_of_the_colour_may_be_joined_and_no_other_colour() -> None:
    """In two-colours, one's own other colour is another colour, and tokens are the player's."""
    begun = position("b...r\n.##..##.\n.##..##.\ny......g", mode="two-colours", players=2, turn=2, tokens=(-4, 0))
    assert play(begun, "1 d1").tokens == (-4, 0)
    assert play(begun, "1 b1").tokens == (-8, 0)
    assert refusal(position("b", mode="two-colours", turn=1), "1 a1").code == "occupied"


@pytest.mark.parametrize(
    ("gap", "supply", "paid"),
    [
        (0, (0, 0), (0, 0)),
        (1, (8, 8), (1, 0)),
        (5, (8, 8), (5, 0)),
        (3, (1, 4), (1, 4)),
        (3, (1, 3), None),
        (1, (0, 2), (0, 2)),
        (1, (0, 1), None),
        (2, (1, 1), None),
    ],
)
def test_jumps_are_paid_in_big_tokens_first_and_then_in_two_small_ones_each(
    gap: int, supply: tuple[int, int], paid: tuple[int, int] | None
) -> None:
    assert payment(gap, supply) == paid


@pytest.mark.parametrize("tokens", range(-10, 1))
def test_how_far_one_can_jump_is_what_can_be_paid(tokens: int) -> None:
    for supply in [(big, small) for big in range(9) for small in range(9)]:
        gaps = [gap for gap in range(12) if slow.is_affordable(gap, tokens, supply)]
        assert gaps == list(range(furthest_gap(tokens, supply) + 1))


def test_a_jump_may_be_made_although_a_block_could_be_joined() -> None:
    assert {"1 c1", "1 d1"} <= set(legal(position(CORNER)))


def test_what_is_paid_comes_out_of_the_supply() -> None:
    after = play(position(CORNER, supply=(1, 5)), "2 e2 e3")
    assert (after.tokens, after.supply) == ((-6, 0), (0, 1))


REFUSED: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("F5 f8 g8 e9 f9 f10", {}, "left-out", {"block": "F5"}),
    ("L4 c5 c6 c7 d7", {"left": {"b": "1 2"}}, "used", {"block": "L4", "colour": "blue"}),
    ("I3 k1 l1 m1", {}, "off-board", {"cell": "m1", "size": 12}),
    ("1 a13", {}, "off-board", {"cell": "a13", "size": 12}),
    ("1 z99", {}, "off-board", {"cell": "z99", "size": 12}),
    ("I4 a4 b4 c4 d5", {}, "wrong-shape", {"block": "I4"}),
    ("2 a4 a4", {}, "wrong-shape", {"block": "2"}),
    ("2 a4", {}, "wrong-shape", {"block": "2"}),
    ("1 a4 b4", {}, "wrong-shape", {"block": "1"}),
    ("2 c1 a2", {}, "wrong-shape", {"block": "2"}),
    ("2 d1 c1", {}, "not-sorted", {}),
    ("L4 c4 c5 d5 c6", {"left": {"b": "T4 L4"}}, "wrong-shape", {"block": "L4"}),
    ("I3 a2 b2 c2", {}, "point-block", {"cell": "b2"}),
    ("2 b1 c1", {}, "occupied", {"cell": "b1", "colour": "blue"}),
    ("2 e4 f4", {}, "occupied", {"cell": "e4", "colour": "yellow"}),
    ("1 d4", {"tokens": (-3, 0)}, "too-far", {"gap": 4, "cost": 8, "tokens": -3, "limit": 10}),
    ("1 d1", {"tokens": (-9, 0)}, "too-far", {"gap": 1, "cost": 2, "tokens": -9, "limit": 10}),
    ("1 l12", {}, "too-far", {"gap": 20, "cost": 40, "tokens": 0, "limit": 10}),
    ("1 d1", {"supply": (0, 1)}, "supply", {"gap": 1, "cost": 2, "big": 0, "small": 1}),
    ("1 e1", {"supply": (1, 1)}, "supply", {"gap": 2, "cost": 4, "big": 1, "small": 1}),
    ("pass", {}, "can-join", {"block": "V5", "colour": "blue"}),
    ("pass", {"left": {"b": "1 I5"}}, "can-join", {"block": "I5", "colour": "blue"}),
]


@pytest.mark.parametrize(("move", "given", "code", "params"), REFUSED)
def test_refusals(move: str, given: dict[str, Any], code: str, params: dict[str, Any]) -> None:
    begun = position(CORNER, **given)
    refused = refusal(begun, move)
    assert (refused.code, dict(refused.params)) == (code, params)
    assert move not in legal(begun)


def test_minus_ten_may_be_reached_and_is_counted_with_the_starting_penalty() -> None:
    assert play(position(CORNER, tokens=(-8, 0)), "1 d1").tokens == (-10, 0)
    begun = play(start(), "1 a1", "1 l12")
    assert begun.tokens == (-3, 0)
    assert refusal(begun, "2 f1 g1").code == "too-far"
    assert play(begun, "2 e1 f1").tokens == (-9, 0)


def test_only_the_seat_whose_turn_it_is_may_move() -> None:
    begun = position(CORNER, turn=1)
    for seat, move in ((0, "1 c1"), (0, "pass"), (7, "pass"), (-1, "pass")):
        refused = refusal(begun, move, seat=seat)
        assert (refused.code, dict(refused.params)) == ("not-your-turn", {"seat": 1, "colour": "yellow"})
    assert RULES.legal_moves(begun, 0) == ()


def test_of_two_equal_blocks_one_is_placed_and_the_list_has_them_once() -> None:
    begun = position("b", mode="official-duel", left={"b": "1 1 2"})
    assert len(legal(begun)) == len(set(legal(begun)))
    assert play(begun, "1 b1").left[0] == ("1", "2")


def test_legal_moves_come_by_block_then_by_form_then_row_by_row_and_the_pass_last() -> None:
    walled = "bb...\n.##..\n"
    begun = position(walled, left={"b": "1 2"}, supply=(0, 0))
    assert legal(begun) == ["1 c1", "1 a2", "2 c1 d1", "2 a2 a3"]
    shut = "by\ny##.\n"
    begun = position(shut, left={"b": "1"}, supply=(1, 0))
    assert legal(begun) == ["1 c1", "1 a3", "pass"]


def test_playing_leaves_the_position_alone_and_counts_the_ply() -> None:
    begun = start()
    before = RULES.dump(begun)
    after = play(begun, "1 a1")
    assert RULES.dump(begun) == before
    assert (RULES.turn_key(begun, 0), RULES.turn_key(after, 0), RULES.turn_key(after, 1)) == ("0", "1", "1")


def test_nothing_happens_by_time_alone() -> None:
    assert RULES.due(start()) is None
    assert RULES.advance(start(), 10**9) == (start(), ())


def test_jumps_are_counted_over_everything_until_the_limit_of_all_tokens() -> None:
    assert furthest_gap(0, FULL_SUPPLY) == 5
