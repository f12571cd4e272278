"""From report to decision, as a player and a moderator walk it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.people import DESKTOP, PHONE
from tests.browser.server import Site

screens = pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])


def fits(page: Page) -> bool:
    return bool(page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"))


def faults(page: Page) -> list[str]:
    found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
    return [f"{fault['id']}: {fault['nodes'][0]['html'][:150]}" for fault in found if fault["impact"] == "critical"]


@screens
def test_from_report_to_decision(site: Site, visit: Visit, screen: dict[str, Any]) -> None:
    """Bob insults, Alice reports the line, the moderator looks, hides it, mutes Bob and decides; both are told.

    What is hidden vanishes from Alice's page, which is open all the while.
    """
    alice = visit("alice", **screen)
    site.ask("add_person", username="bob", display_name="Bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=3, until="ply:6")["slug"]
    for text in ("hello", "you fool"):
        site.ask("say", slug=slug, username="bob", text=text)
    mine = alice.go(f"/matches/{slug}/")
    if screen is PHONE:
        mine.locator("#chat-fold").click()
    line = mine.locator("#said-players-2")
    line.hover()
    with mine.expect_popup() as opened:  # a live match is not left for it
        line.get_by_role("link", name="Report").click()
    form = opened.value
    expect(form.get_by_role("heading", name="Report Bob")).to_be_visible()
    expect(form.locator("figure p")).to_have_text("you fool")
    assert fits(form)
    form.get_by_label("Insults, threats, harassment").check()
    form.get_by_label(re.compile("What happened")).fill("That was uncalled for.")
    form.get_by_role("button", name="Send the report").click()
    expect(form.get_by_text("you will hear of the outcome")).to_be_visible()
    form.close()

    desk = visit(**screen)
    desk.log_in(site.ask("add_moderator", username="mod"))
    page = desk.go("/admin/desk/report/?state=open")
    expect(page.get_by_text("open for more than two days")).to_be_visible()
    assert not faults(page)
    page.get_by_role("link", name=re.compile(r"#\d+")).first.click()
    expect(page.get_by_text("That was uncalled for.")).to_be_visible()
    expect(page.locator(".desk-lines .reported")).to_contain_text("you fool")
    assert fits(page)
    assert not faults(page)
    evidence = page.url.partition("?")[0]

    page.locator(".desk-lines .reported").get_by_role("link", name="Hide").click()
    page.get_by_label("Reason").fill("An insult.")
    page.get_by_role("button", name="Hide a line of chat").click()
    expect(page.locator(".desk-lines .reported")).to_contain_text("hidden")
    expect(mine.locator("#said-players-2")).to_have_count(0)
    expect(mine.locator("#said-players-1")).to_have_count(1)

    page.locator(".desk-person").first.get_by_role("link", name="Mute in the chat").click()
    assert fits(page)
    page.get_by_role("button", name="Mute in the chat").click()
    expect(page.get_by_label("Reason")).to_be_focused()  # the browser itself asks for it
    page.get_by_label("Reason").fill("Insults in the chat.")
    page.get_by_label("For how long").select_option("3 days")
    page.get_by_role("button", name="Mute in the chat").click()
    expect(page).to_have_url(evidence)
    expect(page.get_by_text("Muted now")).to_be_visible()

    page.get_by_role("link", name="Uphold the report").click()
    page.get_by_label("Reason").fill("Clear enough.")
    page.get_by_role("button", name="Uphold the report").click()
    expect(page.locator(".desk-report")).to_contain_text("Upheld")
    expect(page.locator(".desk-report")).to_contain_text("Clear enough.")
    assert site.ask("notices", username="alice") == ["report-done"]
    assert site.ask("notices", username="bob") == ["line-hidden", "muted"]
