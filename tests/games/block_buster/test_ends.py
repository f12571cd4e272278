"""How a match of Block Buster ends, and who has won then."""

from typing import Any

import pytest

from games.block_buster.modes import MODES
from games.block_buster.position import Position, Setup
from games.block_buster.rules import RULES
from games.block_buster.scoring import places
from games.contract.values import Outcome
from tests.games.block_buster.boards import LACKING_ONE, play, play_one, position, told

BY_ROWS = ["AAAAA", "BBBBB", "CCCCC", "DDDDD", "EEEEE"]


def outcome(ended: Position) -> Outcome:
    found = RULES.outcome(ended)
    assert found is not None
    return found


def test_a_collection_wins_at_once_whatever_the_scores() -> None:
    begun = position(LACKING_ONE, tokens=(-10, 0), left={"y": "1"})
    after, events = play_one(begun, "1 i7")
    assert told(events) == [
        ("acquired", {"seat": 0, "colour": "blue", "tile": 5, "cell": "j6", "shape": "A"}),
        ("collected", {"seat": 0, "shape": "A", "count": 3}),
        ("ended", {"reason": "collection"}),
    ]
    # Three A for blue, with 53 squares left; one B for yellow.
    assert outcome(after) == Outcome("collection", (1, 2), (12 - 10 - 53, 3 - 1))
    assert (after.winner, RULES.to_move(after)) == (0, ())


def test_three_do_not_win_where_four_were_agreed_on() -> None:
    after = play(position(LACKING_ONE, collection=4), "1 i7")
    assert (after.reason, after.turn) == (None, 1)


@pytest.mark.parametrize("out", [(), (1,)])
def test_a_collection_may_be_completed_by_another_and_by_a_colour_that_is_out(out: tuple[int, ...]) -> None:
    """Blue takes the cell with which red could have caught up with yellow."""
    begun = position(
        """
        yyyyyyyyyyyyyyyy
        y##yy##yy##yy##y
        y##yy##yy##yr##r
        ...........b....
        """,
        players=3,
        layout=["AAAA", "BBBB", "CCCC", "DDDD"],
        out=out,
    )
    after, events = play_one(begun, "1 m4")
    assert [code for code, _ in told(events)] == ["acquired", "collected", "ended"]
    assert (after.reason, after.winner) == ("collection", 1)
    assert outcome(after).places[1] == 1


@pytest.mark.parametrize(("turn", "move", "winner"), [(0, "1 a11", 1), (1, "1 e11", 1), (2, "1 m11", 2)])
def test_of_several_collections_the_first_seat_from_the_mover_on_wins(turn: int, move: str, winner: int) -> None:
    """Yellow and red have both acquired four of a shape, as soon as it is looked for."""
    begun = position(
        """
        yyyyyyyyyyyyyyyy
        y##yy##yy##yy##y
        y##yy##yy##yy##y
        ................
        rrrrrrrrrrrrrrrr
        r##rr##rr##rr##r
        r##rr##rr##rr##r
        ................
        bbbbyyyy....rrrr
        b##by##y.##.r##r
        """,
        players=3,
        layout=["AAAA", "BBBB", "CCCC", "DDDD"],
        turn=turn,
    )
    after = play(begun, move)
    assert (after.reason, after.winner) == ("collection", winner)


def test_nobody_wins_at_once_by_a_pass() -> None:
    begun = position(
        """
        bbbbbbbb....
        b##bb##b.##.
        b##bb##b.##.
        .byb........
        ..b.....bbbb
        .##..##.b##b
        .##..##.b##b
        """,
        turn=1,
        left={"y": "1"},
    )
    after = play(begun, "pass")
    assert (after.reason, after.out, after.turn) == (None, (1,), 0)
    assert play(after, "1 i8").reason is None, "nothing has been acquired by this one either"


def test_one_member_of_a_pair_wins_for_the_team() -> None:
    begun = position(
        """
        rrrrrrrrrrrrrrrr
        r##rr##rr##rr##r
        r##rr##rr##r.##.
        """,
        mode="pairs",
        players=4,
        layout=BY_ROWS,
        turn=2,
    )
    after = play(begun, "1 m3")
    assert (after.reason, after.winner) == ("collection", 2)
    assert outcome(after).places == (1, 2, 1, 2)


def test_a_pair_does_not_collect_together() -> None:
    begun = position(
        """
        bbbbbbbbrrrrrrrr
        b##bb##br##rr##r
        b##bb##br##r.##.
        """,
        mode="pairs",
        players=4,
        layout=BY_ROWS,
        turn=2,
    )
    assert play(begun, "1 m3").reason is None


def test_both_colours_of_a_player_collect_together() -> None:
    begun = position(
        """
        bbbbbbbbrrrr
        b##bb##br##r
        b##bb##b.##.
        """,
        mode="two-colours",
        layout=BY_ROWS,
        turn=2,
    )
    after, events = play_one(begun, "1 i3")
    assert told(events)[-2:] == [
        ("collected", {"seat": 0, "shape": "A", "count": 3}),
        ("ended", {"reason": "collection"}),
    ]
    assert outcome(after).places == (1, 2)


AT_THE_END = """
    b...b...y...
    .##..##..##.
    .##..##..##.
    ............
    ....y...b...
"""


def test_when_nobody_can_go_on_majorities_make_a_collection_too() -> None:
    begun = position(AT_THE_END, left={"b": "1", "y": "1"}, out=(1,))
    after, events = play_one(begun, "1 b1")
    assert told(events) == [
        ("out", {"seat": 0, "colour": "blue"}),
        ("collected", {"seat": 0, "shape": "A", "count": 3}),
        ("ended", {"reason": "collection"}),
    ]
    assert outcome(after) == Outcome("collection", (1, 2), (12, 7 - 1))


def test_who_holds_a_collection_at_the_end_is_first_whatever_the_scores() -> None:
    begun = position(AT_THE_END, left={"b": "1", "y": ""}, out=(1,), tokens=(-10, 0))
    assert outcome(play(begun, "1 b1")) == Outcome("collection", (1, 2), (2, 7))


def test_if_both_hold_one_the_score_decides() -> None:
    begun = position(
        AT_THE_END + ".##..##..##.\n.##..##..##.\n............\ny...........",
        left={"b": "1", "y": "1"},
        out=(1,),
        tokens=(-10, 0),
    )
    after, events = play_one(begun, "1 b1")
    assert [params.get("seat") for code, params in told(events) if code == "collected"] == [0, 1]
    assert outcome(after) == Outcome("collection", (2, 1), (2, 11))


def test_without_a_collection_the_score_decides() -> None:
    begun = position("b...y...\n", left={"b": "1", "y": "1 2"}, out=(1,), tokens=(-3, 0))
    assert outcome(play(begun, "1 b1")) == Outcome("exhausted", (1, 1), (0, 0))


def setup(mode: str = "standard", players: int = 4) -> Setup:
    return Setup(MODES[mode, players], ("ABACD",) * 5, 4)


@pytest.mark.parametrize(
    ("points", "winners", "expected"),
    [
        ((16, -1, 19, 20), {0, 1, 2}, (2, 3, 1, 4)),
        ((14, 14, 22, 5), {0}, (1, 3, 2, 4)),
        ((5, 9, 5, 9), (), (3, 1, 3, 1)),
        ((5, 5, 5, 5), {2}, (2, 2, 1, 2)),
        ((5, 7, 5, 7), {0, 2}, (1, 3, 1, 3)),
    ],
)
def test_places(points: tuple[int, ...], winners: Any, expected: tuple[int, ...]) -> None:
    assert places(setup(), points, winners) == expected


@pytest.mark.parametrize(
    ("points", "winners", "expected"),
    [
        ((27, 29, 27, 29), (), (2, 1, 2, 1)),
        ((13, 13, 13, 13), (), (1, 1, 1, 1)),
        ((1, 29, 1, 29), {2}, (1, 2, 1, 2)),
        ((1, 29, 1, 29), {2, 3}, (2, 1, 2, 1)),
    ],
)
def test_places_of_pairs_count_teams(points: tuple[int, ...], winners: Any, expected: tuple[int, ...]) -> None:
    assert places(setup("pairs"), points, winners) == expected
