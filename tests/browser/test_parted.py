"""A page whose person is logged out elsewhere leads to the log-in by itself, once, and back to where it was."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.server import Site


def test_log_out_in_one_tab_leads_the_others_to_the_log_in(site: Site, visit: Visit) -> None:
    alice = visit("alice")
    visit("bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=2)["slug"]
    alice.go(f"/matches/{slug}/")
    lobby, elsewhere = alice.context.new_page(), alice.context.new_page()
    lobby.goto("/lobby/")
    for page in (alice.page, lobby):
        page.wait_for_function("() => window.tesela.socketIsOpen()")
    elsewhere.goto("/account/logout/")
    elsewhere.get_by_role("button", name="Log out").last.click()
    expect(alice.page.locator("#connection")).to_contain_text("You are not logged in here any more.")
    for page, back in ((alice.page, f"/matches/{slug}/"), (lobby, "/lobby/")):
        page.wait_for_url(re.compile(r"/account/login/\?ended=1&next="))
        expect(page.locator("input[name=next]").first).to_have_value(back)
