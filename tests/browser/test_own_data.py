"""Taking one's data, and one's leave, as people do it in a browser."""

from __future__ import annotations

import json
from zipfile import ZipFile

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.people import PHONE
from tests.browser.server import Site
from tests.conftest import PASSWORD


def test_somebody_takes_their_data_and_goes(visit: Visit, site: Site) -> None:
    """From the settings: the file comes, then the account goes, and the other player's open page says so."""
    alice, bob = visit("alice", **PHONE), visit("bob")
    alice.excuse("422")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=3, until="ply:5")["slug"]
    site.ask("say", slug=slug, username="alice", text="Good luck")
    bob.page.goto(f"/matches/{slug}/")
    expect(bob.page.locator("#players")).to_contain_text("Alice")

    page = alice.page
    page.goto("/account/settings/")
    page.get_by_role("link", name="Download everything that we keep of you").click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download my data").click()
    with ZipFile(coming.value.path()) as packed:
        assert json.loads(packed.read("profile.json"))["email"] == "alice@example.org"
        assert [row["text"] for row in json.loads(packed.read("chat.json"))] == ["Good luck"]

    page.get_by_role("link", name="Delete my account").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Type your login name").fill("alicia")
    page.get_by_role("button", name="Delete my account for ever").click()
    expect(page.get_by_text("That is not your login name.")).to_be_visible()
    page.get_by_label("Type your login name").fill("alice")
    page.get_by_role("button", name="Delete my account for ever").click()
    expect(page.get_by_text("Your account is deleted.")).to_be_visible()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
    assert not site.ask("is_registered", username="alice")

    expect(bob.page.locator("#players")).to_contain_text("has left")
    bob.page.reload()
    expect(bob.page.locator("#players")).to_contain_text("former player")
    expect(bob.page.locator("body")).not_to_contain_text("Good luck")
