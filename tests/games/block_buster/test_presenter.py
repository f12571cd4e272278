"""What people see of Block Buster: every ring and block is named, what just happened is marked, and little is sent."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from games.block_buster import presenter, texts
from games.block_buster.blocks import BLOCKS, FORMS
from games.block_buster.board import board_with
from games.block_buster.bot import choose, stand_in
from games.block_buster.modes import COLOURS, MODES
from games.block_buster.notation import format_cell
from games.block_buster.position import Placed, Position
from games.block_buster.presenter import kit
from games.block_buster.presenter.outline import UNIT, outline
from games.block_buster.presenter.words import SAID_BY_THE_SCRIPT
from games.block_buster.rules import RULES
from games.contract.values import OPEN, SPECTATOR, Drawing, Moment, Viewer
from tests.games.block_buster.boards import play_one, position, start
from tests.games.colours import contrast, schemes

FOLDER = Path(presenter.__file__).parents[1]
SCRIPTS = FOLDER / "static" / "block_buster"

MOST_BYTES = 14_000
"""Of a drawing: with what the house adds, a push stays below 20 kB."""

CORNER = """
    bb..........
    .##..##..##.
    .##..##..##.
    ....y.......
"""

every_mode = pytest.mark.parametrize(("mode", "players"), list(MODES))


def draw(begun: Position, viewer: Viewer, moment: Moment | None = None) -> Drawing:
    return presenter.draw(RULES.view(begun, viewer), moment or Moment(), texts.say)


def laid(drawing: str, **given: Any) -> Position:
    """A position drawn in ASCII, made of blocks of one square, since a picture tells no others apart."""
    begun = position(drawing, **given)
    return replace(begun, placed=tuple(Placed(own.colour, "1", (cell,)) for own in begun.placed for cell in own.cells))


def after(begun: Position, text: str) -> tuple[Position, Moment]:
    """The position after the move, and what everybody knows of it."""
    then, happened = play_one(begun, text)
    return then, Moment(begun.to_move, text, happened)


def match(mode: str, players: int, seed: int = 1) -> list[tuple[Position, Moment]]:
    """Every position of a match by the bot, which slips now and then, with what had just happened."""
    rng = Random(seed)
    now = start(mode, players)
    found = [(now, Moment())]
    while now.to_move is not None:
        view = RULES.view(now, now.to_move)
        text = choose(view, "easy", rng) if rng.random() < 0.3 else stand_in(view, rng)
        now, moment = after(now, text)
        found.append((now, moment))
    return found


def root(markup: str) -> Element:
    return ElementTree.fromstring(f"<div>{markup}</div>")


def of_class(markup: str, name: str) -> list[Element]:
    """All elements of the class, in the order of the markup."""
    return [element for element in root(markup).iter() if name in element.get("class", "").split()]


def labels(markup: str) -> list[str]:
    return [label for element in root(markup).iter() if (label := element.get("aria-label"))]


# --- names ---


@every_mode
def test_every_ring_is_named_with_who_leads_and_by_how_much(mode: str, players: int) -> None:
    for now, moment in match(mode, players)[::9]:
        view = RULES.view(now, SPECTATOR)
        said = labels(draw(now, SPECTATOR, moment).board)
        for ring, cell in zip(view.rings, board_with(view.setup.mode.tiles).point_cells, strict=True):
            point = f"{ring.shape} {format_cell(cell)}"
            if ring.leader is None:
                wanted = f"{point}: nobody leads, {ring.free} free"
            elif ring.acquirer is not None:
                wanted = f"{point}: acquired by {COLOURS[ring.acquirer]}"
            else:
                wanted = f"{point}: {COLOURS[ring.leader]} leads by {ring.lead}, {ring.free} free"
            assert said.count(wanted) == 1


@every_mode
def test_every_block_is_drawn_where_it_lies_and_named(mode: str, players: int) -> None:
    now, moment = match(mode, players)[-1]
    board = draw(now, SPECTATOR, moment).board
    for colour, code in enumerate(COLOURS[: len(now.cells)]):
        own = [placed for placed in now.placed if placed.colour == colour]
        (group,) = [element for element in of_class(board, f"bb-{code}") if element.tag == "g"]
        assert group.get("aria-label") == f"{code.capitalize()}: " + ", ".join(
            f"{placed.block} {' '.join(map(format_cell, placed.cells))}" for placed in own
        )
        drawn = {cell for use in group for cell in cells_of(use)}
        assert drawn == {cell for placed in own for cell in placed.cells}
        assert len(group) == len(own)


def cells_of(use: Element) -> set[tuple[int, int]]:
    """The cells that a `<use>` of a form covers, by the sprite's own word."""
    x, y = (int(use.get(axis, "0")) // UNIT for axis in ("x", "y"))
    return {(x + dx, y + dy) for dx, dy in sprite_cells()[use.get("href", "")[1:]]}


def sprite_cells() -> dict[str, list[tuple[int, int]]]:
    return {
        element.get("id", ""): [
            (int(x), int(y)) for x, y in (cell.split(",") for cell in element.get("data-cells", "").split())
        ]
        for element in root(presenter.sprite()).iter()
        if element.get("data-cells")
    }


@every_mode
def test_whatever_has_a_role_or_can_be_pressed_has_a_name(mode: str, players: int) -> None:
    for now, moment in match(mode, players)[::11]:
        for viewer in (0, 1, SPECTATOR, OPEN):
            drawing = draw(now, viewer, moment)
            for element in root("".join((drawing.board, drawing.hand, *drawing.panels))).iter():
                if element.get("role") or element.tag == "button":
                    assert element.get("aria-label") or "".join(element.itertext()).strip()


def test_labels_cannot_break_out_of_the_markup() -> None:
    """A translation may hold any sign."""
    for now, moment in match("pairs", 4)[::20]:
        drawing = presenter.draw(RULES.view(now, 0), moment, lambda code, **params: f"""{code}<&"'>""")
        assert root("".join((drawing.board, drawing.hand, *drawing.panels))) is not None


# --- what has just happened ---


def test_the_last_block_and_what_its_jump_cost_are_marked() -> None:
    then, moment = after(laid(CORNER), "1 d1")
    drawing = draw(then, 1, moment)
    (last,) = of_class(drawing.board, "bb-last")
    assert last.get("aria-label") == "Placed last: 1 at d1, blue"
    assert last.get("href") == "#bb-o-1-0"
    (paid,) = of_class(drawing.board, "bb-paid")
    assert paid.get("aria-label") == "2 in tokens for the jump"
    assert len(of_class(drawing.panels[0], "bb-new")) == 1
    assert not of_class(drawing.panels[1], "bb-new")


def test_a_point_block_that_has_just_been_acquired_is_marked() -> None:
    begun = laid("bbbb.\nb##..\nb##..\n", turn=0)
    then, moment = after(begun, "1 a4")
    (new,) = of_class(draw(then, 0, moment).board, "bb-new")
    assert new.get("aria-label") == "A b2: acquired by blue"
    assert not of_class(draw(then, 0).board, "bb-new")


def test_a_pass_marks_no_block() -> None:
    shut = laid("by\ny##.", left={"b": "1"}, supply=(1, 0))
    then, moment = after(shut, "pass")
    assert not of_class(draw(then, 0, moment).board, "bb-last")


# --- the tray ---


@every_mode
def test_the_tray_holds_each_block_that_is_left_once(mode: str, players: int) -> None:
    for now, _ in match(mode, players)[::7]:
        view = RULES.view(now, 0)
        cards = of_class(draw(now, 0).hand, "bb-card")
        left = [sorted(set(view.left[colour])) for colour in view.own_colours if colour not in view.out]
        assert bool(cards) == (now.to_move is not None and bool(left))
        assert not cards or sorted(card.get("data-block", "") for card in cards) in left
        assert [card.get("tabindex") for card in cards] == ["0", *["-1"] * (len(cards) - 1)][: len(cards)]


def test_with_two_colours_the_tray_is_that_of_the_next_one_and_the_panel_shows_the_other() -> None:
    begun = start("two-colours")
    assert 'data-colour="blue"' in draw(begun, 0).hand
    then, _ = after(begun, "1 a1")
    drawing = draw(then, 0)
    assert 'data-colour="red"' in drawing.hand
    assert 'data-may-act="no"' in drawing.hand
    assert [kit.get("class") for kit in of_class(drawing.panels[0], "bb-kit")] == ["bb-kit bb-blue"]
    assert [kit.get("class") for kit in of_class(drawing.panels[1], "bb-kit")] == [
        "bb-kit bb-yellow",
        "bb-kit bb-green",
    ]


def test_two_of_a_block_are_one_card_with_its_number() -> None:
    hand = draw(start("official-duel"), 0).hand
    assert len(of_class(hand, "bb-card")) == len(BLOCKS)
    assert {"".join(copies.itertext()) for copies in of_class(hand, "bb-copies")} == {"2"}


def test_passing_is_offered_only_where_it_is_allowed() -> None:
    shut = laid("by\ny##.", left={"b": "1"}, supply=(1, 0))
    assert 'data-move="pass"' in draw(shut, 0).hand
    assert 'data-move="pass"' not in draw(shut, 1).hand
    assert 'data-move="pass"' not in draw(laid(CORNER), 0).hand


def test_who_cannot_play_gets_no_tray_and_nothing_to_steer() -> None:
    over, _ = match("standard", 2)[-1]
    for now, viewer in ((laid(CORNER), SPECTATOR), (over, 0), (over, OPEN)):
        drawing = draw(now, viewer)
        assert drawing.hand == ""
        assert "tabindex" not in drawing.board
        assert "data-say-" not in drawing.board


def test_a_player_who_is_out_is_told_so() -> None:
    assert labels(draw(laid(CORNER, out=(0,), turn=1), 0).panels[0])[0] == "blue, out"
    assert "You are out" in draw(laid(CORNER, out=(0,), turn=1), 0).hand


# --- the panels ---


def test_teams_are_named_in_pairs_alone() -> None:
    tags = ["".join(of_class(panel, "bb-team")[0].itertext()) for panel in draw(start("pairs", 4), 0).panels]
    assert tags == ["Team 1", "Team 2", "Team 1", "Team 2"]
    assert "bb-team" not in "".join(draw(start("standard", 4), 0).panels)


@every_mode
def test_panels_tell_the_score_the_sets_and_the_blocks_left(mode: str, players: int) -> None:
    for now, moment in match(mode, players)[::9]:
        view = RULES.view(now, SPECTATOR)
        for seat, panel in enumerate(draw(now, SPECTATOR, moment).panels):
            said = labels(panel)
            assert texts.say("points", points=view.scores[seat]) in said
            assert texts.say("tokens", points=view.tokens[seat]) in said
            for colour in view.colours_of(seat):
                used = len(re.findall(r'href="#bb-k-', panel))
                assert not view.left[colour] or any(label.startswith(COLOURS[colour].capitalize()) for label in said)
                assert used == sum(len(view.left[own]) for own in view.colours_of(seat))


def test_the_kit_has_each_block_once_and_none_beside_another() -> None:
    """All are told apart where they lie, even before any is gone."""
    assert set(kit.PLACES) == set(BLOCKS)
    taken = [(left + x, top + y) for (left, top), form in kit.PLACES.values() for x, y in form]
    assert len(set(taken)) == len(taken) == 64
    owner = {(left + x, top + y): block for block, ((left, top), form) in kit.PLACES.items() for x, y in form}
    for (x, y), block in owner.items():
        assert {owner.get(beside, block) for beside in ((x + 1, y), (x, y + 1))} == {block}


# --- what is sent ---


@every_mode
def test_a_drawing_is_small_in_the_whole_match(mode: str, players: int) -> None:
    for now, moment in match(mode, players):
        for viewer in (now.to_move or 0, SPECTATOR):
            drawing = draw(now, viewer, moment)
            assert len("".join((drawing.board, drawing.hand, *drawing.panels)).encode()) < MOST_BYTES


def test_equal_views_are_drawn_as_equal_bytes() -> None:
    for now, moment in match("two-colours", 2)[::15]:
        assert draw(now, 0, moment) == draw(RULES.load(json.loads(json.dumps(RULES.dump(now)))), 0, moment)


# --- the sprite, and what the scripts rely on ---


def test_every_picture_that_is_used_is_in_the_sprite() -> None:
    """In the drawings, in the sprite itself, in the pages and in the scripts."""
    known = set(re.findall(r'\bid="([\w-]+)"', presenter.sprite()))
    used = set(re.findall(r'(?:href="|url\()#([\w-]+)', presenter.sprite()))
    for mode, players in MODES:
        for now, moment in match(mode, players)[::7]:
            for viewer in (0, OPEN):
                drawing = draw(now, viewer, moment)
                markup = "".join((drawing.board, drawing.hand, *drawing.panels))
                used |= set(re.findall(r'(?:href="|url\()#([\w-]+)', markup))
    for template in (FOLDER / "templates" / "block_buster").glob("*.html"):
        used |= set(re.findall(r'(?:href="|url\()#(bb-[\w-]+)', template.read_text()))
    tools = (SCRIPTS / "tools.js").read_text()
    used |= {f"bb-i-{name}" for name in ("turn", "flip", "back", "zoom", *re.findall(r'"(nudge-\w+)"', tools))}
    assert used <= known


def test_the_sprite_is_sound_and_each_of_its_names_is_there_once() -> None:
    ids = [element.get("id") for element in root(presenter.sprite()).iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert "style=" not in presenter.sprite()
    assert "None" not in presenter.sprite()


def test_the_scripts_learn_every_form_from_the_sprite() -> None:
    assert sprite_cells() == {
        f"bb-{block}-{number}": list(form) for block, forms in FORMS.items() for number, form in enumerate(forms)
    }


def test_the_scripts_say_nothing_but_what_the_board_brings() -> None:
    """A sentence that is missing would be said as nothing; one too many would be sent for nothing."""
    words = (SCRIPTS / "words.js").read_text() + (SCRIPTS / "field.js").read_text()
    said = set(re.findall(r'\bsay\("(\w+)"', words)) | set(re.findall(r'"(covers\w+|tooFar|acquired|leads)"', words))
    brought = {re.sub(r"-(\w)", lambda letter: letter[1].upper(), code[4:]) for code in SAID_BY_THE_SCRIPT}
    assert said == brought
    board = draw(laid(CORNER), 0).board
    for code, params in SAID_BY_THE_SCRIPT.items():
        (sentence,) = re.findall(rf' data-{code}="([^"]*)"', board)
        assert set(re.findall(r"\{\w+\}", sentence)) == set(params.values())


def test_outlines_stay_within_the_cells_of_their_form() -> None:
    for forms in FORMS.values():
        for form in forms:
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", outline(form))]
            points = list(zip(numbers[::2], numbers[1::2], strict=True))
            for (x, y), (then_x, then_y) in pairwise(points):
                assert (int((x + then_x) / 2 // UNIT), int((y + then_y) / 2 // UNIT)) in form


# --- contrast ---


SCHEMES = schemes(SCRIPTS / "block_buster.css", "bb-")
"""By day and by night."""


def test_the_numbers_of_leads_are_read_easily_by_day_and_by_night() -> None:
    """WCAG AA, on a plate in the colour itself."""
    for colours in SCHEMES:
        for code, ink in (("blue", "#ffffff"), ("red", "#ffffff"), ("yellow", ""), ("green", "")):
            assert contrast(colours[f"bb-{code}"], ink or colours["bb-dark"]) >= 4.5, code


def test_marks_stand_out_from_their_colour() -> None:
    """Colour is never the only sign: whoever cannot see it must see the mark."""
    for colours in SCHEMES:
        for code in COLOURS:
            assert contrast(colours[f"bb-{code}"], colours[f"bb-{code}-mark"]) >= 1.6, code
