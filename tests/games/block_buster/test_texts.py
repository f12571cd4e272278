"""The sentences of Block Buster: one for every code, each saying what happened and, where refused, what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.block_buster import events, texts
from games.block_buster.dealing import INFO
from games.block_buster.modes import COLOURS, MODE_NAMES
from games.block_buster.rules import RULES
from games.block_buster.texts.labels import LABELS
from games.block_buster.texts.names import colour_name, mode_name
from games.block_buster.texts.refusals import REFUSALS
from games.contract.errors import BadOption
from games.contract.values import SPECTATOR
from tests.games.block_buster.boards import play, play_one, position, refusal, start

FOLDER = Path(texts.__file__).parents[1]
NAMES = ("Mimi", "Tom")

CORNER = """
    bb..........
    .##..##..##.
    .##..##..##.
    ....y.......
"""


def test_every_refusal_of_the_rules_has_a_sentence_and_none_is_left_over() -> None:
    files = [*FOLDER.glob("*.py"), FOLDER.parent / "contract" / "options.py"]
    sources = "".join(path.read_text() for path in files)
    raised = set(re.findall(r'raise (?:IllegalMove|BadOption|BadDeal)\(\s*"([\w-]+)"', sources))
    assert raised == set(REFUSALS)


def test_every_event_has_a_sentence() -> None:
    codes = set(re.findall(r'Event\(\s*at,\s*"([\w-]+)"', (FOLDER / "events.py").read_text()))
    assert codes == set(texts._EVENTS)


def test_the_presenter_says_exactly_the_labels_there_are() -> None:
    """A label that is missing would break the board; one that nobody says would be translated for nothing."""
    sources = "".join(path.read_text() for path in (FOLDER / "presenter").glob("*.py"))
    assert {code for code in LABELS if re.search(f"[\"']{code}[\"']", sources)} == set(LABELS)


def test_colours_modes_and_reasons_have_names_of_their_own() -> None:
    assert len({colour_name(colour) for colour in COLOURS}) == 4
    assert len({mode_name(mode) for mode in MODE_NAMES}) == 4
    assert len({texts.reason(reason) for reason in INFO.reasons}) == 2


@pytest.mark.parametrize(
    ("move", "given", "said"),
    [
        (
            "1 d4",
            {"tokens": (-3, 0)},
            "Between this place and your blocks there is a gap of 4 cells. That costs 8 points in tokens; you have "
            "taken 3 already, and nobody may go beyond 10. Choose a place closer by.",
        ),
        (
            "1 d1",
            {"supply": (0, 1)},
            "Between this place and your blocks there is a gap of 1 cell. That costs 2 points in tokens, which the "
            "supply can’t pay: it has 0 tokens of 2 and 1 of 1 left. Choose a place closer by.",
        ),
        ("2 e4 f4", {}, "A block lies at e4 already (yellow). Choose free cells."),
        ("I3 a2 b2 c2", {}, "At b2 there is a point block, which may not be covered. Choose free cells."),
        ("1 a13", {}, "a13 is outside the board of 12 by 12 cells. Choose a place on the board."),
        ("L4 c4 c5 c6 d6", {"left": {"b": "1"}}, "Blue has placed block L4 already. Choose a block that is left."),
        ("F5 f8 g8 e9 f9 f10", {}, "Block F5 is left out with so many players. Choose another block."),
        (
            "2 a4",
            {},
            "These cells do not have the shape of block 2, however it is turned or flipped. "
            "Place them in its shape, or choose another block.",
        ),
        ("2 d1 c1", {}, "The cells must be listed row by row from the top, and within a row from the left."),
        (
            "pass",
            {},
            "Blue can still be joined without a gap, with block V5 for example. "
            "Passing is allowed only when no block can be joined.",
        ),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_to_do(move: str, given: dict[str, object], said: str) -> None:
    refused = refusal(position(CORNER, **given), move)  # type: ignore[arg-type]
    assert texts.refusal(refused.code, refused.params) == said


def test_options_that_do_not_go_together_are_explained() -> None:
    def said(options: dict[str, object], players: int) -> str:
        with pytest.raises(BadOption) as refused:
            RULES.complete_options(options, players)
        return texts.refusal(refused.value.code, refused.value.params)

    assert said({"mode": "pairs"}, 3) == "The mode “Pairs” is not for 3 players, but for 4."
    assert said({"collection": 4}, 2) == "In the mode “Standard” the size of a collection can’t be chosen."
    assert said({"layout": "x"}, 2) == "The option “layout” has no such value. Choose one of these: fixed, random."


def test_an_unknown_code_is_said_in_general_words() -> None:
    assert texts.refusal("brand-new", {}) == "That is not possible by the rules of Block Buster."


def test_moves_in_words() -> None:
    assert texts.move("L4 c3 c4 c5 d5", 1, NAMES) == "Tom places block L4 at c3 c4 c5 d5."
    assert texts.move("pass", 0, NAMES) == "Mimi passes."


def test_events_in_words() -> None:
    _, happened = play_one(position(CORNER, mode="two-colours"), "1 e1")
    assert [texts.event(event, NAMES) for event in happened] == [
        "Played with blue.",
        "The jump over 2 cells costs 4 points in tokens.",
    ]
    begun = start()
    for event, said in [
        (events.acquired(5, begun, 1, 4), "Yellow has acquired the point block B at f6."),
        (events.collected(5, 0, "A", 3), "Mimi has a collection: 3 point blocks of the shape A."),
        (events.colour_out(5, 1, 1), "Yellow (Tom) is out."),
        (events.match_ended(5, "exhausted"), "The match is over: no colour can go on."),
    ]:
        assert texts.event(event, NAMES) == said


def test_prompts() -> None:
    def said(begun: object, viewer: object) -> str:
        return texts.prompt(RULES.view(begun, viewer), NAMES)  # type: ignore[arg-type]

    begun = start()
    assert said(begun, 0) == "Your turn with blue: place the first block anywhere."
    assert said(begun, 1) == said(begun, SPECTATOR) == "It is the turn of Mimi with blue."
    assert said(position(CORNER), 0) == "Your turn with blue: place a block beside yours."
    shut = position("by\ny##.", left={"b": "1"}, supply=(1, 0))
    assert said(shut, 0) == "Your turn with blue: no block can be joined. Jump for tokens, or pass for good."
    assert said(position(CORNER, out=(0,), turn=1), 0) == "You are out. It is the turn of Tom with yellow."
    over = play(position(CORNER, left={"b": "1"}, out=(1,)), "1 c1")
    assert said(over, 1) == "The match is over: no colour can go on."
