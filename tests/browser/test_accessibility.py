"""axe on every page, in light and dark, on a desktop and on a phone: nothing serious or critical."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.boards import card, look
from tests.browser.conftest import Visit
from tests.browser.pages import ROW_OR_COLUMN, Stop, before_anything, furnish
from tests.browser.people import DESKTOP, PHONE
from tests.browser.server import Site

GRAVE = {"serious", "critical"}

# Without motion a page has its colours at once.
STILL = {"reduced_motion": "reduce"}

CONTRAST = {"runOnly": ["color-contrast"]}


def test_no_page_has_a_grave_fault_on_a_desktop(visit: Visit, site: Site) -> None:
    """Every page as it comes, and its colours in the dark too."""
    _tour(visit, site, {**DESKTOP, **STILL}, dark_too=True)


def test_no_page_has_a_grave_fault_on_a_phone(visit: Visit, site: Site) -> None:
    """Every page as it comes."""
    _tour(visit, site, {**PHONE, **STILL}, dark_too=False)


def _tour(visit: Visit, site: Site, screen: dict[str, Any], *, dark_too: bool) -> None:
    guest, alice = visit(**screen), visit("alice", **screen)
    guest.excuse("404")
    faults: list[str] = []

    def look_at(stops: list[Stop]) -> None:
        for stop in stops:
            page = (guest if stop.guest else alice).go(stop.path)
            faults.extend(f"{stop.name}: {fault}" for fault in _faults(page))
            if dark_too:
                page.emulate_media(color_scheme="dark")
                faults.extend(f"{stop.name}, dark: {fault}" for fault in _faults(page, CONTRAST))
                page.emulate_media(color_scheme="light")

    look_at(before_anything())
    for name in ("bob", "carol"):
        site.ask("add_person", username=name, display_name=name.capitalize())
    look_at(furnish(site, "alice", "bob", "carol"))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_in_use_have_no_grave_fault(visit: Visit, site: Site, scheme: str) -> None:
    """What only appears when one does something: places of a chosen tile, bars and choices, menus, wrong forms."""
    alice = visit("alice", person={"confirm_moves": "always"}, color_scheme=scheme, **STILL)
    for name in ("bob", "carol"):
        site.ask("add_person", username=name, display_name=name.capitalize())
    slug = site.ask("seat_record", players=["alice", "bob", "carol"], **ROW_OR_COLUMN)["slug"]
    page = alice.go(f"/matches/{slug}/")
    faults: list[str] = []

    def look_closely(name: str) -> None:
        faults.extend(f"{name}: {fault}" for fault in _faults(page))

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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_held_block_has_no_grave_fault(visit: Visit, site: Site, screen: dict[str, Any], scheme: str) -> None:
    """The tray, a block that fits nowhere and one that waits for its confirmation, on the largest board."""
    alice = visit("alice", person={"confirm_moves": "always"}, color_scheme=scheme, **{**screen, **STILL})
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


def _faults(page: Page, options: dict[str, Any] | None = None) -> list[str]:
    """The serious and critical findings of axe, a line each."""
    found = Axe().run(page, options=options or {}).response
    assert found["passes"], "axe has looked at nothing"
    return [
        f"{violation['id']} ({violation['impact']}) at {'; '.join(str(node['target']) for node in violation['nodes'])}"
        f" -- {violation['nodes'][0]['failureSummary']}"
        for violation in found["violations"]
        if violation["impact"] in GRAVE
    ]
