"""Names that attack the page: shown as the text they are, on every page and in every push."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boards import look, play_one, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.pages import Stop, before_anything, furnish
from tests.browser.people import DESKTOP, PHONE
from tests.browser.server import Site

MARKUP = "<svg onload=alert(1)>\"'&amp;{{7*7}}"
OVERRIDE = "Eve \u202egnp.eliforp\u2066"
ENDLESS = "W" * 40
ZALGO = "Z" + "\u0334\u0361\u0489" * 13

REORDERING = [chr(code) for code in (*range(0x202A, 0x202F), 0x2066, 0x2067)]

FOUND = """(reordering) => ({
    injected: document.querySelectorAll("[onload], svg:not([viewBox]):not([class]):not(.wordmark svg)").length,
    reordered: reordering.some((mark) => document.documentElement.outerHTML.includes(mark)),
    wide: document.documentElement.scrollWidth - window.innerWidth,
})"""


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_hostile_names_run_through_every_page_harmlessly(visit: Visit, site: Site, screen: dict[str, Any]) -> None:
    """No script of theirs runs, no text around them turns, nothing grows wider than the screen; no dialog opens."""
    guest = visit(**screen)
    mark = visit("mark", person={"display_name": MARKUP}, **screen)
    guest.excuse("404")
    site.ask("add_person", username="eve", display_name=OVERRIDE)
    site.ask("add_person", username="w", display_name=ENDLESS)
    wrong = []
    for stop in (*before_anything(), *furnish(site, "mark", "eve", "w")):
        page = (guest if stop.guest else mark).go(stop.path)
        wrong += [f"{stop.name}: {fault}" for fault in _faults(page, stop)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", [MARKUP, OVERRIDE, ZALGO], ids=["markup", "override", "zalgo"])
def test_hostile_names_come_harmlessly_by_push(visit: Visit, site: Site, name: str) -> None:
    """The frame of a socket is as harmless as the page: at the table, and after a move."""
    alice, mark = visit("alice"), visit("mark", person={"display_name": name})
    table = site.ask("open_table", host="alice")
    with_table = alice.go(f"/matches/{table}/")
    with alice.staying():
        mark.go(f"/matches/{table}/").get_by_role("button", name="Sit down").click()
        expect(with_table.locator(".seat .tag")).to_have_count(4)
        for visitor in (alice, mark):
            visitor.page.get_by_role("button", name="I am ready").click()
        for visitor in (alice, mark):
            expect(visitor.page.locator(".m-board")).to_be_visible()
        mover = alice if look(alice.page).my_turn else mark
        seen = look(mover.page)
        play_one(mover.page, seen)
        wait_for_version(alice.page, seen.version)
    assert not _faults(alice.page, Stop("pushed", ""))
    assert not _faults(mark.page, Stop("pushed", ""))


def _faults(page: Page, stop: Stop) -> list[str]:
    found = page.evaluate(FOUND, REORDERING)
    faults = []
    if found["injected"]:
        faults.append("markup of a name has become part of the page")
    if found["reordered"]:
        faults.append("a mark that changes the direction of text is on the page")
    if found["wide"] > 0:
        faults.append(f"{found['wide']} px wider than the screen")
    if not stop.guest and stop.path and MARKUP not in page.locator(".masthead").inner_text():
        faults.append("the own name is not shown as it is")
    return faults
