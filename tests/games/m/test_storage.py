"""Positions of M as plain data, and as trace lines."""

import json
from random import Random

import pytest

from games.m.rules import RULES
from tests.games.m.boards import play, position


@pytest.mark.parametrize("players", range(2, 7))
def test_every_position_of_a_match_survives_storage(players: int) -> None:
    """Through JSON text, with its keys sorted as a database may do."""
    rng = Random(players)
    current = RULES.start({"start": "arch"}, RULES.deal({}, [""] * players, rng), players)
    while True:
        stored = json.dumps(RULES.dump(current), sort_keys=True)
        loaded = RULES.load(json.loads(stored))
        assert loaded == current
        assert json.dumps(RULES.dump(loaded), sort_keys=True) == stored
        seat = current.to_move
        if seat is None:
            return
        assert RULES.legal_moves(loaded, seat) == RULES.legal_moves(current, seat)
        current, _ = RULES.play(current, seat, rng.choice(RULES.legal_moves(current, seat)), at=0)


def test_a_trace_line_of_a_turn() -> None:
    start = position("RT3 .", ["RT1 B0 B0", "YT2"], chips=(2, 10), taken=((), ("RT4", "V0")), stack=("YF1",))
    assert RULES.trace(start) == {
        "phase": "play",
        "seat": 0,
        "table": {"0,0": "RT3"},
        "hands": [["B0", "B0", "RT1"], ["YT2"]],
        "stack": 1,
        "chips": [2, 10],
        "taken": [[], ["RT4", "V0"]],
        # four places for RT1, the pass, and an exchange of each different tile
        "legal": 4 + 1 + 2,
    }


def test_a_trace_line_of_a_scoring_round() -> None:
    begun = play(position("RT1 RC2 RS3 RF4 .", ["RS4", "V0", "V0"]), "RS4@4,0", "take 4,0")
    trace = RULES.trace(begun)
    assert (trace["phase"], trace["seat"], trace["legal"]) == ("take", 2, 2)


def test_a_choice_of_lines_counts_as_two_legal_moves() -> None:
    drawing = """
        .   .   .   .   RT2
        .   .   .   .   RF3
        .   .   .   .   RC1
        .   .   .   .   RS2
        RT1 RC2 RS3 RF4 .
    """
    start = position(drawing, ["RS4", "V0"], stack=())
    places = {fit.cell for fit in RULES.view(start, 0).fits}
    assert RULES.trace(start)["legal"] == len(places) + 1 + 1, "the corner counts twice, and there is the pass"
