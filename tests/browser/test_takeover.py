"""A bot that stands in for who leaves, and gives the seat back: two people, live, and nobody loads a page anew."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.browser.boards import look, play_one, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.people import on_screens
from tests.browser.server import Site

screens = on_screens("phone")


@screens
def test_a_leaver_s_seat_is_taken_over_and_given_back(site: Site, visit: Visit, screen: dict[str, Any]) -> None:
    """Bob leaves in his turn, the bot moves for him, and on a second page of his he sees that he has the seat back."""
    alice, bob = visit("alice", **screen), visit("bob", **screen)
    table = {"seed": 2, "until": "turn", "seat": 1, "bot_takes_over": True}
    slug = site.ask("seat_match", players=["alice", "bob"], **table)["slug"]
    hers, his = alice.go(f"/matches/{slug}/"), bob.go(f"/matches/{slug}/")
    second = bob.context.new_page()
    second.goto(f"/matches/{slug}/")
    with alice.staying(), bob.staying():
        second.evaluate("() => { window.staying = true; }")
        bob.excuse("^dialog: Leave this match to a bot")
        before = look(hers)
        his.locator("#leave-menu").click()
        his.locator("#leave-resign").click()
        expect(his.locator("#actions")).to_contain_text("A bot plays your seat until you take it back")
        expect(his.locator("#turn-key")).to_have_count(0)
        expect(hers.locator("#seat-1")).to_contain_text("bot (")
        expect(hers.locator("#log")).to_contain_text("A bot stands in for")
        expect(hers.locator("#log")).to_contain_text("(stand-in)")
        seen = look(hers)
        assert (seen.ply, seen.my_turn) == (before.ply + 1, True)

        his.locator("#return").click()
        for page in (his, second):
            expect(page.locator("#turn-key")).to_have_count(1)
            expect(page.locator("#leave-menu")).to_be_visible()
        expect(hers.locator("#log")).to_contain_text("is back, and plays on")
        expect(hers.locator("#seat-1")).not_to_contain_text("bot (")

        play_one(hers, look(hers))
        expect(his.locator("#prompt.yours")).to_have_count(1)
        moved = look(his)
        play_one(his, moved)
        wait_for_version(hers, moved.version)
        assert look(hers).ply == before.ply + 3
        assert second.evaluate("() => window.staying === true")
