"""Positions of Block Buster as plain data, and as trace lines."""

import json
from random import Random

import pytest

from games.block_buster.board import board_with
from games.block_buster.modes import MODES, Mode
from games.block_buster.rules import RULES
from tests.games.block_buster.boards import position, start

LARGE = board_with(5).rows


@pytest.mark.parametrize("mode", MODES.values(), ids=lambda mode: f"{mode.name}-{mode.players}")
def test_every_position_of_a_match_survives_storage(mode: Mode) -> None:
    """Through JSON text, with its keys sorted as a database may do."""
    rng = Random(mode.name)
    options = {"mode": mode.name, "layout": "random"}
    current = RULES.start(options, RULES.deal(options, [""] * mode.players, rng), mode.players)
    while True:
        stored = json.dumps(RULES.dump(current), sort_keys=True)
        loaded = RULES.load(json.loads(stored))
        assert loaded == current
        assert json.dumps(RULES.dump(loaded), sort_keys=True) == stored
        seat = current.to_move
        if seat is None:
            return
        moves = RULES.legal_moves(current, seat)
        assert RULES.legal_moves(loaded, seat) == moves
        current, _ = RULES.play(current, seat, rng.choice(moves), at=0)


def test_a_trace_line() -> None:
    begun = position("bb\n.##y", mode="two-colours", tokens=(-4, -10), supply=(0, 2), turn=1, out=(2, 3))
    trace = RULES.trace(begun)
    board, left = trace.pop("board"), trace.pop("left")
    assert board == ["bb..................", ".##y.##..##..##..##.", *LARGE[2:]]
    assert isinstance(left, dict)
    assert isinstance(left["green"], list)
    assert list(left) == ["blue", "yellow", "red", "green"]
    assert " ".join(map(str, left["green"])) == "1 2 F5 I3 I4 I5 L4 L5 N5 O4 P5 S4 T4 V3 V5 Y5"
    assert trace == {
        "phase": "play",
        "seat": 1,
        "colour": "yellow",
        "tokens": [-4, -10],
        "supply": [0, 2],
        "out": ["red", "green"],
        "legal": len(RULES.legal_moves(begun, 1)),
    }


def test_the_first_moves_on_the_large_board_are_8468() -> None:
    assert RULES.trace(start(players=4))["legal"] == len(RULES.legal_moves(start(players=4), 0)) == 8468


def test_copies_are_listed_twice_and_counted_once() -> None:
    trace = RULES.trace(start("official-duel"))
    left = trace["left"]
    assert isinstance(left, dict)
    blocks = left["blue"]
    assert isinstance(blocks, list)
    assert blocks[:4] == ["1", "1", "2", "2"]
    assert len(blocks) == 32
    assert trace["legal"] == 8468


def test_passing_counts_as_a_move() -> None:
    begun = position("by\ny##.", left={"b": "1"}, supply=(1, 0))
    assert RULES.trace(begun)["legal"] == 2 + 1
