"""What people see of M: everything on the table is named, nothing hidden is drawn, and what just happened is marked."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from games.contract.values import OPEN, SPECTATOR, Drawing, Event, Moment, Viewer
from games.m import events, presenter, texts
from games.m.bot import stand_in
from games.m.field import open_cells
from games.m.notation import format_cell, format_move
from games.m.position import COLOURS, Position, View
from games.m.presenter.board import SHOWN, UNIT, shown_from
from games.m.presenter.figures import figures
from games.m.rules import RULES
from games.m.tiles import COPIES
from tests.games.colours import contrast, schemes
from tests.games.m.boards import play_one, position

FOLDER = Path(presenter.__file__).parents[1]

FOUR_OF_A_ROW = """
VF4 VF1 VC1 BC3 .
.   .   GC1 .   .
"""
"""The blue cube 20 at 4,0 makes a row of five, and shares colour and figure with its neighbour."""


def draw(start: Position, viewer: Viewer, moment: Moment | None = None) -> Drawing:
    return presenter.draw(RULES.view(start, viewer), moment or Moment(), texts.say)


def after(start: Position, text: str, viewer: Viewer) -> tuple[Position, Moment]:
    """The position after a move of the seat to move, and what the viewer knows of it."""
    seat = start.to_move
    assert seat is not None
    move = RULES.parse_move(text)
    then, happened = play_one(start, text)
    seen = tuple(event for event in happened if event.seen_by(viewer))
    return then, Moment(seat, RULES.view_move(start, seat, move, viewer), seen)


def corner(view: View) -> tuple[int, int]:
    """The left and upper edge of what the picture shows."""
    return shown_from(view.table, view.scoring)


def root(markup: str) -> Element:
    """The markup as a tree; HTML's attributes without a value get an empty one."""
    return ElementTree.fromstring(re.sub(r" (disabled|hidden)(?=[ >])", r' \1=""', markup))


def of_class(markup: str, name: str) -> list[Element]:
    """All elements of the class, in the order of the markup."""
    return [element for element in root(f"<div>{markup}</div>").iter() if name in element.get("class", "").split()]


def label(element: Element) -> str:
    return element.get("aria-label", "")


def random_positions(players: int, seed: int, start: str = "zigzag") -> list[Position]:
    """Every position of a match by random moves."""
    rng = Random(seed)
    options = {"start": start}
    now = RULES.start(options, RULES.deal(options, [""] * players, rng), players)
    found = [now]
    while now.to_move is not None:
        now, _ = RULES.play(now, now.to_move, RULES.parse_move(stand_in(RULES.view(now, now.to_move), rng)), at=0)
        found.append(now)
    return found


# --- names ---


def test_every_tile_and_every_free_place_of_the_table_is_named() -> None:
    """For screen readers, and for tests that look for a cell."""
    start = position(FOUR_OF_A_ROW, ["BC2", "R0"])
    board = draw(start, 0).board
    for cell, tile in start.table.items():
        (drawn,) = [element for element in of_class(board, "m-tile") if element.get("data-cell") == format_cell(cell)]
        assert label(drawn) == texts.say("tile-at", tile=tile, cell=format_cell(cell))
        assert f"#m-{tile}" in ElementTree.tostring(drawn, "unicode")
    free = {element.get("data-cell"): label(element) for element in of_class(board, "m-free")}
    assert free == {format_cell(cell): texts.say("free", cell=format_cell(cell)) for cell, _ in open_cells(start.table)}


def test_whatever_has_a_role_or_can_be_pressed_has_a_name() -> None:
    start = position(FOUR_OF_A_ROW, ["BC2 R0", "GF1"], taken=(("RT3", "G0"), ()))
    for viewer in (0, 1, SPECTATOR, OPEN):
        drawing = draw(*_with_moment(start, viewer))
        for markup in (drawing.board, drawing.hand, *drawing.panels):
            for element in root(f"<div>{markup}</div>").iter():
                if element.get("role") or element.tag == "button":
                    assert label(element) or "".join(element.itertext()).strip()


def _with_moment(start: Position, viewer: Viewer) -> tuple[Position, Viewer, Moment]:
    then, moment = after(start, "BC2@4,0", viewer)
    return then, viewer, moment


def test_labels_cannot_break_out_of_the_markup() -> None:
    """A translation may hold any sign."""
    start = position(FOUR_OF_A_ROW, ["BC2", "R0"])
    drawing = presenter.draw(RULES.view(start, 0), Moment(), lambda code, **params: f"""{code}<&"'>""")
    for markup in (drawing.board, drawing.hand, *drawing.panels):
        assert root(f"<div>{markup}</div>") is not None


# --- what is hidden ---


def test_a_spectator_sees_neither_hands_nor_the_order_of_the_stack() -> None:
    one = position(FOUR_OF_A_ROW, ["BC2 R0", "GF1"], stack=("VF1", "YT2"))
    other = position(FOUR_OF_A_ROW, ["RS2 YS3", "BF4"], stack=("RC1", "BS2"))
    assert draw(one, SPECTATOR) == draw(other, SPECTATOR)
    assert draw(one, SPECTATOR).hand == ""


def test_a_seat_sees_its_own_hand_and_nothing_of_the_other() -> None:
    one = position(FOUR_OF_A_ROW, ["BC2 R0", "GF1"], stack=("VF1", "YT2"))
    other = position(FOUR_OF_A_ROW, ["BC2 R0", "BF4"], stack=("RC1", "BS2"))
    assert draw(one, 0) == draw(other, 0)
    assert [card.get("data-tile") for card in of_class(draw(one, 0).hand, "m-card")] == ["BC2", "R0"]


def test_once_the_match_is_open_every_hand_lies_in_its_panel() -> None:
    start = position(FOUR_OF_A_ROW, ["BC2 R0", "GF1"])
    panels = draw(start, OPEN).panels
    assert "#m-BC2" in panels[0]
    assert "#m-GF1" in panels[1]


# --- the hand ---


def fits(card: Element) -> list[Any]:
    return list(json.loads(card.get("data-fits", "")))


def test_a_card_carries_its_places_and_what_each_earns() -> None:
    start = position(FOUR_OF_A_ROW, ["BC2 R0", "GF1"])
    blue, red = of_class(draw(start, 0).hand, "m-card")
    assert fits(blue) == [
        [format_cell(fit.cell), fit.chips, list(fit.lines), texts.say("earns", chips=fit.chips, lines=fit.lines), []]
        for fit in RULES.view(start, 0).fits
    ]
    assert ["4,0", 0, ["row"], "no chips, scores the row", []] in fits(blue)
    assert fits(red) == []
    assert "m-stuck" in red.get("class", "")
    assert "m-stuck" not in blue.get("class", "")


def test_where_row_and_column_qualify_each_has_its_words() -> None:
    cross = """
    .   .   .   .   BC4
    .   .   .   .   BC1
    VF4 VF1 VC1 BC3 .
    .   .   .   .   BS3
    .   .   .   .   BS1
    """
    start = position(cross, ["BC2", "GF1"])
    (card,) = of_class(draw(start, 0).hand, "m-card")
    (place,) = [fit for fit in fits(card) if fit[0] == "4,2"]
    assert place[1:] == [
        2,
        ["row", "col"],
        "2 chips, scores the row or the column",
        ["2 chips, scores the row", "2 chips, scores the column"],
    ]


def test_passing_is_offered_only_to_the_seat_whose_turn_it_is() -> None:
    start = position(FOUR_OF_A_ROW, ["BC2", "GF1"])
    assert [button.get("disabled") for button in buttons(draw(start, 0).hand, "pass")] == [None]
    assert [button.get("disabled") for button in buttons(draw(start, 1).hand, "pass")] == [""]
    assert 'data-may-act="no"' in draw(start, 1).hand


def buttons(hand: str, move: str) -> list[Element]:
    return [element for element in root(hand).iter("button") if element.get("data-move") == move]


def test_passing_says_what_it_costs() -> None:
    start = position(FOUR_OF_A_ROW, ["BC2", "GF1"])
    assert "Pass, pay 1 chip" in draw(start, 0).hand
    assert "Pass for free" in draw(replace(start, chips=(0, 12)), 0).hand


def test_nothing_can_be_exchanged_for_an_empty_stack() -> None:
    start = position(FOUR_OF_A_ROW, ["BC2", "GF1"])
    assert "m-exchange" in draw(start, 0).hand
    assert "m-exchange" not in draw(replace(start, stack=()), 0).hand


def test_why_nothing_can_be_exchanged_is_said() -> None:
    start = position(FOUR_OF_A_ROW, ["BC2", "GF1"])
    for now, viewer, why in (
        (start, 0, "choose a tile first"),
        (start, 1, "on your turn"),
        (replace(start, stack=()), 0, "the stack is empty"),
    ):
        (said,) = of_class(draw(now, viewer).hand, "m-why")
        assert said.text == why


def test_hand_keeps_its_places_while_a_tile_is_missing() -> None:
    for tiles in ("BC2 R0 GF1 YT4", "BC2 R0 GF1", "BC2"):
        hand = draw(position(FOUR_OF_A_ROW, [tiles, "GF2"]), 0).hand
        assert len(of_class(hand, "m-card")) + len(of_class(hand, "m-slot")) == 4
        assert len(list(root(hand).iter("button"))) - len(of_class(hand, "m-card")) == 5, "two to pass, three to choose"


def test_the_hand_is_one_stop_for_the_tabulator() -> None:
    start = position(FOUR_OF_A_ROW, ["BC2 R0 GF1 YT4", "GF2"])
    assert [card.get("tabindex") for card in of_class(draw(start, 0).hand, "m-card")] == ["0", "-1", "-1", "-1"]


# --- a scoring round ---


@pytest.fixture
def scoring() -> Position:
    """Seat 0 has placed the blue cube 20 and picks first; only the ends of the row may be taken."""
    return after(position(FOUR_OF_A_ROW, ["BC2", "GF1"]), "BC2@4,0", 0)[0]


def test_the_picker_can_press_exactly_the_tiles_that_may_be_taken(scoring: Position) -> None:
    drawn = of_class(draw(scoring, 0).board, "m-takeable")
    assert [tile.get("data-move") for tile in drawn] == ["take 0,0", "take 4,0"]
    assert [tile.get("tabindex") for tile in drawn] == ["0", "-1"]
    assert label(drawn[0]) == "Take violet fork 40 at 0,0"


def test_others_see_which_tiles_may_be_taken_but_cannot_press_them(scoring: Position) -> None:
    for viewer in (1, SPECTATOR):
        board = draw(scoring, viewer).board
        assert [tile.get("data-cell") for tile in of_class(board, "m-takeable")] == ["0,0", "4,0"]
        assert "data-move" not in board
        assert "#m-take" not in board, "nor do they look as if one could"


def test_the_line_and_whose_pick_it_is_are_marked(scoring: Position) -> None:
    board = draw(scoring, SPECTATOR).board
    (line,) = of_class(board, "m-line")
    assert label(line) == "The row that is being scored"
    (picks,) = of_class(board, "m-picks")
    assert label(picks) == "Next to pick: seat 1, seat 2"
    assert "".join(of_class(board, "m-caption")[0].itertext()) == "picks next:"
    assert len(of_class(board, "m-kept")) == 3
    assert len(of_class(board, "m-aside")) == 1


# --- what has just happened ---


def test_the_last_tile_and_the_chips_that_it_brought_are_marked() -> None:
    start = position("VF4 VF1 . BC3\n. . GC1 .", ["VC1", "GF1"])
    then, moment = after(start, "VC1@2,0", SPECTATOR)
    drawing = draw(then, SPECTATOR, moment)
    assert len(of_class(drawing.board, "m-last")) == 1
    assert label(of_class(drawing.board, "m-won")[0]) == "2 chips taken"
    assert "violet cube 10 at 2,0, placed last" in drawing.board
    assert ["".join(mark.itertext()) for mark in of_class(drawing.panels[0], "m-change")] == ["+2"]
    assert ["".join(mark.itertext()) for mark in of_class(drawing.panels[1], "m-change")] == ["−2"]


def test_a_tile_just_taken_leaves_its_outline(scoring: Position) -> None:
    then, moment = after(scoring, "take 4,0", SPECTATOR)
    drawing = draw(then, SPECTATOR, moment)
    assert [label(gone) for gone in of_class(drawing.board, "m-gone")] == ["blue cube 20 was taken from 4,0"]
    assert [label(new) for new in of_class(drawing.panels[0], "m-new")] == ["blue: 20 points, added"]


def test_a_pass_is_marked_in_the_panel() -> None:
    start = position(FOUR_OF_A_ROW, ["BC2", "GF1"])
    then, moment = after(start, "pass BC2", SPECTATOR)
    drawing = draw(then, SPECTATOR, moment)
    assert "passed" in drawing.panels[0]
    assert "passed" not in drawing.panels[1]
    assert "BC2" not in "".join((drawing.board, *drawing.panels))


def test_every_event_of_the_rules_can_be_drawn() -> None:
    """A presenter that meets an event for the first time in a match would break it for everybody."""
    happened: list[Event] = [
        events.chips_taken(0, 0, 1, 2),
        events.pass_paid(0, 0, 1),
        events.round_begun(0, 0, "row", [(0, 0)]),
        events.tile_taken(0, 0, "RT3", (0, 0)),
        events.round_over(0),
        events.exchanged(0, 0, "RT3", "R0"),
        events.tile_drawn(0, 0, "RT3"),
        events.stack_empty(0),
        events.match_ended(0, "scored"),
    ]
    assert draw(position(FOUR_OF_A_ROW, ["BC2", "GF1"]), OPEN, Moment(0, "pass", tuple(happened))).board


# --- the panels ---


def test_the_two_best_colours_are_added_and_the_others_taken_off() -> None:
    taken = (("BF1", "G0", "RF3", "RT4", "VT2", "YC3"), ())
    panel = draw(position(FOUR_OF_A_ROW, ["BC2", "GF1"], taken=taken), 1).panels[0]
    sums = ["".join(colour.itertext()) for colour in of_class(panel, "m-sum")]
    assert sums == ["+70", "+30", "0", "−10", "−20"]
    assert len(of_class(panel, "m-added")) == 2
    assert ["".join(points.itertext()) for points in of_class(panel, "m-points")] == ["130"]  # with six chips


# --- the picture ---


@pytest.mark.parametrize(("players", "start"), [(2, "zigzag"), (4, "arch"), (6, "zigzag")])
def test_every_tile_and_free_place_of_a_match_is_in_the_picture(players: int, start: str) -> None:
    for now in random_positions(players, seed=players, start=start):
        left, top = corner(RULES.view(now, SPECTATOR))
        free = (
            [cell for cell, _ in open_cells(now.table)] if now.scoring is None else []
        )  # hidden while tiles are taken
        for x, y in (*now.table, *free):
            assert left <= x * UNIT <= left + (SHOWN - 1) * UNIT
            assert top <= y * UNIT <= top + (SHOWN - 1) * UNIT


def test_the_picture_stays_still_while_the_tiles_have_room() -> None:
    """It may move only when the free places would leave it, and not by more than that."""
    moved = 0
    for seed in range(6):
        shown = [corner(RULES.view(now, SPECTATOR)) for now in random_positions(3, seed)]
        moved += sum(before != then for before, then in pairwise(shown))
    assert moved <= 6 * 4


def test_nothing_moves_while_the_tiles_of_a_line_are_taken() -> None:
    """Whoever is about to take a tile must not find another one under the finger."""
    rounds = 0
    for seed in range(6):
        for before, then in pairwise(random_positions(3, seed)):
            if then.scoring is None:
                continue
            rounds += before.scoring is None
            first = {**dict.fromkeys(then.scoring.whole, "R0"), **then.table}
            as_begun = replace(then, scoring=None, table=first)
            for view in (corner, lambda view: of_class(draw_of(view), "m-mat")[0].attrib):
                assert view(RULES.view(then, SPECTATOR)) == view(RULES.view(as_begun, SPECTATOR))
    assert rounds > 6


def draw_of(view: View) -> str:
    return presenter.draw(view, Moment(), texts.say).board


# --- the sprite ---


def test_every_picture_that_is_used_is_in_the_sprite() -> None:
    """In the drawings, in the sprite itself, in the rules page and in the script."""
    known = set(re.findall(r'\bid="([\w-]+)"', presenter.sprite()))
    used = set(re.findall(r'(?:href="|url\()#([\w-]+)', presenter.sprite()))
    for now in random_positions(3, seed=5)[::7]:
        for viewer in (0, OPEN):
            drawing = draw(now, viewer)
            used |= set(re.findall(r'href="#([\w-]+)"', "".join((drawing.board, drawing.hand, *drawing.panels))))
    used |= set(re.findall(r'href="#(m-[\w-]+)"', (FOLDER / "templates/m/rules.html").read_text()))
    script = (FOLDER / "static/m/board.js").read_text()
    used |= {f"m-{name}" for name in re.findall(r'\buse\("([\w-]+)"', script)}
    used |= {"m-earns-1", "m-earns-2", "m-earns-3", "m-scores-row", "m-scores-col"}
    assert used <= known
    assert {f"m-{tile}" for tile in COPIES} <= known


def test_the_sprite_is_sound_and_each_of_its_names_is_there_once() -> None:
    ids = [element.get("id") for element in root(presenter.sprite()).iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert "style=" not in presenter.sprite()
    assert "None" not in presenter.sprite()
    assert "nan" not in presenter.sprite()


def test_each_tile_differs_from_every_other() -> None:
    bodies = {
        re.sub(r' id="[^"]+"', "", ElementTree.tostring(element, "unicode"))
        for element in root(presenter.sprite()).iter("g")
        if element.get("id", "").removeprefix("m-") in COPIES
    }
    assert len(bodies) == len(COPIES)


def test_figures_stay_within_their_tile() -> None:
    for drawn in figures().values():
        numbers = [
            float(number) for data in re.findall(r' d="([^"]+)"', drawn) for number in re.findall(r"-?[\d.]+", data)
        ]
        assert min(numbers) > 8
        assert max(numbers) < 92


# --- contrast ---


SCHEMES = schemes(FOLDER / "static/m/m.css", "m-")
"""By day and by night."""


def test_values_are_read_easily_by_day_and_by_night() -> None:
    """WCAG AAA for the numbers on their plates."""
    for colours in SCHEMES:
        assert contrast(colours["m-number"], colours["m-paper"]) >= 7


def test_patterns_stand_out_from_their_colour() -> None:
    """Colour is never the only sign: whoever cannot see it must see the print."""
    for colours in SCHEMES:
        for name in ("red", "yellow", "green", "blue"):
            assert contrast(colours[f"m-{name}"], colours[f"m-{name}-print"]) >= 1.35, name


def test_every_colour_but_one_has_a_pattern_of_its_own() -> None:
    patterns = re.findall(r'<pattern id="m-pattern-(\w)"', presenter.sprite())
    assert sorted(patterns) == sorted(set(COLOURS) - {"V"})


def test_drawings_of_a_whole_match_are_sound() -> None:
    for now in random_positions(4, seed=11):
        for viewer in (0, SPECTATOR, OPEN):
            view: View = RULES.view(now, viewer)
            drawing = presenter.draw(view, Moment(), texts.say)
            assert root(drawing.board).get("data-ply") == str(now.ply)
            offered = set(re.findall(r'data-move="([^"]+)"(?:(?! disabled)[^>])*>', drawing.board))
            legal = {format_move(move) for move in RULES.legal_moves(now, 0)} if viewer == 0 else set()
            assert {unescape(move) for move in offered} <= legal
