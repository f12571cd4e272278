"""Somebody new: signs up, plays at once, and finds the match again."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, expect

from tests.browser.boards import look, play_to_the_end, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.server import Site
from tests.conftest import PASSWORD

WORDS_A_SECOND = 4
"""Of somebody who reads a page with care."""

FIRST_MOVE_WITHIN_S = 60


class Reader:
    """Reads whatever stands on the way, from its first word to its last, and knows how long that would have taken."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._began = time.monotonic()
        self._words = 0

    def read(self, part: str) -> None:
        """Everything that can be seen of that part."""
        self._words += sum(len(found.split()) for found in self._page.locator(part).all_inner_texts())

    @property
    def seconds(self) -> float:
        """The reading, and what the pages themselves have taken."""
        return self._words / WORDS_A_SECOND + time.monotonic() - self._began


def test_newcomer_signs_up_plays_a_match_against_the_bot_and_replays_it(visit: Visit, site: Site) -> None:
    """The shortest way into the house, whole, by clicking alone."""
    newcomer = visit()
    page = newcomer.go("/")
    page.get_by_role("link", name="Sign up and play").click()
    page.get_by_label("Login name").fill("nova")
    page.get_by_label("Display name").fill("Nova")
    page.get_by_label("E-mail address").fill("nova@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator("summary", has_text="Nova")).to_be_visible()

    reader = Reader(page)
    page.get_by_role("link", name="Tesela").click()
    reader.read("li:has(form[action*='play-now/'])")
    page.locator("form[action*='play-now/m/']").get_by_role("button").click()
    expect(page).to_have_url(re.compile(r"/matches/[0-9a-f]+/$"))
    expect(page.locator("#players")).to_contain_text("Nova")
    expect(page.locator("#players")).to_contain_text("Bot")
    reader.read(".match-table")

    version = look(page).version
    page.get_by_role("button", name="Hint").click()
    reader.read("#hint-said")
    page.locator("#confirm-yes").click()  # the hint has composed the move
    wait_for_version(page, version)
    assert reader.seconds < FIRST_MOVE_WITHIN_S
    with newcomer.staying():
        acts = play_to_the_end([page])
    assert acts.count("place") > 10
    expect(page.locator("#prompt")).to_contain_text(re.compile("won|share"))

    plies = site.ask("state", slug=site.ask("newest_match", username="nova"))["ply"]
    page.get_by_role("link", name="History").click()
    expect(page.locator(".match-row")).to_have_count(1)
    page.locator(".match-row a").click()
    expect(page.locator(".stepper .number")).to_have_text(f"{plies} of {plies}")
    page.get_by_label("To the start").click()
    expect(page.locator(".stepper .number")).to_have_text(f"0 of {plies}")
    expect(page.locator(".m-board .m-tile")).to_have_count(5)
