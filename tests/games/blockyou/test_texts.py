"""The sentences of BlockYou!: one for every code, each saying what happened and, where refused, what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import pytest
from django.conf import settings
from django.utils import translation

from games.blockyou import texts
from games.blockyou.dealing import INFO
from games.blockyou.notation import HIDDEN
from games.blockyou.placement import Placement
from games.blockyou.presenter.verdict import KINDS
from games.blockyou.texts.events import EVENTS
from games.blockyou.texts.labels import LABELS
from games.blockyou.texts.names import STATUS_NAMES, colour_name, way_name
from games.blockyou.texts.refusals import REFUSALS
from games.blockyou.texts.verdicts import VERDICTS
from games.contract.values import OPEN, ROUND_OVER, SPECTATOR, Event
from tests.games.blockyou.sights import between_rounds, sight

FOLDER = Path(texts.__file__).parents[1]
NAMES = ("Mimi", "Tom", "Emma", "Otto", "Lena")


def test_every_refusal_of_the_rules_has_a_sentence_and_none_is_left_over() -> None:
    """Some codes are said by name of a status, so the source is searched for each text that could be one."""
    files = [*FOLDER.glob("*.py"), FOLDER.parent / "contract" / "options.py"]
    sources = "".join(path.read_text() for path in files)
    raised = set(re.findall(r'raise (?:IllegalMove|BadOption|BadDeal)\(\s*"([\w-]+)"', sources))
    assert raised <= set(REFUSALS)
    assert {code for code in REFUSALS if f'"{code}"' not in sources} == set()


def test_every_event_has_a_sentence() -> None:
    source = (FOLDER / "events.py").read_text()
    cells = re.findall(r"^\| (`.+?`) \|", source, re.MULTILINE)
    documented = {code for cell in cells for code in re.findall(r"`([\w-]+)`", cell)}
    assert documented == set(EVENTS)
    assert {"placed", ROUND_OVER, "nofit-wrong"} <= documented


def test_the_presenter_says_exactly_the_labels_there_are() -> None:
    """A label that is missing would break the board; one that nobody says would be translated for nothing."""
    sources = "".join(path.read_text() for path in (FOLDER / "presenter").glob("*.py"))
    said = {code for code in LABELS if re.search(f"[\"']{code}[\"']", sources)}
    said |= {f"turn-{side}" for side in ("left", "right")}
    said |= {f"status-{status}" for status in STATUS_NAMES} | {f"verdict-{code}" for code in KINDS}
    said |= {f"state-{status}" for status in STATUS_NAMES}
    assert said == set(LABELS)
    assert set(KINDS) == set(VERDICTS)


def test_colours_directions_states_and_reasons_have_names_of_their_own() -> None:
    assert len({colour_name(colour) for colour in "012345"}) == 6
    assert len({way_name(direction) for direction in range(8)}) == 8
    assert len({name() for name in STATUS_NAMES.values()}) == 6
    assert len({texts.reason(reason) for reason in INFO.reasons}) == 2


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_what_a_seat_does_has_room_in_the_picture(language: str) -> None:
    """Letters of Chinese are twice as wide."""
    with translation.override(language):
        for name in STATUS_NAMES.values():
            assert sum(2 if east_asian_width(letter) == "W" else 1 for letter in name()) <= 10, name()


def test_claims_in_words_count_rows_and_columns_from_one() -> None:
    assert texts.move("3,0/0", 0, NAMES) == "Mimi claims row 4, column 1."
    assert texts.move("3,0/3", 1, NAMES) == "Tom claims row 4, column 1, turned by 270°."
    assert texts.move("nofit", 0, NAMES) == "Mimi says that nothing fits."
    assert texts.move(HIDDEN, 0, NAMES) == "Mimi claims a place."


CLAIM: dict[str, Any] = {"seat": 0, "claim": "3,0/2"}


@pytest.mark.parametrize(
    ("code", "params", "said"),
    [
        ("placed", CLAIM, "BlockYou! Mimi has placed at row 4, column 1."),
        ("blocked", {"seat": 1, "by": 0}, "Tom is blocked by Mimi."),
        (
            "wrong",
            CLAIM | {"why": "colours", "penalty": True},
            "Mimi was wrong at row 4, column 1: the colours do not match. A penalty card.",
        ),
        ("self-block", CLAIM | {"penalty": False}, "The card of Mimi points at its own player, and goes back."),
        (
            "bounced",
            CLAIM | {"by": 1, "margin": 43},
            "The claim of Mimi bounced: Tom was there earlier by 43 ms.",
        ),
        (
            "dropped",
            CLAIM | {"why": "blocked", "by": 1, "margin": 0},
            "The claim of Mimi came too late: blocked by Tom, earlier by 0 ms.",
        ),
        ("dropped", CLAIM | {"why": "round-over"}, "The claim of Mimi came too late: the round was over."),
        ("refreshed", {"card": 7, "claim": "0,6/1"}, "The area is refreshed at row 1, column 7."),
        ("last", {"seat": 1}, "Tom was the last: the card goes back."),
        (ROUND_OVER, {"round": 4, "searched": (0, 1)}, "Round 4 is over."),
    ],
)
def test_events_in_words(code: str, params: dict[str, Any], said: str) -> None:
    assert texts.event(Event(5, code, params), NAMES) == said


def test_everybody_is_told_what_is_to_be_done() -> None:
    def said(view: Any) -> str:
        return texts.prompt(view, NAMES)

    out: dict[str, Any] = {"cards": (None, None), "may_claim": False}
    assert said(sight()) == "Find a place for your card. No finger may point south, at you."
    assert said(sight(2, viewer=1)) == "Find a place for your card. No finger may point north, at you."
    assert said(sight(waiting=(Placement(0, 0, 0), None))) == "Your claim is in. The verdict follows at once."
    assert said(sight(phase="final")) == "You are the last who searches: ten seconds at the most."
    assert said(sight(status=("placed", "searching"), **out)) == "BlockYou! You are done. Still searching: Tom."
    assert said(sight(status=("blocked", "searching"), **out)) == "You are blocked in this round. Still searching: Tom."
    assert said(sight(status=("erred", "searching"), **out)).startswith("Wrong: you also sit out the next round.")
    assert said(sight(status=("sitting out", "searching"), **out)) == "You sit out this round. Searching: Tom."
    assert said(sight(viewer=SPECTATOR)) == said(sight(viewer=OPEN)) == "Round 3. Searching: Mimi, Tom."
    assert said(between_rounds()) == "Round 3 comes: look at the area, and wait for zero."
    assert said(between_rounds(sits_out_next=(True, False))) == "Round 3 comes, and you sit it out."
    assert said(between_rounds(phase="over")) == "The match is over."


def test_who_plays_alone_is_told_of_no_fit() -> None:
    assert texts.prompt(sight(1), NAMES) == "Place card 3 with no finger pointing south, or say “No fit”."
    assert texts.prompt(sight(1, viewer=SPECTATOR), NAMES) == "Card 3 is to be placed."


def test_prompts_stay_within_two_lines_of_a_phone() -> None:
    """The page cuts what is longer, so that nothing moves while everybody searches."""
    views = [sight(), sight(phase="final"), sight(1), between_rounds(), between_rounds(1), sight(5, viewer=4)]
    assert max(len(texts.prompt(view, NAMES)) for view in views) <= 74


@pytest.mark.parametrize("key", ["options", "deal", "deck", "turns", "compass"])
def test_data_of_a_wrong_type_are_named(key: str) -> None:
    assert key.removesuffix("s") in texts.refusal("wrong-type", {"key": key})


def test_refusals_are_filled_in() -> None:
    params = {
        "players": 6,
        "least": 1,
        "most": 5,
        "option": "deck",
        "values": ("standard", "easy"),
        "key": "deck",
        "count": 3,
        "wanted": 88,
        "number": 4,
        "card": 7,
    }
    said = {code: texts.refusal(code, params) for code in REFUSALS}
    assert all(sentence.endswith(".") for sentence in said.values())
    assert not re.search(r"%\(|None", "".join(said.values()))
    assert said["player-count"] == "BlockYou! is for 1 to 5 players, and not for 6."
    assert said["bad-option"] == "The option “deck” has no such value. Choose one of these: standard, easy."
    assert texts.refusal("brand-new", {}) == "The rules of BlockYou! do not allow that."
