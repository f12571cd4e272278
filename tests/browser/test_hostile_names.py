"""Names that attack the page: shown as the text they are, on every page and in every push."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boards import look, play_one, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.pages import SEED, TOUR_WITHIN_S, Stop, tour, tourists
from tests.browser.people import PHONE, SCREENS
from tests.browser.server import Site
from tests.sizes import ways

MARKUP = "<svg onload=alert(1)>\"'&amp;{{7*7}}"
OVERRIDE = "Eve \u202egnp.eliforp\u2066"
ENDLESS = "W" * 40
ZALGO = "Z" + "\u0334\u0361\u0489" * 13

REORDERING = [chr(code) for code in (*range(0x202A, 0x202F), 0x2066, 0x2067)]

FOUND = """(reordering) => ({
    injected: document.querySelectorAll("[onload], svg:not([viewBox]):not([class]):not(.wordmark svg)").length,
    reordered: reordering.some((mark) => document.documentElement.outerHTML.includes(mark)),
    wide: document.documentElement.scrollWidth - Math.min(window.innerWidth, window.screen.width),
})"""

TURNS_WAIT = """() => {
    const counter = document.getElementById("your-turn");
    const words = document.documentElement.lang === "es" ? "Es tu turno" : "Your turn";
    counter.hidden = false;
    counter.innerHTML = `<span class="your-turn-words">${words}</span> <span class="your-turn-count number">12</span>`;
}"""

OVERLAPS = """() => {
    const faults = [];
    const [across, down] = [(a, b) => a.left < b.right - 1 && b.left < a.right - 1,
                            (a, b) => a.top < b.bottom - 4 && b.top < a.bottom - 4];
    for (const entry of document.querySelectorAll(".tally li")) {
        const around = entry.getBoundingClientRect();
        const boxes = [...entry.children].map((part) => part.getBoundingClientRect()).filter((box) => box.width);
        for (const [index, box] of boxes.entries()) {
            if (box.left < around.left - 1 || box.right > around.right + 1 || around.right > innerWidth)
                faults.push(`beyond its entry: part ${index} of ${entry.textContent}`);
            if (boxes.slice(index + 1).some((other) => across(box, other) && down(box, other)))
                faults.push(`part ${index} lies over another: ${entry.textContent}`);
        }
    }
    return faults;
}"""


@pytest.mark.soak
@pytest.mark.timeout(TOUR_WITHIN_S)
def test_hostile_names_run_through_every_page_harmlessly(visit: Visit, site: Site) -> None:
    """No script of theirs runs, no text around them turns, nothing grows wider than the screen; no dialog opens.

    In a slice each page is seen on one screen, which take turns.
    """
    visitors = tourists(visit, site, "mark", MARKUP, SCREENS)
    wrong = []
    for number, stop in tour(site, "mark", ("eve", OVERRIDE), ("w", ENDLESS), part=3):
        for name in ways(number, list(SCREENS)):
            page = visitors[name, stop.guest].go(stop.path)
            wrong += [f"{stop.name}, {name}: {fault}" for fault in _faults(page, stop)]
    assert not wrong, "\n".join(wrong)


ALL_ARE_AWAY = """() => {
    for (const place of document.querySelectorAll(".tally .presence")) {
        place.className = "presence away";
        place.innerHTML = '<span class="presence-sign"></span><span class="visually-hidden">away</span>';
    }
}"""
"""As the server draws it 45 seconds later."""


@pytest.mark.parametrize("language", ["en", "es", "zh-Hant"])
def test_head_keeps_to_the_screen_with_turns_waiting(visit: Visit, language: str) -> None:
    """With the longest of names and a count of two digits nothing slides off, and the account's menu opens."""
    someone = visit("w", person={"display_name": ENDLESS}, locale=language, **PHONE)
    for width in (320, 360, 450, 545, 641, 770):
        page = someone.on_screen(width, 740).go("/rules/")
        page.evaluate(TURNS_WAIT)
        assert page.evaluate("() => screen.width") == width
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.screen.width"), width
        menu = page.locator(".menu summary")
        expect(menu, f"on {width}").to_be_in_viewport(ratio=1)
        expect(page.locator(".your-turn-count"), f"on {width}").to_be_in_viewport(ratio=1)
        menu.click()
        expect(page.locator('.masthead a[href="/history/"]:visible'), f"on {width}").to_be_in_viewport(ratio=1)
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.screen.width"), width


@pytest.mark.parametrize("game", ["m", "block_buster"])
def test_names_and_clocks_of_the_score_share_the_line(visit: Visit, site: Site, game: str) -> None:
    """On a phone, with signs of absence: every entry holds all that is in it, and a short name is whole."""
    me = visit("w", person={"display_name": ENDLESS}, **PHONE)
    for name, shown in (("short", "Bot"), ("long", ENDLESS)):
        site.ask("add_person", username=name, display_name=shown)
    for others in (["short"], ["long"], ["short", "long"]):
        table = {"players": ["w", *others], "seed": SEED, "game": game, "limit": [1_200_000, 20_000]}
        page = me.go(f"/matches/{site.ask('seat_match', until='ply:4', **table)['slug']}/")
        page.evaluate(ALL_ARE_AWAY)
        expect(page.locator(".tally .presence-sign").first).to_be_visible()
        assert page.evaluate(OVERLAPS) == [], others
        if others == ["short"]:
            assert page.locator("#tally-1").evaluate("(link) => link.scrollWidth <= link.clientWidth")


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
