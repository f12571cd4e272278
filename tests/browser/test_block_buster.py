"""Block Buster in the browser: whole matches by mouse, jumps with their price, keys alone, and fingers on a phone."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.block_buster_boards import (
    card,
    cell_name,
    fits,
    ghost,
    hint,
    hold,
    look,
    place,
    play_to_the_end,
    turn_to,
    window_point,
)
from tests.browser.boards import wait_for_version
from tests.browser.conftest import Visit
from tests.browser.fingers import Finger, middle
from tests.browser.people import DESKTOP, PHONE, Visitor
from tests.browser.server import Site
from tests.sizes import SOAKING

BLOCK_BUSTER = {"game": "block_buster"}
FINGER_PX = 56
"""So far above the finger the page holds a dragged block, that the finger may not hide it."""
NUDGES = {"Move it to the left": (-1, 0), "Move it up": (0, -1), "Move it to the right": (1, 0), "Move it down": (0, 1)}
TEAMS_OF_PAIRS = (1, 2, 1, 2)


def test_two_people_play_a_standard_match_to_its_end_by_mouse(visit: Visit, site: Site) -> None:
    """Each sees every block as it is laid; the outcome stands in the history, and the replay shows each ply."""
    alice, bob = visit("alice"), visit("bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=1, **BLOCK_BUSTER)["slug"]
    for visitor in (alice, bob):
        visitor.go(f"/matches/{slug}/")
    with alice.staying(), bob.staying():
        acts = play_to_the_end([alice.page, bob.page])
        assert acts.count("place") > 10
        for visitor in (alice, bob):
            expect(visitor.page.locator("#prompt")).to_contain_text(re.compile("won|share"))

    page = alice.page
    page.get_by_role("link", name="History").click()
    expect(page.locator(".match-row")).to_contain_text("Block Buster")
    page.locator(".match-row a").click()
    plies = site.ask("state", slug=slug)["ply"]
    expect(page.locator(".stepper .number")).to_have_text(f"{plies} of {plies}")
    page.wait_for_load_state()  # a key that comes before its script is nobody's
    page.keyboard.press("Home")
    expect(page.locator(".stepper .number")).to_have_text(f"0 of {plies}")
    expect(page.locator('.bb-board [href^="#bb-o-"]')).to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/replay/1/")
    expect(page.locator(".bb-board .bb-last")).to_have_count(1)


@pytest.mark.soak
def test_four_play_pairs_in_their_order(visit: Visit, site: Site) -> None:
    """Choosing the mode brings four players; the table says who is with whom; bots fill it; all take their turns.

    A slice ends after two rounds.
    """
    alice = visit("alice")
    page = alice.go("/tables/new/block_buster/")
    page.get_by_label("Pairs", exact=True).check()
    expect(page.get_by_label("4 players")).to_be_checked()
    expect(page.get_by_text("A collection that wins at once")).to_be_hidden()
    page.get_by_label("As you arrange them").check()
    page.get_by_role("button", name="Open the table").click()
    for seat, team in enumerate(TEAMS_OF_PAIRS):
        expect(page.locator(".seat").nth(seat)).to_contain_text(f"team {team}")
    page.wait_for_load_state()
    for _ in range(3):
        free = page.get_by_role("button", name="Give to a bot")
        left = free.count()
        free.first.click()
        expect(free).to_have_count(left - 1)
    page.get_by_role("button", name="I am ready").click()
    expect(page.locator(".bb-board")).to_be_visible()
    slug = site.ask("newest_match", username="alice")

    play_to_the_end([page], most=None if SOAKING else 3)

    if SOAKING:
        expect(page.locator("#prompt")).to_contain_text(re.compile("won|share"))
    turns = site.ask("turns", slug=slug)
    assert turns[:8] == [0, 1, 2, 3, 0, 1, 2, 3]
    out: set[int] = set()
    for seat, following in pairwise(turns):
        assert following not in out, "who was out plays no more"
        out |= {(seat + step) % 4 for step in range(1, (following - seat - 1) % 4 + 1)}


def test_choosing_players_and_modes_keeps_them_together(visit: Visit) -> None:
    """A number of players that the mode does not have brings a mode that has it; its own options come and go."""
    page = visit("alice").go("/tables/new/block_buster/")
    collection = page.get_by_text("A collection that wins at once")
    expect(collection).to_be_hidden()
    page.get_by_label("Two colours each", exact=True).check()
    expect(collection).to_be_visible()
    page.get_by_label("3 players").check()
    expect(page.get_by_label("Standard", exact=True)).to_be_checked()
    expect(collection).to_be_hidden()


def test_a_jump_is_previewed_with_its_price_and_paid(visit: Visit, site: Site) -> None:
    """The ghost carries the price, the line says the gap; a wider gap says that it cannot be paid; then tokens fall."""
    page = _at_turn(visit, site, DESKTOP)
    seen = look(page)
    tokens = page.locator("#seat-0 .bb-tokens")
    expect(tokens).to_have_text("−3")

    far = next(fit for gap in range(6, 12) for fit in fits(seen, gap) if fit.block == "1")
    card(page, far.block).click()
    page.mouse.move(*window_point(page, *far.middle))
    expect(ghost(page)).to_have_class(re.compile("bb-misfits"))
    expect(hint(page)).to_contain_text("no more than gap 3 can be paid")
    page.mouse.click(*window_point(page, *far.middle))
    assert look(page).version == seen.version, "nothing is played"

    jump = next(fit for fit in fits(seen, 2) if fit.block == "1")
    hold(page, jump)
    expect(ghost(page).locator(".bb-paid")).to_have_text("−4")
    expect(hint(page)).to_contain_text("gap 2, costs 4 in tokens")
    place(page, jump)
    wait_for_version(page, seen.version)
    expect(tokens).to_have_text("−7")
    expect(page.locator(".bb-board > .bb-paid")).to_have_text("−4")


def test_a_block_is_placed_by_keyboard_alone(visit: Visit, site: Site) -> None:
    """Tab to the tray, choose, turn and flip, step from fit to fit, place: and the focus stays with the play."""
    page = _at_turn(visit, site, DESKTOP)
    seen = look(page)
    _tab_to(page, ".bb-card")
    assert page.locator('.bb-card[tabindex="0"]').count() == 1, "the tray is one stop"
    for _ in range(len(seen.blocks)):
        if _focused_block(page) == "L4":
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("n")
    expect(ghost(page)).to_have_count(0)
    page.keyboard.press("Enter")
    assert _focus_is_on(page, "#bb-field"), "the chosen block leads on to the board"
    expect(ghost(page)).to_have_count(1)

    lies = {_form(page)}
    for key in ("r", "r", "r", "f", "r", "r", "r"):
        page.keyboard.press(key)
        lies.add(_form(page))
    assert len(lies) == 8, "turning and flipping show the block in all its forms"
    page.keyboard.press("n")
    expect(hint(page)).to_contain_text("joins your blocks")
    there = hint(page).inner_text()
    page.keyboard.press("n")
    expect(hint(page)).not_to_have_text(there)
    page.keyboard.press("p")
    expect(hint(page)).to_have_text(there)
    place, *effects = there.split(" · ")
    heard = page.get_by_role("log", name="News of the match").get_by_role("paragraph").last
    expect(heard).to_have_text(re.compile(f"^{re.escape(place)}.*{re.escape(', '.join(effects))}$"))
    page.keyboard.press("Enter")
    wait_for_version(page, seen.version)
    assert site.ask("moves", slug=site.ask("newest_match", username="alice"))[-1].startswith("L4 ")
    assert not _focus_is_on(page, "body"), "the focus is not lost"


def test_a_finger_drags_a_block_onto_the_board_without_scrolling(visit: Visit, site: Site) -> None:
    """On a phone of 360 px: the page stays, the block is nudged by a button, and is played when that is confirmed."""
    page = _at_turn(visit, site, PHONE)
    seen = look(page)
    lying = {fit.cells for fit in fits(seen) if fit.form == 0}
    fit, way = next((fit, way) for fit in fits(seen) for way in NUDGES if {fit.cells, _nudged(fit.cells, way)} <= lying)
    card(page, fit.block).scroll_into_view_if_needed()
    before = page.evaluate("() => window.scrollY")
    finger = Finger(page)
    finger.down(*middle(page, f'.bb-card[data-block="{fit.block}"]'))
    finger.drag(0, -20)
    expect(page.locator(".bb-floating")).to_have_count(1)
    x, y = window_point(page, *fit.middle)
    finger.drag_to(x, y + FINGER_PX)
    expect(page.locator(".bb-floating")).to_have_count(0)
    expect(ghost(page)).to_have_class(re.compile("bb-fits"))
    finger.up()
    assert page.evaluate("() => window.scrollY") == before

    bar = page.get_by_role("group", name="Confirm the move")
    expect(bar).to_be_in_viewport(ratio=1)
    expect(bar).to_contain_text(f"{fit.block} at {cell_name(fit.cells[0])}")
    page.get_by_role("button", name=way).tap()
    expect(bar).to_contain_text(f"{fit.block} at {cell_name(_nudged(fit.cells, way)[0])}")
    assert look(page).version == seen.version, "nothing is played before it is confirmed"
    bar.get_by_role("button", name="Play").tap()
    wait_for_version(page, seen.version)
    names = " ".join(map(cell_name, _nudged(fit.cells, way)))
    assert site.ask("moves", slug=site.ask("newest_match", username="alice"))[-1] == f"{fit.block} {names}"


def test_a_tap_puts_a_block_where_it_may_be_taken_back(visit: Visit, site: Site) -> None:
    """Tapping block and board is enough; taken back, the block stays in the hand."""
    page = _at_turn(visit, site, PHONE)
    fit = next(fit for fit in fits(look(page)) if fit.block == "I3")
    card(page, "I3").tap()
    turn_to(page, fit)
    page.touchscreen.tap(*window_point(page, *fit.middle))
    bar = page.get_by_role("group", name="Confirm the move")
    expect(bar).to_contain_text("I3 at")
    bar.get_by_role("button", name="Take back").tap()
    expect(bar).to_be_hidden()
    expect(card(page, "I3")).to_have_attribute("aria-pressed", "true")


def test_board_tray_and_tools_share_the_first_screen(visit: Visit, site: Site) -> None:
    """On the largest board with the most blocks nobody has to scroll between the board and the own blocks."""
    alice = visit("alice")
    site.ask("add_person", username="bob", display_name="Bob")
    duel = {"options": {"mode": "official-duel"}, "until": "ply:2", **BLOCK_BUSTER}
    slug = site.ask("seat_match", players=["alice", "bob"], seed=1, **duel)["slug"]
    for width, height in ((360, 740), (390, 844), (1366, 650), (1280, 800)):
        page = alice.on_screen(width, height).go(f"/matches/{slug}/")
        expect(page.locator(".bb-board"), f"on {width} x {height}").to_be_in_viewport(ratio=1)
        for shown in page.locator(".bb-card, .bb-tool:visible").all():
            expect(shown, f"on {width} x {height}").to_be_in_viewport(ratio=1)


def _at_turn(visit: Visit, site: Site, screen: dict[str, object]) -> Page:
    """Alice's page after two moves of each in a match of two; she has 3 points in tokens from the start."""
    alice: Visitor = visit("alice", **screen)
    site.ask("add_person", username="bob", display_name="Bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=3, until="ply:4", **BLOCK_BUSTER)["slug"]
    return alice.go(f"/matches/{slug}/")


def _nudged(cells: tuple[tuple[int, int], ...], way: str) -> tuple[tuple[int, int], ...]:
    dx, dy = NUDGES[way]
    return tuple((x + dx, y + dy) for x, y in cells)


def _form(page: Page) -> str | None:
    return ghost(page).locator("use").first.get_attribute("href")


def _focused_block(page: Page) -> str | None:
    block: str | None = page.evaluate("() => document.activeElement.dataset.block ?? null")
    return block


def _tab_to(page: Page, selector: str) -> None:
    for _ in range(40):
        if _focus_is_on(page, selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {selector}")


def _focus_is_on(page: Page, selector: str) -> bool:
    return bool(page.evaluate("(selector) => document.activeElement.matches(selector)", selector))
