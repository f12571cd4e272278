"""Pages that fit their screens."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.boards import best, card, look, place
from tests.browser.conftest import Visit
from tests.browser.pages import before_anything, furnish
from tests.browser.people import PHONE
from tests.browser.server import Site


def test_no_page_is_wider_than_a_small_phone(visit: Visit, site: Site) -> None:
    """At 360 px nothing has to be scrolled sideways to be seen."""
    guest, alice = visit(**PHONE), visit("alice", **PHONE)
    guest.excuse("404")
    for name in ("bob", "carol"):
        site.ask("add_person", username=name, display_name=name.capitalize())
    too_wide = []
    for stop in (*before_anything(), *furnish(site, "alice", "bob", "carol")):
        page = (guest if stop.guest else alice).go(stop.path)
        wide = page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
        if wide > 0:
            too_wide.append(f"{stop.name}: {wide} px")
    assert not too_wide, too_wide


@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844), (1280, 800), (1366, 768), (1920, 1080)])
def test_board_and_hand_share_the_first_screen(visit: Visit, site: Site, width: int, height: int) -> None:
    """Nobody has to scroll between the table and the own tiles; nor to the bar that asks for a confirmation."""
    alice = visit("alice", person={"confirm_moves": "always"}, viewport={"width": width, "height": height})
    site.ask("add_person", username="bob", display_name="Bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=1, until="turn", seat=0)["slug"]
    page = alice.go(f"/matches/{slug}/")
    expect(page.locator(".m-board")).to_be_in_viewport(ratio=1)
    for number in range(4):
        expect(card(page, number)).to_be_in_viewport(ratio=1)
    place(page, best(look(page).places))
    expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => window.scrollY") == 0, "choosing and placing scrolls nothing"
