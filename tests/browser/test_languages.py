"""The site in its other languages, whose words are longer: chosen at the foot of a page, and nothing cut off."""

from __future__ import annotations

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.pages import TOUR_WITHIN_S, tour, tourists
from tests.browser.people import SCREENS
from tests.browser.server import Site
from tests.sizes import ways

OTHERS = [code for code, _name in settings.LANGUAGES if code != "en"]

CUT_OFF = """() => {
    const shown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
    const faults = [];
    // A phone's innerWidth grows with a page that is too wide; its screen does not.
    const width = Math.min(window.innerWidth, window.screen.width);
    const wide = document.documentElement.scrollWidth - width;
    if (wide > 0) faults.push(`${wide} px wider than the screen`);
    const labels = "button, .button, a, .tag, .prompt, summary, label, th, td, dt, h1, h2, h3";
    for (const element of document.querySelectorAll(labels)) {
        if (!shown(element) || element.closest(".visually-hidden, .skip, bdi") || element.querySelector("bdi"))
            continue;
        if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible")
            faults.push(`cut off: ${element.textContent.trim()}`);
        if (element.scrollHeight > element.clientHeight + 2 && getComputedStyle(element).overflowY !== "visible")
            faults.push(`cut off below: ${element.textContent.trim()}`);
        const box = element.getBoundingClientRect();
        if (box.right > width + 1 && !element.closest(".scroll, [tabindex]"))
            faults.push(`beyond the screen: ${element.textContent.trim()}`);
        if (box.right > (element.closest(".card")?.getBoundingClientRect().right ?? width) + 1)
            faults.push(`beyond its card: ${element.textContent.trim()}`);
    }
    for (const text of document.querySelectorAll("svg text")) {
        if (!shown(text) || !text.textContent.trim()) continue;
        const [own, around] = [text, text.ownerSVGElement].map((element) => element.getBoundingClientRect());
        if (own.left < around.left - 1 || own.right > around.right + 1)
            faults.push(`beyond its picture: ${text.textContent}`);
    }
    return [...new Set(faults)];
}"""


def language_of(page: Page) -> str:
    return str(page.evaluate("() => document.documentElement.lang"))


@pytest.mark.soak
@pytest.mark.timeout(TOUR_WITHIN_S)
@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_cut_off(visit: Visit, site: Site, language: str) -> None:
    """Every page fits its screen, with every label whole; in a slice each on one screen, which take turns."""
    visitors = tourists(visit, site, "alice", "Alice", SCREENS, locale=language)
    screens = list(SCREENS)[:: -1 if OTHERS.index(language) % 2 else 1]
    wrong = []
    for number, stop in tour(site, "alice", ("bob", "Bob"), ("carol", "Carol"), part=1 + OTHERS.index(language)):
        for name in ways(number, screens):
            page = visitors[name, stop.guest].go(stop.path)
            assert language_of(page) == language
            wrong += [f"{stop.name}, {name}: {fault}" for fault in page.evaluate(CUT_OFF)]
    assert not wrong, "\n".join(wrong)


def test_guest_chooses_at_the_foot_of_a_page(visit: Visit) -> None:
    page = visit(locale="en").go("/rules/m/")
    switch = page.get_by_role("contentinfo").get_by_role("button", name="Español")
    assert switch.get_attribute("aria-current") is None
    switch.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Las reglas de M")
    assert page.url.endswith("/rules/m/")
    expect(switch).to_have_attribute("aria-current", "true")
    page.goto("/lobby/")
    assert language_of(page) == "es"
    page.get_by_role("contentinfo").get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_pushes_come_in_the_language_of_the_page(visit: Visit, site: Site) -> None:
    """Two at a table, each in their own."""
    alice, bob = visit("alice", locale="es"), visit("bob", locale="en")
    table = site.ask("open_table", host="alice")
    page = alice.go(f"/matches/{table}/")
    with alice.staying():
        bob.go(f"/matches/{table}/").get_by_role("button", name="Sit down").click()
        expect(page.get_by_text("aún no puede empezar")).to_have_count(2)
        expect(bob.page.get_by_text("not ready yet")).to_have_count(2)
