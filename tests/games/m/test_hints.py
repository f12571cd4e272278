"""Hints of M: what they suggest, and why; every reason is true and can be said."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.contract.players import counted
from games.contract.values import NO_PARAMS, Hint, Params
from games.m import bot, hints, texts
from games.m.guessing import Knowledge
from games.m.position import Position, ScoringRound
from games.m.rules import RULES
from games.m.texts.hints import HINTS
from games.m.tiles import ALL_TILES
from games.m.world import AWAY, NOTHING
from tests.games.m.boards import GAP, board, legal, play, position


def hinted(start: Position, iterations: int = 0) -> Hint:
    """The hint for the seat that is to move."""
    assert start.to_move is not None
    hint = bot.hint(RULES.view(start, start.to_move), Random(1), counted(iterations))
    assert hint is not None
    return hint


def why(start: Position, text: str) -> dict[str, Any]:
    """The reasons for a move, whether it is a good one or not."""
    assert start.to_move is not None
    knowledge = Knowledge(RULES.view(start, start.to_move))
    passes = ((tile, AWAY, None) for tile in (NOTHING, *range(len(ALL_TILES))))
    act = next(act for act in (*knowledge.world.acts(), *passes) if knowledge.text(act) == text)
    return {code: dict(params) for code, params in hints.reasons(knowledge, act)}


def picking(row: str, own: str = "", other: str = "") -> Position:
    """A scoring round over a row that lies alone, in which seat 0 may take either end."""
    scoring = ScoringRound(tuple(board(row)), 0, 0)
    return position(row, ["V0", "V0"], scoring=scoring, taken=(tuple(own.split()), tuple(other.split())))


def test_whoever_is_not_to_move_gets_none() -> None:
    assert bot.hint(RULES.view(position("RT1", ["RC2", "RC3"]), 1), Random(1)) is None


@pytest.mark.parametrize("players", [2, 3, 6])
def test_in_whole_matches_hints_are_legal_and_said(players: int) -> None:
    current = RULES.start({}, RULES.deal({}, [""] * players, Random(players)), players)
    while current.to_move is not None:
        hint = hinted(current, iterations=5)
        assert hint.move in legal(current)
        assert hint.why
        assert all(texts.hint(code, params) for code, params in hint.why)
        current = play(current, hint.move)


def test_it_says_how_many_chips_a_placement_takes_and_that_no_gap_is_left() -> None:
    start = position(GAP, ["RT2", "V0 V0 V0 G0"])
    assert hinted(start).move == "RT2@1,1"
    assert why(start, "RT2@1,1") == {"chips": {"count": 3}, "no-gap": {"beside": 3}}
    assert why(position("RT1", ["RF4", "V0"]), "RF4@1,0") == {"no-gap": {"beside": 2}}


def test_a_gap_that_is_left_is_not_denied() -> None:
    """After the fork at 0,1 a tile at 1,1 would have three neighbours, and unseen ones fit there."""
    drawing = """
        .   RT1 .
        .   .   RT3
        RC2 .   .
    """
    assert "no-gap" not in why(position(drawing, ["RF4", "V0"]), "RF4@0,1")


def test_it_says_that_a_round_begins_and_that_it_is_the_last() -> None:
    row = "RT1 RC2 RS3 RF4 ."
    start = position(row, ["RS4 V0", "V0 V0 V0 G0"])
    assert why(start, "RS4@4,0") == {"scores": {"line": "row", "count": 5}}
    last = position(row, ["RS4 V0", "V0 V0 V0 G0"], stack=())
    assert hinted(last).why == (("scores", {"line": "row", "count": 5}), ("last", NO_PARAMS))


def test_it_says_what_is_filled_where_nobody_has_chips_to_give() -> None:
    assert why(position(GAP, ["RT2", "V0"], chips=(12, 0)), "RT2@1,1")["fills"] == {"beside": 4}


def test_it_says_what_a_tile_brings_and_keeps_from_the_next() -> None:
    start = picking("RT4 RC2 RS3 RF1 Y0", other="RC1 GC2")
    assert why(start, "take 0,0") == {"adds": {"points": 40, "colour": "R"}, "denies": {"points": 40}}
    assert why(start, "take 4,0") == {"free": {}}


def test_it_says_what_a_tile_costs_and_whether_others_cost_less() -> None:
    start = picking("RT4 RC2 RS3 RF1 VC1", own="GC4 GT4 YT4 YC4 RC3")
    assert why(start, "take 0,0")["costs"] == {"points": 40, "least": 0}
    assert why(start, "take 4,0")["costs"] == {"points": 10, "least": 1}


def test_the_last_pick_of_a_round_keeps_nothing_from_anybody() -> None:
    row = "RT4 RC2"
    assert set(why(picking(row, other="RC1"), "take 0,0")) == {"adds"}


def test_where_nothing_else_may_be_taken_it_says_so() -> None:
    drawing = """
        RT4 RC2 RS3
        .   BC2 GS3
    """
    scoring = ScoringRound(((0, 0), (1, 0), (2, 0)), 0, 0)
    start = position(drawing, ["V0", "V0"], scoring=scoring)
    assert legal(start) == ["take 0,0", "take 2,0"]
    only = position("RT4 RC2 RS3\n. BC2 .", ["V0", "V0"], scoring=ScoringRound(((0, 0), (1, 0)), 0, 0))
    assert legal(only) == ["take 0,0"]
    assert why(only, "take 0,0") == {"only": {}}


def test_it_says_why_one_passes() -> None:
    start = position("RT1", ["YF2 BS3", "RC4 R0 G0 B0"])
    assert why(start, "pass YF2") == {"no-fit": {}, "exchange": {"tile": "YF2"}}
    assert why(start, "pass") == {"no-fit": {}}
    fitting = position("RT1", ["RF2 BS3", "RC4 R0 G0 B0"], chips=(0, 12))
    assert why(fitting, "pass") == {"no-better": {"pays": 0}}
    assert why(position("RT1", ["RF2 BS3", "RC4"]), "pass") == {"no-better": {"pays": 1}}


def test_there_is_always_a_reason() -> None:
    drawing = """
        .   RT1 .
        .   .   RT3
        RC2 .   .
    """
    assert why(position(drawing, ["RF4", "V0"], chips=(6, 0)), "RF4@0,1") == {"best": {}}


@pytest.mark.parametrize(
    ("code", "params", "said"),
    [
        ("chips", {"count": 2}, "takes 2 chips"),
        ("no-gap", {"beside": 3}, "leaves no gap with three neighbours"),
        ("adds", {"points": 30, "colour": "V"}, "brings you 30 points in violet"),
        ("exchange", {"tile": "R0"}, "puts away red 0 (it has little in common with the tiles on the table)"),
    ],
)
def test_reasons_are_parts_of_sentences(code: str, params: Params, said: str) -> None:
    assert texts.hint(code, params) == said


def test_every_reason_has_a_sentence_and_none_is_left_over() -> None:
    """In the module's own table as well."""
    source = Path(hints.__file__).read_text()
    assert re.findall(r"^\| `([\w-]+)`", source, re.MULTILINE) == list(HINTS)
    assert set(re.findall(r'\(\(?"([\w-]+)", (?:\{|NO_PARAMS)', source)) == set(HINTS)
