"""Board, hand and bar fit the screen together; that no page is wider than a phone is seen in test_hostile_names."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import expect

from tests.browser.boards import best, card, look, place
from tests.browser.conftest import Visit
from tests.browser.server import Site

OTHERS = ("bob", "carol", "dave", "erin")


def test_board_and_hand_share_the_first_screen(visit: Visit, site: Site) -> None:
    """Nobody has to scroll between the table and the own tiles; nor to the bar that asks for a confirmation."""
    alice = visit("alice", person={"confirm_moves": "always"})
    site.ask("add_person", username="bob", display_name="Bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=1, until="turn", seat=0)["slug"]
    for width, height in ((360, 740), (390, 844), (1280, 800), (1366, 768), (1920, 1080)):
        page = alice.on_screen(width, height).go(f"/matches/{slug}/")
        expect(page.locator(".m-board"), f"on {width} x {height}").to_be_in_viewport(ratio=1)
        for number in range(4):
            expect(card(page, number), f"on {width} x {height}").to_be_in_viewport(ratio=1)
        place(page, best(look(page).places))
        expect(page.locator("#confirm"), f"on {width} x {height}").to_be_in_viewport(ratio=1)
        assert page.evaluate("() => window.scrollY") == 0, "choosing and placing scrolls nothing"


def test_area_and_own_card_share_the_first_screen(visit: Visit, site: Site) -> None:
    """In a round nobody has time to scroll: all five around the area, the own card, and what turns it, are there."""
    alice = visit("alice")
    for name in OTHERS:
        site.ask("add_person", username=name, display_name=name.capitalize())
    slugs = [site.ask("seat_rounds", players=players, until="open") for players in (["alice", *OTHERS], ["alice"])]
    screens = ((360, 640), (360, 740), (390, 844), (740, 360), (1280, 720), (1366, 768), (1920, 1080))
    for slug, (width, height) in product(slugs, screens):
        page = alice.on_screen(width, height).go(f"/matches/{slug}/")
        alone = ("#by-nofit",) if slug == slugs[1] else ()
        for needed in (".by-board", ".by-table", "#by-turn-left", "#by-turn-right", *alone):
            expect(page.locator(needed), f"on {width} x {height}").to_be_in_viewport(ratio=1)
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"), (width, height)


@pytest.mark.parametrize("game", ["m", "block_buster"])
def test_board_and_film_share_the_first_screen(visit: Visit, site: Site, game: str) -> None:
    """Who plays a replay sees board and controls together; where there is room, also what the seat holds."""
    alice = visit("alice")
    site.ask("add_person", username="bob", display_name="Bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=1, until="over", game=game)["slug"]
    for (width, height), frame in product(((360, 740), (1280, 800), (1280, 900), (1920, 1080)), ("12/", "")):
        page = alice.on_screen(width, height).go(f"/matches/{slug}/replay/{frame}?seat=0")
        for needed in (".board > svg", ".stepper", "#play", "#slide"):
            expect(page.locator(needed), f"on {width} x {height}").to_be_in_viewport(ratio=1)
        if width > 1200 and frame:
            expect(page.locator(".hand > *").first, f"on {width} x {height}").to_be_in_viewport(ratio=0.95)
