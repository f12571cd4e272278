"""What people see of BlockYou!: the area, who sits where, the own card; no hint, nothing hidden, and every verdict."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from games.blockyou import presenter, texts
from games.blockyou.cards import turned
from games.blockyou.placement import Placement
from games.blockyou.presenter.card import PLACES, draw_card
from games.blockyou.presenter.verdict import KINDS
from games.blockyou.rules import RULES
from games.blockyou.view import BlockYouView
from games.contract.values import OPEN, SPECTATOR, Drawing, Moment
from tests.games.blockyou.sights import COMPASS, OTHER, OWN, between_rounds, happened, sight
from tests.games.colours import contrast, schemes

FOLDER = Path(presenter.__file__).parents[1]
STATIC = FOLDER / "static/blockyou"


def draw(view: BlockYouView, moment: Moment | None = None) -> Drawing:
    return presenter.draw(view, moment or Moment(), texts.say)


def root(markup: str) -> Element:
    """The markup as a tree; HTML's attributes without a value get an empty one."""
    return ElementTree.fromstring(re.sub(r" (disabled|hidden)(?=[ >])", r' \1=""', f"<div>{markup}</div>"))


def of_class(markup: str, name: str) -> list[Element]:
    """All elements of the class, in the order of the markup."""
    return [element for element in root(markup).iter() if name in element.get("class", "").split()]


def label(element: Element) -> str:
    return element.get("aria-label", "")


def whole(drawing: Drawing) -> str:
    return "".join((drawing.board, drawing.hand, *drawing.panels, *drawing.tallies))


# --- the area ---


def test_every_quarter_is_drawn_and_every_row_is_named() -> None:
    view = sight()
    rows = [element for element in root(draw(view).board).iter("g") if label(element).startswith("Row ")]
    drawn = ["".join(use.get("href", "")[-1] for use in row.iter("use")) for row in rows]
    assert tuple(drawn) == view.area
    assert label(rows[0]) == "Row 1: orange, light green, sky blue, magenta, white, indigo, orange, light green"


def test_lines_run_where_cards_meet_and_nowhere_else() -> None:
    """Three cards side by side, and a fourth that lies across them: its edges cut those below."""
    owners = [list(row) for row in sight().owners]
    for y, x in product((1, 2), (1, 2)):
        owners[y][x] = 90
    (edges,) = of_class(draw(sight(owners=tuple(map(tuple, owners)))).board, "by-edges")
    lines = set(re.findall(r"M[\d ]+[HV][\d]+", edges.get("d", "")))
    assert {"M100 100H300", "M100 300H300", "M100 100V300", "M300 100V300"} <= lines, "around the card on top"
    assert {"M200 0V100", "M200 300V800", "M0 200H100", "M300 200H800"} <= lines, "and what is seen of the others"
    assert not {"M200 0V800", "M0 200H800"} & lines


@pytest.mark.parametrize("players", [2, 5])
def test_nothing_hints_at_what_fits(players: int) -> None:
    """With an area where the card fits everywhere, and one where it fits nowhere, only the colours differ."""
    drawn = set()
    for colour in "05":
        cards = (replace(OWN, quarters="1234"), *(None,) * (players - 1))
        drawing = draw(sight(players, area=(colour * 8,) * 8, cards=cards))
        board = re.sub(r'aria-label="Row [^"]+"', "", drawing.board).replace(f"#by-q{colour}", "#by-q")
        drawn.add((board, drawing.hand, drawing.panels))
    assert len(drawn) == 1


def test_the_card_that_came_last_is_framed() -> None:
    wrong: dict[str, Any] = {"seat": 1, "claim": "3,0/2", "why": "colours", "penalty": True}
    for code, params, framed in (
        ("placed", {"seat": 1, "claim": "3,0/2"}, True),
        ("wrong", wrong, True),
        ("wrong", wrong | {"penalty": False}, False),
        ("self-block", {"seat": 1, "claim": "3,0/2", "penalty": False}, False),
        ("refreshed", {"card": 4, "claim": "3,0/2"}, True),
        ("bounced", {"seat": 0, "claim": "3,0/2", "margin": 5}, False),
    ):
        frames = of_class(draw(sight(), happened((code, params))).board, "by-last")
        assert [label(frame) for frame in frames] == ["Changed last: row 4, column 1"] * framed, code


# --- cards ---


@pytest.mark.parametrize("turn", range(4))
def test_a_card_is_drawn_as_the_rules_turn_it(turn: int) -> None:
    drawn = root(draw_card(OWN, turn))
    quarters = [use for use in drawn.iter("use") if use.get("href", "").startswith("#by-q")]
    expected = turned(OWN, turn)
    assert "".join(use.get("href", "")[-1] for use in quarters) == expected.quarters
    assert [(int(use.get("x", 0)), int(use.get("y", 0))) for use in quarters] == list(PLACES)
    assert [int(finger.get("data-way", "")) for finger in of_class(draw_card(OWN, turn), "by-finger")] == list(
        expected.fingers
    )


def test_the_hand_shows_the_own_card_and_the_script_finds_it_unturned() -> None:
    (hand,) = of_class(draw(sight()).hand, "by-hand")
    assert (hand.get("data-quarters"), hand.get("data-fingers"), hand.get("data-card")) == ("0123", "0,3", "3")
    assert hand.get("data-may-claim") == "yes"
    assert [label(table) for table in of_class(draw(sight()).hand, "by-table")] == [
        "Your card, clockwise from the upper left: white, orange, light green, sky blue. "
        "Its fingers point north, south-east."
    ]


@pytest.mark.parametrize("players", COMPASS)
def test_everybody_sits_around_card_and_area_in_their_directions(players: int) -> None:
    drawing = draw(sight(players))
    around = [element.get("data-way") for element in of_class(drawing.hand, "by-around")]
    assert around == [element.get("data-way") for element in of_class(drawing.board, "by-seat")]
    assert around == [str(direction) for direction in COMPASS[players]]
    assert len(of_class(drawing.board, "by-own")) == len(of_class(drawing.hand, "by-own")) == 1


def test_what_a_seat_does_is_a_sign_and_a_word() -> None:
    view = sight(5, status=("searching", "placed", "blocked", "sitting out", "erred"))
    seats = of_class(draw(view).board, "by-seat")
    assert [label(seat) for seat in seats] == [
        "seat 1 in the south (you): 12 cards left, searching",
        "seat 2 in the west: 12 cards left, placed",
        "seat 3 in the north-west: 12 cards left, blocked",
        "seat 4 in the north-east: 12 cards left, sits out",
        "seat 5 in the east: 12 cards left, erred",
    ]
    signs = [next(use.get("href") for use in seat.iter("use") if "by-s-" in use.get("href", "")) for seat in seats]
    assert len(set(signs)) == 5
    assert ["".join(word.itertext()) for word in of_class(draw(view).board, "by-status")] == [
        "searching",
        "placed",
        "blocked",
        "sits out",
        "erred",
    ]


def test_who_sits_out_the_next_round_is_known_before_it() -> None:
    drawing = draw(between_rounds(sits_out_next=(True, False)))
    assert "You sit out this round." in drawing.hand
    assert "sits out" in drawing.panels[0]
    assert "ready" in drawing.panels[1]


@pytest.mark.parametrize("status", ["placed", "blocked", "erred", "sitting out"])
def test_without_a_card_the_hand_says_why_and_nothing_can_be_turned(status: str) -> None:
    hand = draw(sight(status=(status, "searching"), cards=(None, None), may_claim=False)).hand
    assert texts.say(f"state-{status}", out=False) in hand
    assert [button.get("disabled") for button in of_class(hand, "by-turn")] == ["", ""]
    assert "data-quarters" not in hand


def test_the_hand_keeps_its_parts_so_that_nothing_moves() -> None:
    parts = {
        tuple(child.tag for child in of_class(draw(view).hand, "by-hand")[0])
        for view in (
            sight(),
            between_rounds(),
            sight(status=("blocked", "searching"), cards=(None, None), may_claim=False),
            sight(waiting=(Placement(1, 1, 0), None), may_claim=False),
        )
    }
    assert parts == {("p", "button", "svg", "button")}


# --- claims and what came of them ---


def test_a_waiting_claim_is_shown_where_it_was_made_as_it_was_turned() -> None:
    drawing = draw(sight(waiting=(Placement(2, 3, 1), None), may_claim=False))
    (claim,) = of_class(drawing.board, "by-claim")
    assert claim.get("transform") == "translate(300 200)"
    assert draw_card(OWN, 1) in drawing.board
    assert draw_card(OWN, 1) in drawing.hand
    assert 'data-waits="yes"' in drawing.hand
    assert label(claim) == "The claim of seat 1 waits: row 3, column 4"


def test_every_word_on_the_own_claim_is_said_with_its_reason_and_margin() -> None:
    own: dict[str, Any] = {"seat": 0, "claim": "3,0/2"}
    for code, params, said in (
        ("placed", own, "Placed."),
        ("wrong", own | {"penalty": True}, "Wrong: the colours do not match. You draw a penalty card."),
        ("wrong", own | {"penalty": False}, "Wrong: the colours do not match. The card goes back to you."),
        ("self-block", own | {"penalty": True}, "Wrong: a finger points at you. You draw a penalty card."),
        ("bounced", own | {"by": 1, "margin": 7}, "Bounced: seat 2 was there earlier by 7 ms. Go on searching."),
        ("bounced", own | {"margin": 7}, "Bounced: the area had just changed there, by 7 ms. Go on searching."),
        ("dropped", own | {"why": "round-over"}, "Too late: the round was over."),
        (
            "dropped",
            own | {"why": "blocked", "by": 1, "margin": 43},
            "Too late: seat 2 had blocked you, earlier by 43 ms.",
        ),
        ("blocked", {"seat": 0, "by": 1}, "Blocked by seat 2."),
        ("last", {"seat": 0}, "You were the last: your card goes back."),
    ):
        (verdict,) = of_class(draw(sight(), happened((code, params))).hand, "by-verdict")
        assert verdict.text == said
        assert verdict.get("data-at") == "30000"
        assert f"by-{KINDS[code]}" in verdict.get("class", "")


def test_whoever_was_blocked_is_named_in_the_verdict() -> None:
    moment = happened(
        ("placed", {"seat": 0, "claim": "3,0/2"}),
        ("blocked", {"seat": 1, "by": 0}),
        ("blocked", {"seat": 3, "by": 0}),
    )
    assert "Placed. You have blocked seat 2, seat 4." in draw(sight(4), moment).hand
    assert "Blocked by seat 1." in draw(sight(4, viewer=1), moment).hand
    assert of_class(draw(sight(4, viewer=2), moment).hand, "by-verdict")[0].text is None


def test_the_latest_word_stands() -> None:
    moment = happened(
        ("blocked", {"seat": 0, "by": 1}),
        ("dropped", {"seat": 0, "claim": "3,0/2", "why": "blocked", "by": 1, "margin": 9}),
    )
    assert "earlier by 9 ms" in draw(sight(), moment).hand


@pytest.mark.parametrize("players", [2, 3, 5])
def test_blockyou_is_called_over_whoever_has_just_placed(players: int) -> None:
    for seat in range(players):
        board = draw(sight(players), happened(("placed", {"seat": seat, "claim": "3,0/2"}))).board
        (shout,) = of_class(board, "by-shout")
        (badge,) = [of_class(board, "by-seat")[seat]]
        assert "".join(shout.itertext()) == "BlockYou!"
        assert shout.get("transform") == badge.get("transform")
        assert (shout.get("data-at"), shout.get("data-seat")) == ("30000", str(seat))
    assert not of_class(draw(sight(players), happened(("blocked", {"seat": 1, "by": 0}))).board, "by-shout")


# --- time, alone, the end ---


def test_the_script_finds_the_times_of_the_round() -> None:
    (board,) = of_class(draw(sight()).board, "by-board")
    assert (board.get("data-opens"), board.get("data-closes"), board.get("data-phase")) == ("20000", "110000", "open")
    (waiting,) = of_class(draw(between_rounds()).board, "by-board")
    assert (waiting.get("data-opens"), waiting.get("data-closes")) == ("20000", None)
    assert len(of_class(draw(between_rounds()).board, "by-count")) == 1
    assert not of_class(draw(sight()).board, "by-count")


def test_alone_one_can_say_that_nothing_fits_and_sees_the_penalties() -> None:
    drawing = draw(sight(1, penalties=20_000, scores=(34_500,)))
    (nofit,) = of_class(drawing.hand, "by-nofit")
    assert nofit.get("disabled") is None
    assert "Penalties 0:20.0" in drawing.board
    assert "0:34.5" in drawing.panels[0]
    assert 'data-first-opened="3000" data-penalties="20000"' in drawing.board
    assert not of_class(draw(sight(2)).hand, "by-nofit")
    alone = draw(sight(1), happened(("wrong", {"seat": 0, "claim": "3,0/2", "penalty": True})))
    assert "Wrong: the colours do not match. A penalty card and 10 seconds." in alone.hand


def test_a_match_that_is_over_has_no_hand_and_no_field() -> None:
    over: dict[str, Any] = {"phase": "over", "opens": None, "closes": None, "may_claim": False, "places": (1, 2)}
    drawing = draw(between_rounds(**over))
    assert drawing.hand == ""
    assert "by-field" not in drawing.board
    assert "data-opens" not in drawing.board
    assert not of_class(drawing.board, "by-status"), "nobody is ready for anything"


@pytest.mark.parametrize("phase", ["countdown", "open"])
def test_a_match_that_was_broken_off_counts_nothing_down(phase: str) -> None:
    """Somebody has left for good, while the rules would go on with a round that never comes."""
    view = between_rounds(viewer=OPEN, round=7) if phase == "countdown" else sight(viewer=OPEN, round=6)
    running = happened(("placed", {"seat": 0, "claim": "3,0/2"}))
    assert of_class(draw(view, running).board, "by-shout")
    drawing = draw(view, replace(running, over=True))
    for name in ("by-count", "by-status", "by-shout"):
        assert not of_class(drawing.board, name), name
    assert not any(of_class(panel, "by-doing") for panel in drawing.panels)
    assert 'data-phase="over"' in drawing.board
    assert "data-opens" not in drawing.board
    assert "data-closes" not in drawing.board
    assert "Round 6" in drawing.board, "the last one that was played"
    assert of_class(drawing.board, "by-last")


# --- what is hidden ---


def test_who_looks_on_sees_no_card_and_once_it_is_open_all() -> None:
    assert draw(sight(viewer=SPECTATOR)).hand == ""
    assert "by-finger" not in whole(draw(sight(viewer=SPECTATOR)))
    panels = draw(sight(viewer=OPEN, cards=(OWN, OTHER))).panels
    assert [len(of_class(panel, "by-open-card")) for panel in panels] == [1, 1]
    assert "indigo" in panels[1]


def test_a_viewer_sees_equal_bytes_whatever_the_others_hold_or_claim() -> None:
    """Through the rules: positions that differ only in another's card and waiting claim, drawn for each viewer."""
    rng = Random(5)
    options = {"deck": "standard", "pace": "normal"}
    start = RULES.start(options, RULES.deal(options, [""] * 3, rng), 3)
    opened, _ = RULES.advance(start, 3_000)
    claims = [RULES.parse_move(text) for text in ("0,0/0", "6,6/3")]
    positions = [opened, *(RULES.play(opened, 1, claim, at=4_000)[0] for claim in claims)]
    for viewer in (0, 2, SPECTATOR):
        at_once = {whole(draw(RULES.view(position, viewer))) for position in positions}
        assert len(at_once) == 1
    assert len({whole(draw(RULES.view(position, 1))) for position in positions}) == 3


# --- the markup ---


def views() -> list[BlockYouView]:
    return [
        *(sight(players, viewer) for players in COMPASS for viewer in (0, SPECTATOR, OPEN)),
        between_rounds(),
        between_rounds(1, sits_out_next=(False,)),
        sight(viewer=OPEN, cards=(OWN, OTHER), waiting=(Placement(0, 0, 0), Placement(6, 6, 3))),
        sight(status=("erred", "searching"), cards=(None, None), may_claim=False, sits_out_next=(True, False)),
        sight(4, viewer=SPECTATOR, status=("placed", "blocked", "sitting out", "searching")),
    ]


def test_whatever_has_a_role_or_can_be_pressed_has_a_name() -> None:
    for view in views():
        for element in root(whole(draw(view))).iter():
            if element.get("role") not in (None, "status") or element.tag == "button":
                assert label(element) or "".join(element.itertext()).strip()


def test_labels_cannot_break_out_of_the_markup() -> None:
    """A translation may hold any sign."""
    for view in views():
        drawing = presenter.draw(view, Moment(), lambda code, **params: f"""{code}<&"'>""")
        assert root(whole(drawing)) is not None


def test_every_event_of_the_rules_can_be_drawn() -> None:
    """A presenter that meets an event for the first time in a match would break it for everybody."""
    rng = Random(2)
    seen: set[str] = set()
    for players in (1, 4):
        options = {"deck": "standard", "pace": "normal"}
        now = RULES.start(options, RULES.deal(options, [""] * players, rng), players)
        for _ in range(120):
            at = RULES.due(now)
            if at is None:
                break
            now, events = RULES.advance(now, at)
            for seat in RULES.to_move(now):
                if rng.random() < 0.7:
                    now, more = RULES.play(now, seat, rng.choice(RULES.legal_moves(now, seat)), at=at)
                    events += more
            seen |= {event.code for event in events}
            for viewer in (0, OPEN):
                known = tuple(event for event in events if event.seen_by(viewer))
                assert root(whole(draw(RULES.view(now, viewer), Moment(0, None, known)))) is not None
    assert {"wrong", "opened", "claimed"} <= seen


def test_every_picture_that_is_used_is_in_the_sprite() -> None:
    """In the drawings, in the sprite itself, on the rules page, on the cover and in the scripts."""
    known = set(re.findall(r'\bid="([\w-]+)"', presenter.sprite()))
    used = set(re.findall(r'href="#(by-[\w-]+)"', presenter.sprite()))
    for view in views():
        used |= set(re.findall(r'href="#(by-[\w-]+)"', whole(draw(view))))
    for page in (FOLDER / "templates/blockyou").iterdir():
        used |= set(re.findall(r'<use[^>]* href="#(by-[\w-]+)"', page.read_text()))
    used |= set(re.findall(r'"#(by-[\w-]+)"', (STATIC / "card.js").read_text()))
    used |= {f"by-q{colour}" for colour in range(6)} | {f"by-f{way}" for way in range(8)}
    assert used == known


def test_the_sprite_is_sound_and_each_colour_and_status_has_a_sign_of_its_own() -> None:
    ids = [element.get("id", "") for element in root(presenter.sprite()).iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert "style=" not in presenter.sprite()
    for view in views():
        assert not set(ids) & {element.get("id", "-") for element in root(whole(draw(view))).iter()}
    for kind in ("by-q", "by-s-"):
        shapes = [
            tuple(part.get("d") or part.tag for part in element)
            for element in root(presenter.sprite()).iter("g")
            if element.get("id", "").startswith(kind)
        ]
        assert len(set(shapes)) == len(shapes) == 6


# --- contrast ---


SCHEMES = schemes(STATIC / "blockyou.css", "by-")
"""By day and by night."""


def test_the_sign_of_each_colour_stands_out_from_it_by_day_and_by_night() -> None:
    """Colour is never the only sign: whoever cannot see it must see the sign (WCAG AA for graphics)."""
    for colours in SCHEMES:
        for name in ("orange", "green", "sky", "magenta", "indigo"):
            assert contrast(colours[f"by-{name}"], colours[f"by-{name}-print"]) >= 3, name
