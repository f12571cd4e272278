"""Hints of Block Buster: a legal move, with reasons that are true of it and can be said."""

from random import Random

import pytest

from games.block_buster import bot, texts
from games.block_buster.board import board_with
from games.block_buster.bots import reasons
from games.block_buster.bots.model import Step, match_node
from games.block_buster.placing import gap_between
from games.block_buster.position import Place, Position
from games.block_buster.rules import RULES
from games.block_buster.texts.hints import HINTS
from tests.games.block_buster.boards import legal, play, position, start
from tests.games.block_buster.test_bot_levels import THREAT

RINGS = """
    bbbbyy......
    b##by##.y##.
    b##..##..##.
    ............
"""

SHUT = """
    byyyyy
    y##yy##y
    y##.y##.
    yyyyyyyy
    yyyyyyyy
"""


def why(begun: Position, text: str) -> list[tuple[str, dict[str, object]]]:
    """Why the colour to move may well play this."""
    assert begun.to_move is not None
    view = RULES.view(begun, begun.to_move)
    match, node = match_node(view)
    move = RULES.parse_move(text)
    step = Step(None)
    if isinstance(move, Place):
        spots = match.ground.spots(list(range(16)), match.ground.shifted(node.free), node.free)
        cells = board_with(view.setup.mode.tiles).cells_of(move.cells)
        gap = gap_between(match.ground.board, node.cells[node.turn], cells)
        step = Step(next(spot for spot in spots if spot.place == move), gap)
    return [(code, dict(params)) for code, params in reasons.reasons(view, step)]


@pytest.mark.parametrize(
    ("begun", "move", "code", "params"),
    [
        (position(THREAT, left={"b": "2 T4"}), "2 h3 h4", "wins", {"shape": "A", "count": 3}),
        (position(THREAT, left={"b": "2 T4"}, turn=1), "2 g4 h4", "prevents", {"colour": "blue", "shape": "A"}),
        (position(THREAT, left={"b": "2 1", "y": "1"}), "1 h3", "threatens", {"shape": "A"}),
        (
            position(RINGS.replace("b##..", ".##.."), left={"b": "2"}),
            "2 a3 a4",
            "acquires",
            {"shape": "A", "cell": "b2"},
        ),
        (position(RINGS), "I4 e4 f4 g4 h4", "overtakes", {"shape": "A", "cell": "f2", "colour": "yellow"}),
        (position(RINGS), "O4 d3 e3 d4 e4", "large", {"squares": 4}),
        (position(RINGS.replace("yy", "y.")), "2 d3 d4", "opens", {"cells": 3}),
        (position(RINGS.replace("yy", "..")), "1 e1", "halts", {"shape": "A", "cell": "f2", "colour": "yellow"}),
        (position("bb"), "1 c1", "joins", {}),
        (position("bb"), "1 e1", "leads", {"shape": "A", "cell": "f2"}),
        (position("bb"), "1 e1", "jumps", {"cost": 4}),
        (position(SHUT, left={"b": "1"}), "pass", "passes", {}),
    ],
)
def test_reasons(begun: Position, move: str, code: str, params: dict[str, object]) -> None:
    """Each is given where it is true, with what its sentence needs."""
    assert (code, params) in why(begun, move)
    assert texts.hint(code, params)


def test_every_reason_has_a_sentence() -> None:
    """In the module's own table, and in the sentences."""
    assert reasons.__doc__ is not None
    rows = [line.split("`")[1] for line in reasons.__doc__.splitlines() if line.startswith("| `")]
    assert rows == list(HINTS)


def test_what_decides_the_match_is_said_first_and_alone() -> None:
    assert [code for code, _ in why(position(THREAT, left={"b": "2 T4"}), "2 h3 h4")] == ["wins"]
    assert why(position(THREAT, left={"b": "2 T4"}, turn=1), "2 g4 h4")[0][0] == "prevents"


def test_hints_are_legal_and_reasoned_through_a_match() -> None:
    rng, current = Random(2), start(players=3)
    while current.to_move is not None:
        given = bot.hint(RULES.view(current, current.to_move), rng)
        assert given is not None
        assert given.move in legal(current)
        assert 1 <= len([texts.hint(code, params) for code, params in given.why]) <= 3
        current = play(current, given.move if rng.random() < 0.7 else rng.choice(legal(current)))


def test_a_hint_says_when_to_pass_and_nothing_out_of_turn() -> None:
    begun = position(SHUT, left={"b": "1"})
    given = bot.hint(RULES.view(begun, 0), Random(1))
    assert given is not None
    assert given.move == "pass"
    assert bot.hint(RULES.view(begun, 1), Random(1)) is None
