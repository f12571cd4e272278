"""The history in the browser: asked for by keyboard, shown in place, and nothing doubled on the way back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.people import DESKTOP, PHONE, Visitor, on_screens
from tests.browser.server import Site

pytestmark = pytest.mark.usefixtures("_others")

MOST_TABS = 40


@pytest.fixture
def _others(site: Site) -> None:
    """Those with whom Alice has played."""
    for name in ("bob", "carol"):
        site.ask("add_person", username=name, display_name=name.capitalize())


def rows(page: Page) -> list[str]:
    """The addresses of the matches that are listed, in order."""
    links: list[str] = page.locator("#history-rows .match-link").evaluate_all("all => all.map((link) => link.pathname)")
    return links


def assert_whole(page: Page) -> None:
    """One history on one page: no part of it is there twice, and no match."""
    for part in ("main", ".masthead", "h1", "#history", "#asked", "#history-more"):
        expect(page.locator(part)).to_have_count(1)
    listed = rows(page)
    assert len(listed) == len(set(listed))


def tab_to(page: Page, selector: str) -> None:
    for _ in range(MOST_TABS):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"by Tab one does not come to {selector}")


def come(visit: Visit, site: Site, **context: Any) -> Visitor:
    """Alice, who has played many matches."""
    alice = visit("alice", **context)
    site.ask("past_matches", players=["alice", "bob"], number=22)
    site.ask("past_matches", players=["alice", "carol"], number=22)
    site.ask("past_matches", players=["alice", "bob"], number=1, game="block_buster")
    return alice


@on_screens("phone")
def test_filters_by_keyboard_and_comes_back_without_doubled_content(
    visit: Visit, site: Site, screen: dict[str, Any]
) -> None:
    alice = come(visit, site, **screen)
    over = site.ask("seat_match", players=["alice", "bob"], seed=7, until="over")["slug"]
    page = alice.go("/history/")
    everything = rows(page)
    assert len(everything) == 20
    with alice.staying():
        tab_to(page, "#asked-menu")
        page.keyboard.press("Enter")
        tab_to(page, "#asked-game")
        page.keyboard.type("M")
        tab_to(page, "#asked-opponent")
        page.keyboard.type("carol")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(r"/history/\?game=m&opponent=carol$"))
        expect(page.locator("#history-rows > li").first).to_contain_text("Carol")
        assert not any(over in row for row in rows(page))
        expect(page.locator("#asked-opponent")).to_be_focused()
        expect(page.locator("#asked-opponent")).to_have_value("carol")
        assert_whole(page)

        tab_to(page, "#history-older")
        page.keyboard.press("Enter")
        expect(page.locator("#history-rows > li")).to_have_count(22)
        expect(page.locator("#history-older")).to_have_count(0)
        expect(page.locator("#history-rows .match-link").nth(20)).to_be_focused()
        assert_whole(page)
    with_carol = rows(page)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")

    page.locator("#history-rows .match-link").last.click()
    page.wait_for_url("**/replay/")
    page.go_back()
    page.wait_for_url("**/history/?*until=*")
    expect(page.locator("#history-rows > li").first).to_be_visible()
    assert_whole(page)
    assert rows(page) == with_carol, "all that was shown is there again"

    page.go_back()
    page.wait_for_url(re.compile(r"/history/$"))
    expect(page.locator("#history-rows > li")).to_have_count(20)
    assert_whole(page)
    page.go_forward()
    page.wait_for_url(re.compile(r"opponent=carol"))
    expect(page.locator("#asked-opponent")).to_have_value("carol")
    assert_whole(page)
    assert any(over in row for row in everything), "where its place is depends on outages, and a busy machine has some"


def test_link_to_a_ply_and_a_seat_opens_exactly_that_and_back_leads_through_what_was_seen(
    visit: Visit, site: Site
) -> None:
    alice = visit("alice")
    over = site.ask("seat_match", players=["alice", "bob"], seed=7, until="over")["slug"]
    page = alice.go("/history/?opponent=bob&game=m")
    assert len(rows(page)) == 1
    page = alice.go(f"/matches/{over}/replay/12/?seat=1")
    assert_shows(page, 12, "Bob")
    board, hand = page.locator(".board").inner_html(), page.locator(".hand").inner_html()
    with alice.staying():
        page.keyboard.press("ArrowRight")
        expect(page.locator(".step-number .number")).to_contain_text("13 of")
        expect(page).to_have_url(re.compile(r"/replay/13/\?seat=1$"))
        expect(page.locator(".picture a")).to_have_attribute("href", re.compile(r"final\.svg\?ply=13&seat=1$"))
    page.get_by_label("Whose eyes").get_by_role("link", name="Alice").click()
    page.wait_for_url("**/replay/13/?seat=0")
    assert_shows(page, 13, "Alice")
    page.go_back()
    page.wait_for_url("**/replay/13/?seat=1")
    assert_shows(page, 13, "Bob")
    page.go_back()
    page.wait_for_url("**/history/*")
    assert_whole(page)
    page.go_forward()
    page.wait_for_url("**/replay/13/?seat=1")
    assert_shows(page, 13, "Bob")
    page.locator("[data-step=prev]").click()
    expect(page.locator(".step-number .number")).to_contain_text("12 of")
    assert (page.locator(".board").inner_html(), page.locator(".hand").inner_html()) == (board, hand)


def assert_shows(page: Page, ply: int, eyes: str) -> None:
    """The replay once, at that ply, seen by that player."""
    for part in ("#replay", ".board > svg", ".stepper", "#playback", ".eyes"):
        expect(page.locator(part)).to_have_count(1)
    expect(page.locator(".step-number .number")).to_contain_text(f"{ply} of")
    expect(page.locator('.eyes [aria-current="true"]')).to_have_text(eyes)
    expect(page.locator('.log-lines [aria-current="step"] .log-ply')).to_have_text(str(ply))


def test_wrong_values_say_so_at_their_fields_and_are_put_right_in_place(visit: Visit, site: Site) -> None:
    alice = visit("alice", **PHONE)
    site.ask("past_matches", players=["alice", "bob"], number=2)
    alice.excuse("422")
    page = alice.go("/people/bob/")
    with alice.staying():
        page.locator("#asked-menu").tap()
        page.locator("#asked-opponent").fill("Nemo")
        page.locator("#asked-show").tap()
        wrong = page.locator(".field.invalid")
        expect(wrong).to_have_count(1)
        expect(wrong).to_contain_text("Nobody here is called")
        expect(page.locator("#asked-opponent")).to_have_attribute("aria-invalid", "true")
        expect(page.locator("#history-rows")).to_have_count(0)
        page.locator("#asked-opponent").fill("ALICE")
        page.locator("#asked-from").fill("2020-02-29")
        page.locator("#asked-show").tap()
        expect(page.locator("#history-rows > li")).to_have_count(2)
        expect(page).to_have_url(re.compile(r"/people/bob/\?opponent=ALICE&from=2020-02-29$"))
        expect(page.locator("#asked-show")).to_be_focused()
        assert_whole(page)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        for field in ("game", "mode", "result", "rated", "opponent", "from", "to"):
            assert page.locator(f"#asked-{field}").evaluate("field => field.getBoundingClientRect().height >= 44")


def test_without_scripts_the_form_and_the_links_do_it_all(visit: Visit, site: Site) -> None:
    come(visit, site)
    visitor = visit(**DESKTOP, java_script_enabled=False)
    page = visitor.go("/people/alice/")
    page.locator("#asked-menu").click()
    page.locator("#asked-opponent").fill("bob")
    page.locator("#asked-game").select_option("m")
    page.locator("#asked-show").click()
    page.wait_for_url("**opponent=bob**")
    assert page.locator("#history-rows > li").count() == 20
    page.locator("#history-older").click()
    page.wait_for_url("**before=**")
    assert page.locator("#history-rows > li").count() == 2
    page.locator("#history-newest a").click()
    page.wait_for_url(re.compile(r"\?game=m&opponent=bob$"))
    assert page.locator("#history-rows > li").count() == 20
