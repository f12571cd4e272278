"""Passing in M: what it costs, and the exchange."""

from games.m.rules import RULES
from tests.games.m.boards import codes, legal, play, play_one, position, refusal


def test_a_pass_is_paid_to_the_right_neighbour() -> None:
    after, events = play_one(position("RT3 .", ["RT1", "V0", "V0"]), "pass")
    assert after.chips == (5, 6, 7)
    assert after.hands[0] == ("RT1",)
    assert after.to_move == 1
    assert [(event.code, dict(event.params)) for event in events] == [("paid", {"seat": 0, "to": 2})]


def test_without_chips_a_pass_is_free() -> None:
    after, events = play_one(position("RT3 .", ["RT1", "V0"], chips=(0, 12)), "pass")
    assert after.chips == (0, 12)
    assert events == ()


def test_one_may_pass_also_when_one_could_place() -> None:
    assert "RT1@1,0" in legal(position("RT3 .", ["RT1", "V0"]))
    assert "pass" in legal(position("RT3 .", ["RT1", "V0"]))


def test_an_exchange_puts_one_tile_under_the_stack_and_then_draws_the_top_one() -> None:
    start = position("RT3 .", ["RT1 RC1", "V0"], stack=("YF2", "B0"))
    after, events = play_one(start, "pass RC1")
    assert after.hands[0] == ("RT1", "YF2")
    assert after.stack == ("B0", "RC1")
    assert after.chips == (5, 7)
    assert codes(events) == ["paid", "exchanged"]
    assert events[1].params == {"seat": 0, "tile": "RC1", "drew": "YF2"}
    assert events[1].audience == frozenset({0})


def test_with_one_tile_in_the_stack_it_is_that_one_which_is_drawn() -> None:
    after = play(position("RT3 .", ["RT1", "V0"], stack=("YF2",)), "pass RT1")
    assert after.hands[0] == ("YF2",)
    assert after.stack == ("RT1",)


def test_an_exchange_is_free_too_without_chips() -> None:
    start = position("RT3 .", ["RT1", "V0"], chips=(0, 12), stack=("YF2",))
    assert "pass RT1" in legal(start)
    assert play(start, "pass RT1").chips == (0, 12)


def test_the_exchange_is_refused_when_the_stack_is_empty_the_pass_is_not() -> None:
    start = position("RT3 .", ["RT1", "RT2"], stack=())
    assert refusal(start, "pass RT1").code == "no-exchange"
    assert [text for text in legal(start) if "pass" in text] == ["pass"]
    assert play(start, "pass").to_move == 1


def test_only_what_is_in_hand_is_exchanged() -> None:
    refused = refusal(position("RT3 .", ["RT1", "RT2"]), "pass RT2")
    assert (refused.code, refused.params) == ("not-in-hand", {"tile": "RT2"})


def test_equal_tiles_are_exchanged_by_one_text() -> None:
    start = position("RT3 .", ["B0 B0", "RT2"], stack=("YF2",))
    assert legal(start) == ["pass", "pass B0"]
    assert play(start, "pass B0").hands[0] == ("B0", "YF2")


def test_with_an_empty_hand_a_pass_is_forced_and_paid_for_all_the_same() -> None:
    start = position("RT3 .", ["", "RT2"], stack=())
    assert legal(start) == ["pass"]
    assert play(start, "pass").chips == (5, 7)


def test_a_pass_is_counted_and_a_placement_sets_the_count_back() -> None:
    start = position("RT3 .", ["RT1", "RT2 RT4"])
    passed = play(start, "pass")
    assert passed.passes == 1
    assert play(passed, "pass").passes == 2
    assert play(passed, "RT2@1,0").passes == 0


def test_others_see_that_a_tile_was_exchanged_but_not_which() -> None:
    start = position("RT3 .", ["RT1", "RT2"])
    move = RULES.parse_move("pass RT1")
    assert RULES.view_move(start, 0, move, 0) == "pass RT1"
    assert RULES.view_move(start, 0, move, 1) == "pass ??"
