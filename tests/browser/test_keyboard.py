"""Playing by keyboard alone: a whole match of M without a pointer."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boards import Sight, best, play_to_the_end, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.server import Site
from tests.sizes import SOAKING

BEFORE_THE_LAST_TAKE = {"file": "tests/records/m/valid-2p-zigzag-greedy-scored.json", "ply": 74}
MOST_TABS = 60
MOST_ARROWS = 60


@pytest.mark.soak
def test_a_match_by_keyboard_alone(visit: Visit) -> None:
    """From the top of the home page by Tab, Enter and arrows to the result; the focus is never lost on the way.

    A slice ends after the first scoring round; how the focus goes on at the end is seen in the next test.
    """
    page = visit("alice").go("/")
    _tab_to(page, "form[action*='play-now/m/'] button")
    page.keyboard.press("Enter")
    expect(page.locator(".m-board")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("main"), "the skip link leads past the menu").to_be_focused()

    player = _Player()
    acts = play_to_the_end([page], player.play, enough=None if SOAKING else Counter({"place": 3, "pass": 1, "take": 1}))
    assert acts.count("place") > (10 if SOAKING else 2)
    assert "pass" in acts
    assert "take" in acts
    if not SOAKING:
        return
    expect(page.locator("#prompt")).to_contain_text(re.compile("won|share"))
    _tab_to(page, "#next a[href*='replay']")
    page.keyboard.press("Enter")
    expect(page.locator(".stepper")).to_be_visible()


def test_the_last_take_leaves_the_focus_on_the_result(visit: Visit, site: Site) -> None:
    """With the match the hand goes too; who plays by keys stands at the result then, not at the top of the page."""
    alice = visit("alice")
    site.ask("add_person", username="bob", display_name="Bob")
    slug = site.ask("seat_record", players=["alice", "bob"], **BEFORE_THE_LAST_TAKE)["slug"]
    page = alice.go(f"/matches/{slug}/")
    _tab_to(page, ".m-takeable[data-move]")
    page.keyboard.press("Enter")
    expect(page.locator("#freshness")).to_have_attribute("data-status", "over")
    expect(page.locator("#prompt")).to_be_focused()
    expect(page.locator("#prompt")).to_contain_text(re.compile("won|share"))
    _tab_to(page, "#next a[href*='replay']")
    page.keyboard.press("Enter")
    expect(page.locator(".stepper")).to_be_visible()


class _Player:
    """Plays by keys: passes once early on, to have tried it, and otherwise as boards.play_one does."""

    def __init__(self) -> None:
        self.has_passed = False

    def play(self, page: Page, seen: Sight) -> str:
        if seen.phase == "take":
            act = "take"
            _tab_to(page, ".m-takeable[data-move]")
            page.keyboard.press("Enter")
        elif seen.places and (self.has_passed or seen.ply < 6):
            act = "place"
            _place(page, seen)
        else:
            act = "pass"
            self.has_passed = True
            _tab_to(page, '[data-move="pass"]')
            page.keyboard.press("Space")
        wait_for_version(page, seen.version)
        assert not _focus_is_on(page, "body"), f"the focus was lost after {act}"
        return act


def _place(page: Page, seen: Sight) -> None:
    """Walk to the tile, press it, walk to the place, press it, and answer which line counts if that is asked."""
    chosen = best(seen.places)
    _tab_to(page, ".m-card")
    _walk(page, f".m-card:nth-of-type({chosen.card + 1})", ["ArrowRight"] * 5)
    page.keyboard.press("Enter")
    assert _focus_is_on(page, ".m-fits"), "choosing a tile leads on to the places where it fits"
    _walk_to_cell(page, chosen.cell)
    page.keyboard.press("Enter")
    if len(chosen.lines) > 1:
        assert _focus_is_on(page, ".m-choice [data-line]"), "the choice of the line has the focus at once"
        page.keyboard.press("Enter")


def _walk_to_cell(page: Page, cell: str) -> None:
    """By arrows, first those that lead nearer, and from a cell seen before the one pressed there least often."""
    x, y = map(int, cell.split(","))
    pressed: Counter[tuple[str, str]] = Counter()
    for _ in range(MOST_ARROWS):
        here = page.evaluate("() => document.activeElement.dataset.cell")
        if here == cell:
            return
        dx, dy = (target - at for target, at in zip((x, y), map(int, here.split(",")), strict=True))
        gain = {"ArrowRight": dx, "ArrowLeft": -dx, "ArrowDown": dy, "ArrowUp": -dy}
        arrow = min(gain, key=lambda key: (pressed[here, key], -gain[key]))
        pressed[here, arrow] += 1
        page.keyboard.press(arrow)
    raise AssertionError(f"the arrows do not lead to {cell}")


def _walk(page: Page, selector: str, keys: list[str]) -> None:
    for key in keys:
        if _focus_is_on(page, selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{keys[0]} does not lead to {selector}")


def _tab_to(page: Page, selector: str) -> None:
    for _ in range(MOST_TABS):
        if _focus_is_on(page, selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {selector}")


def _focus_is_on(page: Page, selector: str) -> bool:
    return bool(page.evaluate("(selector) => document.activeElement.matches(selector)", selector))
