"""The sentences of M: one for every code, each saying what happened and, where something is refused, what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.contract.values import SPECTATOR
from games.m import events, texts
from games.m.position import HIDDEN
from games.m.rules import RULES
from games.m.texts.labels import LABELS
from games.m.texts.names import tile_name
from games.m.texts.refusals import REFUSALS
from games.m.tiles import COPIES
from tests.games.m.boards import play, position, refusal

FOLDER = Path(texts.__file__).parents[1]
NAMES = ("Mimi", "Tom")


def raised_codes() -> set[str]:
    """Every code with which the rules refuse something, as it stands in the source; the contract checks options."""
    files = [*FOLDER.glob("*.py"), FOLDER.parent / "contract" / "options.py"]
    sources = "".join(path.read_text() for path in files)
    return set(re.findall(r'raise (?:IllegalMove|BadOption|BadDeal)\(\s*"([\w-]+)"', sources))


def test_every_refusal_of_the_rules_has_a_sentence_and_none_is_left_over() -> None:
    assert raised_codes() == set(REFUSALS)


def test_every_event_has_a_sentence() -> None:
    codes = set(re.findall(r'Event\(at, "([\w-]+)"', (FOLDER / "events.py").read_text()))
    assert codes == set(texts._EVENTS)


def test_the_presenter_says_exactly_the_labels_there_are() -> None:
    """A label that is missing would break the board; one that nobody says would be translated for nothing."""
    sources = "".join(path.read_text() for path in (FOLDER / "presenter").glob("*.py"))
    said = {code for code in LABELS if re.search(rf'"{code}"', sources)}
    said |= {code for code in ("score-row", "score-col") if 'words(f"score-{line}")' in sources}
    assert said == set(LABELS)
    assert set(re.findall(r'words(?:\.plain)?\("([\w-]+)"', sources)) <= set(LABELS)


def test_every_tile_has_a_name_of_its_own() -> None:
    names = {tile: tile_name(tile) for tile in COPIES}
    assert len(set(names.values())) == len(COPIES)
    assert names["RT3"] == "red triangle 30"
    assert names["V0"] == "violet 0"


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (
            "GF1@2,0",
            "Green fork 10 has neither colour, figure nor value in common with red cube 40 at 1,0. "
            "Choose a place where it matches every neighbour.",
        ),
        ("GF1@1,0", "Red cube 40 lies at 1,0 already. Choose a free place."),
        ("GF1@5,5", "Nothing lies beside 5,5. Choose a place that touches a tile."),
        ("BF1@2,0", "You do not have blue fork 10. Choose a tile of your own."),
        ("GF1@0,1/row", "Neither row nor column scores here. Place the tile without saying which line counts."),
        ("take 0,0", "Tiles are taken only in a scoring round. Place a tile, or pass."),
    ],
)
def test_a_refused_move_says_why_and_what_to_do(move: str, said: str) -> None:
    refused = refusal(position("RT1 RC4", ["GF1", "R0"]), move)
    assert texts.refusal(refused.code, refused.params) == said


def test_a_code_nobody_knows_still_gets_a_sentence() -> None:
    assert texts.refusal("from a newer version", {}) == "That is not possible by the rules of M."


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("RT3@2,-1", "Mimi places red triangle 30 at 2,-1."),
        ("RT3@2,-1/row", "Mimi places red triangle 30 at 2,-1."),
        ("take 2,-1", "Mimi takes the tile at 2,-1."),
        ("pass", "Mimi passes."),
        ("pass RT3", "Mimi passes and exchanges red triangle 30."),
        (f"pass {HIDDEN}", "Mimi passes and exchanges a tile."),
    ],
)
def test_moves_in_words(move: str, said: str) -> None:
    assert texts.move(move, 0, NAMES) == said


def test_events_in_words() -> None:
    said = [
        texts.event(event, NAMES)
        for event in (
            events.chips_taken(0, 0, 1, 1),
            events.chips_taken(0, 0, 1, 3),
            events.pass_paid(0, 1, 0),
            events.round_begun(0, 0, "col", [(0, y) for y in range(5)]),
            events.tile_taken(0, 0, "BC2", (0, 0)),
            events.exchanged(0, 0, "RT3", "R0"),
            events.match_ended(0, "blocked"),
        )
    ]
    assert said == [
        "Mimi takes 1 chip from Tom.",
        "Mimi takes 3 chips from Tom.",
        "Tom pays a chip to Mimi.",
        "Mimi begins a scoring round: a column of 5 tiles.",
        "Taken: blue cube 20.",
        "Red triangle 30 goes under the stack; red 0 is drawn.",
        "",
    ]


def test_everybody_is_told_what_is_to_be_done() -> None:
    start = position("RT1 RC4", ["RF1", "R0"])
    assert texts.prompt(RULES.view(start, 0), NAMES) == "Your turn: choose a tile and place it, or pass."
    assert texts.prompt(RULES.view(start, 1), NAMES) == "It is the turn of Mimi."
    assert texts.prompt(RULES.view(start, SPECTATOR), NAMES) == "It is the turn of Mimi."


def test_who_has_nothing_to_place_is_told_to_pass() -> None:
    stuck = position("RT1 RC1", ["GF3", "R0"])
    assert (
        texts.prompt(RULES.view(stuck, 0), NAMES)
        == "Your turn: none of your tiles fits anywhere, so you can only pass."
    )
    empty = position("RT1 RC1", ["", "R0"])
    assert texts.prompt(RULES.view(empty, 0), NAMES) == "Your turn: you have no tile left, so you can only pass."


def test_a_scoring_round_says_whose_pick_it_is() -> None:
    scoring = play(position("VF4 VF1 VC1 BC3", ["BC2", "GF1"]), "BC2@4,0")
    assert texts.prompt(RULES.view(scoring, 0), NAMES) == "Your pick: take one of the marked tiles."
    assert texts.prompt(RULES.view(scoring, 1), NAMES) == "Mimi takes a tile of the line."
