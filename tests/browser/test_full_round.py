"""The whole way round a match: find it in the history, replay it, play it again, and talk meanwhile."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.boards import look, play_one, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.people import on_screens
from tests.browser.server import Site
from tests.browser.test_chat import expect_said, say

PLY = 12


@on_screens("desktop")
def test_from_the_history_by_the_replay_to_a_rematch_with_talk(
    visit: Visit, site: Site, screen: dict[str, Any]
) -> None:
    alice, bob = visit("alice", **screen), visit("bob", **screen)
    site.ask("add_person", username="carol", display_name="Carol")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=3, until="over")["slug"]
    site.ask("past_matches", players=["alice", "carol"], number=3)

    page = alice.go("/history/")
    page.locator("#asked-menu").click()
    page.get_by_label("Played with").fill("bob")
    page.get_by_label("Played with").press("Enter")
    expect(page.locator("#history-rows > li")).to_have_count(1)
    page.locator("#history-rows .match-link").click()
    expect(page.locator(".match-table")).to_be_visible()
    page.goto(f"{site.address}/matches/{slug}/replay/{PLY}/?seat=1")
    expect(page.locator('[aria-current="step"]')).to_have_attribute(
        "href", re.compile(rf"/matches/{slug}/replay/{PLY}/")
    )

    page, other = alice.go(f"/matches/{slug}/"), bob.go(f"/matches/{slug}/")
    say(page, "Once more?")
    expect_said(other, "Once more?")
    page.get_by_role("button", name="Rematch").click()
    expect(other.locator("#rematch-said")).to_be_visible()
    other.get_by_role("button", name="Rematch").click()
    page.get_by_role("link", name="To the rematch").click()
    expect(page).not_to_have_url(re.compile(slug))
    expect(page.locator(".m-board")).to_be_visible()
    expect(other).to_have_url(page.url)

    say(other, "Good luck")
    expect_said(page, "Good luck")
    mover = page if look(page).my_turn else other
    seen = look(mover)
    play_one(mover, seen)
    for each in (page, other):
        wait_for_version(each, seen.version)
        expect_said(each, "Good luck")
