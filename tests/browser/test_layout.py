"""Board, hand and bar fit the screen together; that no page is wider than a phone is seen in test_hostile_names."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.boards import best, card, look, place
from tests.browser.conftest import Visit
from tests.browser.server import Site


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
