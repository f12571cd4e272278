"""Passing, colours that are out, and whose turn comes next."""

from games.block_buster.rules import RULES
from tests.games.block_buster.boards import legal, play, play_one, position, refusal, start, told

SHUT_IN = """
    yb..
    .##.
    .##.
"""
"""Yellow can only go to a2."""


def test_one_may_pass_only_when_no_block_can_be_joined_and_may_decline_to_jump() -> None:
    begun = position("yb\nb##.", turn=1, left={"y": "1 2"})
    moves = legal(begun)
    assert moves[-1] == "pass"
    assert "1 c1" in moves
    assert "1 a3" in moves
    assert refusal(position("yb\n.##.", turn=1, left={"y": "1 2"}), "pass").code == "can-join"


def test_a_pass_is_final() -> None:
    begun = position("yb\nb##.", turn=1, left={"y": "1 2"})
    after, events = play_one(begun, "pass")
    assert told(events) == [("out", {"seat": 1, "colour": "yellow"})]
    assert (after.out, after.turn, after.left[1]) == ((1,), 0, ("1", "2"))
    assert play(after, "1 c1").turn == 0, "blue plays alone now"


def test_after_every_move_a_colour_without_a_placement_is_out() -> None:
    begun = position(SHUT_IN, tokens=(0, -10), left={"y": "1 2"})
    after, events = play_one(begun, "2 a2 a3")
    assert told(events)[-1] == ("out", {"seat": 1, "colour": "yellow"})
    assert (after.out, after.turn) == ((1,), 0)


def test_who_can_still_jump_is_not_out() -> None:
    begun = position(SHUT_IN, tokens=(0, -8), left={"y": "1"})
    after = play(begun, "1 a2")
    assert (after.out, after.turn) == ((), 1)
    assert legal(after) == ["1 c1", "1 a3", "pass"]


def test_the_supply_that_another_uses_up_can_put_a_colour_out() -> None:
    """Nothing has changed near yellow, but nobody can pay for a jump any more."""
    begun = position("yb\nb##.", supply=(1, 1), left={"y": "1"})
    assert play(begun, "1 c1").out == ()
    after = play(begun, "1 a4")
    assert (after.supply, after.out) == ((0, 1), (1,))


def test_the_mover_is_out_too_when_nothing_is_left() -> None:
    begun = position("b...\n.##.\n.##.\ny...", left={"b": "1"})
    after, events = play_one(begun, "1 b1")
    assert told(events) == [("out", {"seat": 0, "colour": "blue"})]
    assert after.turn == 1


def test_seats_play_in_order_and_who_is_out_is_skipped() -> None:
    begun = start(players=4)
    after = play(begun, "1 a1", "1 t1", "1 a20", "1 t20")
    assert (after.turn, RULES.to_move(after)) == (0, (0,))
    begun = position("b", players=4, out=(1, 2))
    assert RULES.to_move(play(begun, "1 b1")) == (3,)
    begun = position("...b", players=4, out=(0, 2), turn=3)
    assert RULES.to_move(play(begun, "1 e1")) == (1,)


def test_two_colours_alternate_and_a_seat_may_play_twice_running() -> None:
    begun = play(start("two-colours"), "1 a1", "1 t1", "1 a20", "1 t20")
    assert (begun.turn, begun.to_move) == (0, 0)
    begun = position("b", mode="two-colours", out=(1,))
    after, events = play_one(begun, "1 b1")
    assert (after.turn, after.to_move) == (2, 0)
    assert told(events) == [("played", {"seat": 0, "colour": "blue"})]


def test_both_colours_of_a_seat_are_placed_apart() -> None:
    after = play(start("two-colours"), "1 a1", "1 t1", "1 a20")
    assert [len(left) for left in after.left] == [15, 15, 15, 16]
    assert [placed.colour for placed in after.placed] == [0, 1, 2]


def test_several_can_be_out_by_one_move_and_the_match_ends_with_the_last() -> None:
    begun = position("b...\n.##.\n.##.\ny...", left={"b": "1", "y": "1"}, tokens=(0, -10), supply=(0, 0))
    after = play(begun, "1 b1", "1 b4")
    assert (after.out, after.reason, after.colour, after.to_move) == ((0, 1), "exhausted", None, None)
    assert RULES.to_move(after) == ()
    assert RULES.legal_moves(after, 1) == ()
    assert refusal(after, "pass", seat=0).code == "over"
    trace = RULES.trace(after)
    assert (trace["phase"], trace["seat"], trace["colour"], trace["legal"]) == ("over", None, None, 0)
