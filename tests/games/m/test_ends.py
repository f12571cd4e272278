"""The ends of a match of M, and the order in which they are looked for."""

from games.contract.values import Outcome
from games.m.position import Position
from games.m.rules import RULES
from tests.games.m.boards import codes, legal, play, play_one, position, refusal

ROW = "RT1 RC2 RS3 RF4 ."
TAKES = ("take 4,0", "take 0,0", "take 3,0", "take 1,0")


def test_a_round_begun_on_an_empty_stack_ends_the_match_when_it_is_over() -> None:
    begun = play(position(ROW, ["RS4", "RT2"], stack=(), chips=(4, 8)), "RS4@4,0", *TAKES[:-1])
    assert RULES.outcome(begun) is None, "not before its last tile is taken"
    over, events = play_one(begun, TAKES[-1])
    assert codes(events) == ["took", "round-over", "ended"]
    assert events[-1].params == {"reason": "scored"}
    assert RULES.outcome(over) == Outcome("scored", (1, 2), (4 * 10 + 80, 8 * 10 + 30))


def test_the_same_when_nothing_could_be_taken() -> None:
    drawing = """
        RT1 RC2 RS3 RF4 .
        RT2 .   .   .   RS2
    """
    over, events = play_one(position(drawing, ["RS4", "RT4"], stack=()), "RS4@4,0")
    assert codes(events) == ["chips", "round", "round-over", "ended"]
    assert over.reason == "scored"


def test_drawing_the_last_tile_after_a_round_does_not_end_it_the_stack_was_not_empty_before() -> None:
    over = play(position(ROW, ["RS4", "RT2"], stack=("RC4",)), "RS4@4,0", *TAKES)
    assert over.stack == ()
    assert over.reason is None


def test_an_empty_stack_without_a_scoring_round_ends_nothing() -> None:
    assert play(position("RT1 .", ["RS4 RC2", "RT2"], stack=()), "RS4@1,0").reason is None


def test_blocked_when_no_hand_has_a_legal_placement_whatever_is_in_the_stack() -> None:
    start = position("RT1 .", ["RC2 YS3", "YS4"], stack=("RT2", "RT3"))
    assert play(start, "pass").reason is None
    after, events = play_one(start, "pass RC2")
    assert after.hands[0] == ("RT2", "YS3")
    assert after.reason is None, "what was drawn fits"
    start = position("RT1 .", ["RC2 YS3", "YS4"], stack=("BS2", "RT3"))
    after, events = play_one(start, "pass RC2")
    assert after.reason == "blocked"
    assert codes(events) == ["paid", "exchanged", "ended"]


def test_blocked_counts_the_hands_of_all_also_of_those_who_cannot_move_now() -> None:
    start = position("RT1 .", ["YS3", "YS4", "RC2"])
    assert play(start, "pass").reason is None


def test_blocked_after_a_placement_is_looked_for_once_the_tile_is_drawn() -> None:
    assert play(position("RT1 .", ["RC2", "YS4"], stack=("RT2",)), "RC2@1,0").reason is None
    assert play(position("RT1 .", ["RC2", "YS4"], stack=("YS3",)), "RC2@1,0").reason == "blocked"


def test_empty_hands_are_blocked() -> None:
    assert play(position("RT1 .", ["RC2", ""], stack=()), "RC2@1,0").reason == "blocked"


def test_where_the_frame_leaves_no_room_there_is_no_placement() -> None:
    """GC4 matches BC1 alone, and only to the right of it nothing else is beside."""
    drawing = """
        .   .   .   .   RS2 .
        RT1 RT2 RF3 RS1 RT3 BC1
        .   .   .   .   RF2 .
    """
    start = position(drawing, ["GC4", "GC4"], stack=())
    assert play(start, "pass").reason == "blocked"
    start = position(drawing.replace("RT1", ".  "), ["GC4", "GC4"], stack=())
    assert play(start, "pass", "GC4@6,1").table[6, 1] == "GC4"


def passes_all_round(start: Position, turns: int) -> Position:
    return play(start, *["pass"] * turns)


def test_stalled_after_three_passes_of_every_seat_in_a_row() -> None:
    for seats in range(2, 7):
        start = position("RT1 .", ["RC2"] * seats)
        before = passes_all_round(start, 3 * seats - 1)
        assert before.reason is None
        last, events = play_one(before, "pass")
        assert last.reason == "stalled"
        assert codes(events)[-1] == "ended"


def test_a_placement_in_between_sets_the_count_back() -> None:
    start = passes_all_round(position("RT1 .", ["RC2", "RC3"]), 5)
    placed = play(start, "RC3@1,0")
    assert passes_all_round(placed, 5).reason is None
    assert passes_all_round(placed, 6).reason == "stalled"


def test_scored_comes_before_blocked() -> None:
    over = play(position(ROW, ["RS4", "BT4"], stack=()), "RS4@4,0", *TAKES)
    assert over.table == {(2, 0): "RS3"}
    assert RULES.view(position("RS3 .", ["", "BT4"]), 1).fits == (), "nothing fits, either"
    assert over.reason == "scored"


def test_blocked_comes_before_stalled() -> None:
    start = position("RT1 .", ["YS3", "RC2"], passes=5, stack=("YS4", "YS2"))
    assert play(start, "pass").reason == "stalled"
    start = position("RT1 .", ["RC2", "YS3"], passes=5, stack=("YS4", "YS2"))
    assert play(start, "pass RC2").reason == "blocked"


def test_nothing_is_looked_for_before_the_first_turn() -> None:
    red = ["RT1", "RT2", "RC1", "RC2", "RT3"]
    others = [f"{colour}{symbol}4" for colour in "YGBV" for symbol in "SF"]
    rest = [f"{colour}{symbol}{value}" for colour in "YGBV" for symbol in "TC" for value in "1234"]
    rest += [f"{colour}S{value}" for colour in "YGBV" for value in "123"]
    start = RULES.start({}, {"tiles": (red + others + rest)[:50], "first": 0}, 2)
    assert RULES.outcome(start) is None
    assert [text for text in legal(start) if not text.startswith("pass")] == []
    assert play(start, "pass").reason == "blocked"


def test_when_it_is_over_nobody_may_move() -> None:
    over = play(position("RT1 .", ["RC2", ""], stack=()), "RC2@1,0")
    assert over.phase == "over"
    assert RULES.to_move(over) == ()
    assert [RULES.legal_moves(over, seat) for seat in (0, 1)] == [(), ()]
    assert refusal(over, "pass", seat=1).code == "over"
    trace = RULES.trace(over)
    assert (trace["phase"], trace["seat"], trace["legal"]) == ("over", None, 0)


def test_tiles_in_hand_do_not_count_and_equal_scores_share_the_place() -> None:
    over = play(position("RT1 .", ["RC2", "YS4"], stack=("YF4",), chips=(6, 6)), "RC2@1,0")
    assert RULES.outcome(over) == Outcome("blocked", (1, 1), (60, 60))


def test_while_it_runs_there_are_scores_but_no_outcome() -> None:
    start = position("RT1 .", ["RC2", "YS4"], chips=(2, 10), taken=(("RT4", "YT3", "GT2"), ()))
    assert RULES.scores(start) == (70, 100)
    assert RULES.outcome(start) is None
