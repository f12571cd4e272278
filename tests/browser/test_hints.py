"""A hint against a bot: asked for, seen on the board as a choice of one's own, and played or not."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.boards import look, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.server import Site


def test_hint_is_taken_back_and_then_played(visit: Visit, site: Site) -> None:
    """By button and key; the tile and the place are marked, the sentence says why, and nothing is left of it after."""
    alice = visit("alice")
    page = alice.go("/")
    page.locator("form[action*='play-now/m/']").get_by_role("button").click()
    expect(page.locator("#freshness")).to_have_attribute("data-turn", "1")
    page.wait_for_load_state()  # what is pressed before the page's scripts are there is nobody's
    version, ply = look(page).version, look(page).ply

    page.locator("#hint-ask").click()
    said = page.locator("#hint-said")
    expect(said).to_have_text(re.compile(r"^Hint: this .+\.$"))
    expect(page.locator("#heard")).to_contain_text(said.inner_text())
    move = page.locator("#hint-said [data-hint]").get_attribute("data-hint")
    assert move is not None
    _is_marked(page, move)

    page.locator("#confirm-no").click()
    expect(said).to_be_empty()
    expect(page.locator(".m-hinted")).to_have_count(0)
    assert look(page).ply == ply

    page.keyboard.press("h")
    expect(said).to_have_text(re.compile(r"^Hint: "))
    _is_marked(page, move)
    page.keyboard.press("Enter")  # the focus is on the answer to whether it is played
    wait_for_version(page, version)
    assert site.ask("moves", slug=page.url.rstrip("/").rpartition("/")[2])[ply] == move
    expect(said).to_be_empty()
    expect(page.locator(".m-hinted")).to_have_count(0)


def _is_marked(page: Page, move: str) -> None:
    """The tile of the hand and the place on the table, and it waits to be confirmed."""
    tile, _, place = move.partition("@")
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator(f'.m-card.m-hinted[data-tile="{tile}"]')).to_have_count(1)
    expect(page.locator(f'.m-board .m-hinted.m-pending[data-cell="{place.partition("/")[0]}"]')).to_have_count(1)
