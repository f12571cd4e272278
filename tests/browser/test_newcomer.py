"""Somebody new: signs up, plays at once, and finds the match again."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.boards import play_to_the_end
from tests.browser.conftest import Visit
from tests.browser.server import Site
from tests.conftest import PASSWORD


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

    page.get_by_role("link", name="Tesela").click()
    page.locator("form[action*='play-now/m/']").get_by_role("button").click()
    expect(page).to_have_url(re.compile(r"/matches/[0-9a-f]+/$"))
    expect(page.locator("#players")).to_contain_text("Nova")
    expect(page.locator("#players")).to_contain_text("Bot")
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
