"""Playing on a phone: taps with a confirmation, and drags that move a tile and not the page."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.boards import best, card, look, spot, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.fingers import Finger, middle
from tests.browser.people import PHONE, Visitor
from tests.browser.server import Site

FINGER_PX = 64
"""So far above the finger the page holds a dragged tile, that the finger may not hide it."""


def test_tapping_a_tile_and_a_place_asks_before_it_plays(visit: Visit, site: Site) -> None:
    """Two taps compose a move; the bar under the thumb says what it is, takes it back, or plays it."""
    page = _at_turn(visit, site)
    seen = look(page)
    chosen = best(seen.places)
    card(page, chosen.card).tap()
    spot(page, chosen.cell).tap()
    bar = page.get_by_role("group", name="Confirm the move")
    expect(bar).to_be_in_viewport(ratio=1)
    expect(bar).to_contain_text(f"at {chosen.cell}")
    assert look(page).version == seen.version, "nothing is played before it is confirmed"

    bar.get_by_role("button", name="Take back").tap()
    expect(bar).to_be_hidden()
    expect(spot(page, chosen.cell)).to_have_class("m-free m-fits")

    spot(page, chosen.cell).tap()
    bar.get_by_role("button", name="Play").tap()
    wait_for_version(page, seen.version)
    expect(spot(page, chosen.cell)).to_have_class("m-tile")


def test_dragging_a_tile_places_it_and_does_not_scroll(visit: Visit, site: Site) -> None:
    """A finger on a tile moves the tile alone; let go over a place, it is laid there, after the confirmation."""
    page = _at_turn(visit, site)
    seen = look(page)
    chosen = best(seen.places)
    tile = card(page, chosen.card)
    tile.scroll_into_view_if_needed()
    before = page.evaluate("() => window.scrollY")
    finger = Finger(page)
    finger.down(*middle(page, f".m-card >> nth={chosen.card}"))
    finger.drag(0, -20)
    expect(page.locator(".m-dragged")).to_have_count(1)
    x, y = middle(page, f'.m-board [data-cell="{chosen.cell}"]')
    finger.drag_to(x, y + FINGER_PX)
    expect(spot(page, chosen.cell)).to_have_class("m-free m-fits m-over")
    assert page.evaluate("() => window.scrollY") == before
    finger.up()
    expect(page.locator(".m-dragged")).to_have_count(0)
    page.get_by_role("button", name="Play", exact=True).tap()
    wait_for_version(page, seen.version)
    expect(spot(page, chosen.cell)).to_have_class("m-tile")


def test_a_tile_dragged_to_nowhere_goes_back(visit: Visit, site: Site) -> None:
    """Let go where it does not fit, nothing is played or asked."""
    page = _at_turn(visit, site)
    seen = look(page)
    finger = Finger(page)
    finger.down(*middle(page, f".m-card >> nth={seen.places[0].card}"))
    finger.drag(0, -30)
    finger.drag_to(30, 100)
    finger.up()
    expect(page.locator(".m-dragged")).to_have_count(0)
    expect(page.get_by_role("group", name="Confirm the move")).to_be_hidden()
    assert look(page).version == seen.version


def _at_turn(visit: Visit, site: Site) -> Page:
    alice: Visitor = visit("alice", **PHONE)
    site.ask("add_person", username="bob", display_name="Bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=1, until="turn", seat=0)["slug"]
    return alice.go(f"/matches/{slug}/")
