"""A replay as a film: it plays, and steps without loading the page; without scripts its links do the same."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.people import DESKTOP, PHONE
from tests.browser.server import Site

SEED = 7

DRAWN = """frames => new Promise((done) => {
  const next = () => (frames-- ? requestAnimationFrame(next) : done());
  next();
})"""
"""Waits until the browser has drawn so many frames."""


def place(page: Page) -> int:
    """The number of the frame that is shown."""
    return int(page.locator(".step-number .number").inner_text().split()[0])


@pytest.fixture
def over(site: Site, visit: Visit) -> str:
    """The address of the replay of a match of M."""
    for name in ("mimi", "tom"):
        site.ask("add_person", username=name, display_name=name.capitalize())
    slug = site.ask("seat_match", players=["mimi", "tom"], seed=SEED, until="over")["slug"]
    return f"/matches/{slug}/replay/"


def test_steps_show_the_frames_that_their_links_lead_to_and_keep_the_focus(over: str, visit: Visit) -> None:
    visitor = visit()
    page = visitor.go(f"{over}4/?seat=1")
    with visitor.staying():
        page.locator("[data-step=next]").focus()
        for number in (5, 6, 7):
            page.keyboard.press("Enter")
            expect(page.locator(".step-number .number")).to_contain_text(f"{number} of")
            assert page.evaluate("document.activeElement.dataset.step") == "next"
        expect(page).to_have_url(re.compile(r"/replay/7/\?seat=1$"))
        expect(page.locator('.log-lines [aria-current="step"]')).to_contain_text("7")
        stepped = {part: page.locator(part).inner_html() for part in (".board", ".hand", ".players", ".eyes")}
        page.keyboard.press("Home")
        expect(page.locator(".prompt")).to_have_text("The start.")
        page.keyboard.press("End")
        expect(page.locator(".prompt .headline")).to_be_visible()
        page.locator(".log-lines a").nth(2).click()
        expect(page.locator(".step-number .number")).to_contain_text("3 of")
        page.locator("[data-step=after]").click()
        expect(page.locator(".prompt")).to_contain_text("scoring round")
    visitor.go(f"{over}7/?seat=1")
    assert {part: page.locator(part).inner_html() for part in stepped} == stepped


def test_film_plays_at_a_steady_pace_and_stops_where_it_is_told(over: str, visit: Visit) -> None:
    visitor = visit(**PHONE)
    page = visitor.go(f"{over}0/")
    with visitor.staying():
        page.locator("#speed").select_option("4")
        page.locator("#play").click()
        expect(page.locator("#play")).to_have_text("Pause")
        expect(page.locator(".step-number .number")).to_contain_text("3 of")
        page.locator("#play").click()
        expect(page.locator("#play")).to_have_text("Play")
        stopped = place(page)
        page.evaluate(DRAWN, 60)
        assert place(page) == stopped
        page.locator("#slide").fill("20")
        expect(page.locator(".step-number .number")).to_contain_text("20 of")
        expect(page.locator("#slide")).to_have_attribute("aria-valuetext", re.compile("^20 of"))


def test_film_of_a_match_in_real_time_runs_by_its_own_clock(site: Site, visit: Visit) -> None:
    """The countdown counts as it did then, and at the end of the film its time is that of the match."""
    visitor = visit("mimi")
    slug = site.ask("match_alone", player="mimi", seed=SEED)
    page = visitor.go(f"/matches/{slug}/replay/0/")
    expect(page.locator(".by-board .by-count")).to_have_text("3")
    with visitor.staying():
        page.keyboard.press("Space")
        # Looked at in the page itself: a busy machine asks from outside when the second is over.
        counted = page.wait_for_function(
            "() => document.querySelector('.by-board .by-count')?.textContent === '1' && tesela.matchNow()"
        )
        assert 1900 < counted.json_value() < 3900
        expect(page.locator(".step-number .number")).to_contain_text("1 of")
        assert page.evaluate("tesela.matchNow()") >= 3000
        page.locator("#speed").select_option("8")
        expect(page.locator("#play")).to_have_text("Play", timeout=90_000)
        last = page.locator("#slide").get_attribute("max")
        expect(page.locator(".step-number .number")).to_have_text(f"{last} of {last}")
        expect(page.locator(".prompt .headline")).to_contain_text(re.compile(r"Your result: \d:\d\d\.\d{3}\."))
        expect(page).to_have_url(re.compile(rf"/replay/{last}/$"))
    page.get_by_label("Whose eyes").get_by_role("link", name="Mimi").click()
    expect(page).to_have_url(re.compile(r"\?seat=0$"))
    expect(page.locator("#speed")).to_have_value("8")
    expect(page.locator(".step-number")).to_contain_text("since the start")
    expect(page.locator(".by-foot").last).to_contain_text("Counted time")


def test_without_scripts_the_links_do_it_all(over: str, visit: Visit) -> None:
    visitor = visit(**DESKTOP, java_script_enabled=False)
    page = visitor.go(f"{over}4/")
    expect(page.locator("#playback")).to_be_hidden()
    page.get_by_label("One move on").click()
    expect(page).to_have_url(re.compile(r"/replay/5/$"))
    page.get_by_label("Whose eyes").get_by_role("link", name="Tom").click()
    expect(page).to_have_url(re.compile(r"/replay/5/\?seat=1$"))
    page.get_by_label("Highlight after").click()
    expect(page.locator(".prompt")).to_contain_text("scoring round")
