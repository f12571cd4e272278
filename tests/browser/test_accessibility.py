"""axe on every page, in light and dark, on a desktop and on a phone: nothing serious or critical."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.boards import card, look
from tests.browser.conftest import Visit
from tests.browser.pages import ROW_OR_COLUMN, TOUR_WITHIN_S, tour, tourists
from tests.browser.people import SCREENS
from tests.browser.server import Site
from tests.sizes import SOAKING, ways

GRAVE = {"serious", "critical"}

# Without motion a page has its colours at once.
STILL = {"reduced_motion": "reduce"}

# What passed is not described node by node, and style sheets are not fetched once more: twice as quick.
BRIEF: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}


Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
LOOKS: tuple[tuple[str, Scheme], ...] = (
    ("desktop", "light"),
    ("phone", "dark"),
    ("phone", "light"),
    ("desktop", "dark"),
)


@pytest.mark.soak
@pytest.mark.timeout(TOUR_WITHIN_S)
def test_no_page_has_a_grave_fault(visit: Visit, site: Site) -> None:
    """Every page, in a slice each on one screen in one scheme, which take turns; in a short run one of each kind."""
    visitors = tourists(visit, site, "alice", "Alice", SCREENS, **STILL)
    faults: list[str] = []
    for number, stop in tour(site, "alice", ("bob", "Bob"), ("carol", "Carol")):
        for screen, scheme in ways(number, LOOKS):
            visitor = visitors[screen, stop.guest]
            visitor.page.emulate_media(color_scheme=scheme)
            faults.extend(f"{stop.name}, {screen}, {scheme}: {fault}" for fault in _faults(visitor.go(stop.path)))
    assert not faults, "\n".join(faults)


@pytest.mark.soak
def test_pages_in_use_have_no_grave_fault(visit: Visit, site: Site) -> None:
    """What only appears when one does something: places of a chosen tile, bars and choices, menus, wrong forms.

    Light and dark take turns in a slice.
    """
    alice = visit("alice", person={"confirm_moves": "always"}, **STILL)
    for name in ("bob", "carol"):
        site.ask("add_person", username=name, display_name=name.capitalize())
    slug = site.ask("seat_record", players=["alice", "bob", "carol"], **ROW_OR_COLUMN)["slug"]
    page = alice.go(f"/matches/{slug}/")
    faults: list[str] = []
    looks = 0

    def look_closely(name: str) -> None:
        nonlocal looks
        looks += 1
        for scheme in ways(looks, SCHEMES):
            page.emulate_media(color_scheme=scheme)
            faults.extend(f"{name}, {scheme}: {fault}" for fault in _faults(page))

    page.locator("summary", has_text="Alice").click()
    page.locator("#leave-menu").click()
    look_closely("open menus")
    asking = next(place for place in look(page).places if len(place.lines) > 1)
    card(page, asking.card).click()
    look_closely("places of a chosen tile")
    page.locator(f'.m-board [data-cell="{asking.cell}"]').first.click()
    expect(page.locator(".m-choice")).to_be_visible()
    look_closely("row or column")
    page.locator(".m-choice [data-line]").first.click()
    expect(page.locator("#confirm")).to_be_visible()
    look_closely("confirmation")
    page.locator("#confirm-yes").click()
    expect(page.locator(".m-board.m-in-take")).to_be_visible()
    look_closely("scoring round")

    alice.excuse("422")
    alice.go("/account/settings/")
    page.get_by_label("Display name").fill("\u202e")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".invalid, [aria-invalid]").first).to_be_visible()
    look_closely("a form with an error")
    assert not faults, "\n".join(faults)


@pytest.mark.soak
@pytest.mark.parametrize(("screen", "scheme"), LOOKS if SOAKING else LOOKS[:2])
def test_a_held_block_has_no_grave_fault(visit: Visit, site: Site, screen: str, scheme: str) -> None:
    """The tray, a block that fits nowhere and one that waits for its confirmation, on the largest board."""
    alice = visit("alice", person={"confirm_moves": "always"}, color_scheme=scheme, **{**SCREENS[screen], **STILL})
    site.ask("add_person", username="bob", display_name="Bob")
    duel = {"game": "block_buster", "options": {"mode": "official-duel"}, "seed": 1}
    page = alice.go(f"/matches/{site.ask('seat_match', players=['alice', 'bob'], until='ply:8', **duel)['slug']}/")
    faults = [f"to move: {fault}" for fault in _faults(page)]
    page.locator('.bb-card[data-block="O4"]').click()
    page.locator("#bb-field").focus()
    for key in ("ArrowRight", *["ArrowLeft"] * 20, "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
    faults += [f"held: {fault}" for fault in _faults(page)]
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_visible()
    faults += [f"to be confirmed: {fault}" for fault in _faults(page)]
    assert not faults, "\n".join(faults)


def _faults(page: Page) -> list[str]:
    """The serious and critical findings of axe, a line each."""
    found = Axe().run(page, options=BRIEF).response
    assert found["passes"], "axe has looked at nothing"
    return [
        f"{violation['id']} ({violation['impact']}) at {'; '.join(str(node['target']) for node in violation['nodes'])}"
        f" -- {violation['nodes'][0]['failureSummary']}"
        for violation in found["violations"]
        if violation["impact"] in GRAVE
    ]
