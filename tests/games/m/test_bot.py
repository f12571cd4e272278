"""The bot of M and the stand-in: legal, greedy, and blind to what their seat may not know."""

from collections import Counter
from random import Random

import pytest

from games.m import bot
from games.m.position import Position, ScoringRound
from games.m.rules import RULES
from tests.games.chance import NoSlips, Slips
from tests.games.m.boards import GAP, board, legal, play, position
from tests.games.m.test_views import shuffled_for


def chosen(start: Position, rng: Random | None = None) -> str:
    """What the bot plays for the seat that is to move."""
    assert start.to_move is not None
    return bot.choose(RULES.view(start, start.to_move), "easy", rng or NoSlips(1))


@pytest.mark.parametrize("players", range(2, 7))
def test_bot_and_stand_in_play_whole_matches_by_legal_moves(players: int) -> None:
    rng = Random(players)
    current = RULES.start({}, RULES.deal({}, [""] * players, rng), players)
    while current.to_move is not None:
        view = RULES.view(current, current.to_move)
        move = bot.stand_in(view, rng) if current.to_move == 0 else bot.choose(view, "easy", rng)
        texts = legal(current)
        assert move in texts
        if move.startswith("pass"):
            assert all(text.startswith("pass") for text in texts), "they pass only if there is nothing else"
        current = play(current, move)
    assert current.ply < 1000


@pytest.mark.parametrize("players", [2, 4])
def test_what_the_seat_may_not_know_changes_no_choice(players: int) -> None:
    rng = Random(players)
    current = RULES.start({}, RULES.deal({}, [""] * players, rng), players)
    while current.to_move is not None:
        other = shuffled_for(current.to_move, current, rng)
        seed = rng.random()
        move = chosen(current, Random(seed))
        assert chosen(other, Random(seed)) == move
        current = play(current, move)


def test_it_takes_the_most_chips() -> None:
    assert chosen(position(GAP, ["RT2", "V0", "V0"])) == "RT2@1,1"


def test_it_begins_no_scoring_round_that_costs_more_than_it_brings() -> None:
    """Every tile that could be taken would cost, since blue and green count already."""
    start = position("RT1 RC2 RS3 RF4 .", ["RS4", "V0"], taken=(("BT4", "BC4", "GT4", "GC4"), ()))
    assert chosen(start) != "RS4@4,0"
    assert chosen(position("RT1 RC2 RS3 RF4 .", ["RS4", "V0"])) == "RS4@4,0"


@pytest.mark.parametrize(("top", "left", "line"), [("RT1", "RT4", "row"), ("RT4", "RT1", "col")])
def test_where_both_lines_qualify_it_says_the_better_one(top: str, left: str, line: str) -> None:
    drawing = f"""
        .   .   .   .   {top}
        .   .   .   .   RF1
        .   .   .   .   RC1
        .   .   .   .   RS1
        {left} RC2 RS3 RF4 .
    """
    assert chosen(position(drawing, ["RS4", "V0"])) == f"RS4@4,4/{line}"


def picking(drawing: str, taken: str = "") -> Position:
    """A scoring round in which seat 0 may take either end of the row that is drawn."""
    scoring = ScoringRound(tuple(board(drawing)), placer=0, picker=0)
    return position(drawing, ["V0", "V0"], scoring=scoring, taken=(tuple(taken.split()), ()))


def test_in_a_scoring_round_it_takes_what_is_best_for_its_score() -> None:
    assert chosen(picking("RT4 RC2 RS3 RF1 R0")) == "take 0,0"
    assert chosen(picking("RT4 RC2 RS3 RF1 R0", taken="YT4 YC4 GT4 GC4")) == "take 4,0", "red would cost"


def test_of_two_equal_tiles_it_takes_the_one_that_leaves_less_to_the_next() -> None:
    assert chosen(picking("RT1 RC4 RS3 RF2 YF1")) == "take 4,0"


def test_with_nothing_to_place_it_exchanges_while_there_is_a_stack() -> None:
    assert chosen(position("RT1 .", ["YS3", "RC2"])) == "pass YS3"
    assert chosen(position("RT1 .", ["YS3", "RC2"], stack=())) == "pass"
    assert chosen(position("RT1 .", ["", "RC2"])) == "pass"


def test_the_stand_in_never_exchanges() -> None:
    start = position("RT1 .", ["YS3", "RC2"])
    assert {bot.stand_in(RULES.view(start, 0), Random(seed)) for seed in range(20)} == {"pass"}


def test_the_stand_in_plays_any_placement_with_equal_chance() -> None:
    view = RULES.view(position("RT1", ["RC2", "RC3"]), 0)
    counts = Counter(bot.stand_in(view, Random(seed)) for seed in range(400))
    assert set(counts) == {"RC2@0,-1", "RC2@1,0", "RC2@0,1", "RC2@-1,0"}
    assert min(counts.values()) > 60


def test_it_slips_now_and_then() -> None:
    view = RULES.view(position(GAP, ["RT2", "V0", "V0"]), 0)
    assert {bot.choose(view, "easy", Slips(seed)) for seed in range(100)} == {
        f"RT2@{fit.cell[0]},{fit.cell[1]}" for fit in view.fits
    }
    slips = sum(bot.choose(view, "easy", Random(seed)) != "RT2@1,1" for seed in range(1000))
    assert 160 < slips < 280, "somewhat less than one in four, since a slip may hit the best as well"


def test_it_leaves_the_view_alone() -> None:
    view = RULES.view(position(GAP, ["RT2", "V0"]), 0)
    bot.choose(view, "easy", Random(1))
    assert view.table == board(GAP)
