"""What every presenter and every game's texts must keep, so that pages can trust the markup and people the words."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from games.contract.errors import IllegalMove, RulesError
from games.contract.registry import Game
from games.contract.values import OPEN, SPECTATOR, Drawing, Event, Moment, Viewer
from tests.contract.sampled import Before, Case, over_cases, over_games, played, some
from tests.sizes import size

pytestmark = pytest.mark.soak

MOVES = size("moves of a match, drawn for each viewer", ci=2, soak=5)

NAMES = ("<svg onload=alert(1)>", "\u202eTom", "Emma %(x)s {y}", "", "Lena & Co", '"Jim"')

FORBIDDEN_TAGS = {"script", "style", "foreignobject", "iframe", "image", "form", "a"}
UNFINISHED = re.compile(r"%\(|\{\w*\}|\bNone\b")
"""Left in a sentence by a parameter that was not filled in."""


@over_cases
def test_drawings_are_sound_markup_that_a_strict_page_may_hold(case: Case) -> None:
    """One panel a seat; no script, no inline style, nothing from elsewhere (the content security policy)."""
    for position, viewer, moment in moments(case):
        drawing = draw(case, position, viewer, moment)
        assert len(drawing.panels) == case.players
        assert ElementTree.fromstring(drawing.board).tag.rpartition("}")[2] == "svg"
        for tag, attributes in elements(drawing):
            assert tag not in FORBIDDEN_TAGS
            for name, value in attributes.items():
                assert name != "style"
                assert not name.startswith("on")
                assert name not in ("href", "xlink:href", "src") or value.startswith(("#", "/static/"))


@over_cases
def test_ids_are_unique_within_a_drawing(case: Case) -> None:
    for position, viewer, moment in moments(case):
        drawing = draw(case, position, viewer, moment)
        ids = [attributes["id"] for _, attributes in elements(drawing) if "id" in attributes]
        assert len(set(ids)) == len(ids)


@over_cases
def test_moves_offered_by_a_drawing_are_legal_for_the_viewer(case: Case) -> None:
    """A click on `data-move` plays it: nothing may be offered to who looks on, or to a seat that may not act."""
    rules = case.game.rules
    for position, viewer, moment in moments(case):
        drawing = draw(case, position, viewer, moment)
        moves = rules.legal_moves(position, viewer) if isinstance(viewer, int) else ()
        legal = set(map(rules.format_move, moves))
        for _, attributes in elements(drawing):
            offered = "data-move" in attributes and "disabled" not in attributes
            assert not offered or attributes["data-move"] in legal


@over_cases
def test_equal_views_are_drawn_as_equal_bytes(case: Case) -> None:
    """One drawing serves all who may see the same, and a page that already has it is left alone."""
    rules = case.game.rules
    for position, viewer, moment in moments(case):
        stored = rules.load(rules.dump(position))
        assert draw(case, position, viewer, moment) == draw(case, stored, viewer, moment)


@over_cases
def test_only_a_seat_holds_a_hand(case: Case) -> None:
    position, _ = played(case).positions[0]
    assert draw(case, position, SPECTATOR, Moment()).hand == ""


@over_cases
def test_every_move_and_event_has_a_sentence_for_who_may_know_of_it(case: Case) -> None:
    rules, texts, names = case.game.rules, case.game.texts, plain_names(case)
    for before in played(case).moves:
        move = rules.parse_move(before.text)
        for viewer in (*case.viewers, OPEN):
            assert_sentence(texts.move(rules.view_move(before.position, before.seat, move, viewer), before.seat, names))
    for event in played(case).events:
        assert_finished(texts.event(event, names))


@over_cases
def test_every_viewer_is_told_what_is_to_be_done_now(case: Case) -> None:
    for position, _ in played(case).positions:
        for viewer in (*case.viewers, OPEN):
            assert_sentence(case.game.texts.prompt(case.game.rules.view(position, viewer), plain_names(case)))


@over_cases
def test_names_stand_in_sentences_as_they_are(case: Case) -> None:
    """No name breaks a sentence, be it markup, a placeholder or a mark that turns the writing round."""
    rules, texts, names = case.game.rules, case.game.texts, NAMES[: case.players]
    said: list[str] = []
    for before in some(case.rng, played(case).moves, 20):
        sentence = texts.move(before.text, before.seat, names)
        assert names[before.seat] in sentence
        said.append(sentence)
        said += [texts.prompt(rules.view(before.position, viewer), names) for viewer in case.viewers]
    said += [texts.event(event, names) for event in some(case.rng, played(case).events, 40)]
    assert all(isinstance(sentence, str) for sentence in said)


@over_cases
def test_every_refusal_that_is_met_has_a_sentence(case: Case) -> None:
    for error in refusals(case):
        assert_sentence(case.game.texts.refusal(error.code, error.params))


@over_games
def test_options_reasons_and_the_game_itself_have_words(game: Game) -> None:
    texts = game.texts
    assert_sentence(texts.tagline())
    for reason in game.info.reasons:
        assert_sentence(texts.reason(reason))
    for option in game.info.options:
        assert_sentence(texts.option(option.key))
        for value in option.values:
            label, explanation = texts.option_value(option.key, value)
            assert_sentence(label)
            assert_sentence(explanation)


def moments(case: Case) -> list[tuple[Any, Viewer, Moment]]:
    """Some positions of the match with what has just happened, for all who may look, OPEN included."""
    rules, sampled = case.game.rules, list[tuple[Any, Viewer, Moment]]()
    for viewer in (*case.viewers, OPEN):
        first, _ = played(case).positions[0]
        last, _ = played(case).positions[-1]
        sampled += [(first, viewer, Moment()), (last, viewer, Moment())]
        for before in some(Random(f"{case}/{viewer}"), played(case).moves, MOVES):
            after, events = play(case, before)
            text = rules.view_move(before.position, before.seat, rules.parse_move(before.text), viewer)
            seen = tuple(event for event in events if event.seen_by(viewer))
            sampled.append((after, viewer, Moment(before.seat, text, seen)))
    return sampled


def play(case: Case, before: Before) -> tuple[Any, tuple[Event, ...]]:
    """The position after the move, and what happened."""
    rules = case.game.rules
    return rules.play(before.position, before.seat, rules.parse_move(before.text), at=before.at, lag=before.lag)


def draw(case: Case, position: Any, viewer: Viewer, moment: Moment) -> Drawing:
    """The position drawn for the viewer."""
    return case.game.presenter.draw(case.game.rules.view(position, viewer), moment, case.game.texts.say)


class Elements(HTMLParser):
    """Collects the elements of markup, and fails where they are not closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute stands twice: {attrs}"
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in ("br", "img", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def elements(drawing: Drawing) -> list[tuple[str, dict[str, str]]]:
    """All elements of a drawing: tags and attributes in small letters."""
    found: list[tuple[str, dict[str, str]]] = []
    for markup in (drawing.board, drawing.hand, *drawing.panels):
        parser = Elements()
        parser.feed(markup)
        parser.close()
        assert not parser.open
        found += parser.found
    return found


def refusals(case: Case) -> list[RulesError]:
    """Refusals by the rules: moves at the wrong time, by the wrong seat, of other positions, and no moves at all."""
    rules, rng, moves = case.game.rules, case.rng, played(case).moves
    met: dict[str, RulesError] = {}
    for before in some(rng, moves, 60):
        for text in ("", *(other.text for other in some(rng, moves, 8))):
            for seat in range(case.players):
                try:
                    rules.play(before.position, seat, rules.parse_move(text), at=before.at)
                except IllegalMove as error:
                    met[error.code] = error
    for refused in (
        lambda: rules.complete_options({"no such option": "x"}, case.players),
        lambda: rules.start(dict(case.options), {}, case.players),
    ):
        with pytest.raises(RulesError) as caught:
            refused()
        met[caught.value.code] = caught.value
    assert "malformed" in met
    return list(met.values())


def plain_names(case: Case) -> tuple[str, ...]:
    """Names that cannot be mistaken for an unfinished sentence."""
    return ("Mimi", "Tom", "Emma", "Otto", "Lena", "Jim")[: case.players]


def assert_sentence(said: str) -> None:
    assert said.strip()
    assert_finished(said)


def assert_finished(said: str) -> None:
    assert isinstance(said, str)
    assert not UNFINISHED.search(said), said
