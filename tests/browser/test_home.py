"""The home page of a guest: the match on it goes on by itself, and a click leads there."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.boards import look, play_one
from tests.browser.conftest import Visit
from tests.browser.server import Site


def test_the_match_on_the_home_page_goes_on_while_one_looks(visit: Visit, site: Site) -> None:
    alice, guest = visit("alice"), visit()
    site.ask("add_person", username="bob", display_name="Bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=3, until="turn", seat=0)["slug"]
    mine = alice.go(f"/matches/{slug}/")
    guest.page.clock.install()  # it asks every ten seconds, for which nobody need wait here
    page = guest.go("/")
    board = page.locator("#showcase .m-board")
    expect(board).to_have_attribute("data-ply", str(look(mine).ply))
    play_one(mine, look(mine))
    page.clock.fast_forward(10_000)
    expect(board).to_have_attribute("data-ply", str(look(mine).ply))
    page.get_by_role("link", name="Watch it live").click()
    expect(page.locator("#stage .m-board")).to_be_visible()
