"""The clocks in a browser: counted down on the page, marked when low, ended by the server, readable without scripts."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.people import PHONE
from tests.browser.server import Site


def clock(page: Page, seat: int) -> Locator:
    """The clock in the players' panel."""
    return page.locator(f"#seat-{seat} .clock")


def figure(page: Page, seat: int) -> str:
    return clock(page, seat).locator(".clock-figure").inner_text()


def seconds(words: str) -> int:
    minutes, rest = words.split(":")
    return int(minutes) * 60 + int(rest)


NOW = "() => [document.querySelector('#seat-0 .clock-figure').textContent, performance.now()]"
"""What the clock shows, and when."""

BOTH_PLACES = """() => ["#tally-0 ~ .clock .clock-figure", "#seat-0 .clock .clock-figure"]
    .map((place) => document.querySelector(place).textContent)"""


def match_of(site: Site) -> str:
    """Alice's turn against Bob, with 10 minutes and 10 seconds a move."""
    asked = {"players": ["alice", "bob"], "seed": 3, "until": "turn", "seat": 0, "limit": [600_000, 10_000]}
    slug: str = site.ask("seat_match", **asked)["slug"]
    return slug


def test_clock_of_who_is_to_move_counts_down_and_the_other_stands(site: Site, visit: Visit) -> None:
    alice, _ = visit("alice"), visit("bob")
    page = alice.go(f"/matches/{match_of(site)}/")
    expect(clock(page, 0)).to_have_class(re.compile("running"))
    standing = figure(page, 1)
    first, began = page.evaluate(NOW)
    page.wait_for_function("first => document.querySelector('#seat-0 .clock-figure').textContent !== first", arg=first)
    later, ended = page.evaluate(NOW)
    assert seconds(later) < seconds(first)
    assert abs(seconds(first) - seconds(later) - (ended - began) / 1000) < 2, "by the second"
    assert figure(page, 1) == standing
    above, beside = page.evaluate(BOTH_PLACES)
    assert above == beside, "the same in both places"
    assert clock(page, 0).get_attribute("role") == "timer", "which is not read out each second"


def test_low_clock_is_marked_and_told_once_and_the_server_alone_ends_the_match(site: Site, visit: Visit) -> None:
    alice, bob = visit("alice"), visit("bob")
    slug = match_of(site)
    mine, his = alice.go(f"/matches/{slug}/"), bob.go(f"/matches/{slug}/")
    expect(mine.locator("#clock-alarm")).to_be_empty()
    site.ask("set_clock", slug=slug, left=50_000)
    for page in (mine, his):
        page.reload()
    expect(clock(mine, 0)).to_have_class(re.compile("low"))
    expect(mine.locator("#clock-alarm")).to_have_text("You have less than a minute left.")
    expect(his.locator("#clock-alarm")).to_be_empty()
    site.ask("set_clock", slug=slug, left=1)
    with alice.staying(), bob.staying():
        expect(mine.locator("#prompt")).to_contain_text("Your time ran out.")
        expect(his.locator("#prompt")).to_contain_text("You have won.")
    assert site.ask("state", slug=slug)["reason"] == "timeout"
    assert figure(mine, 0) == "0:00"
    expect(mine.locator(".clock.running")).to_have_count(0)


def test_device_whose_clock_is_wrong_shows_the_server_s_time(site: Site, visit: Visit) -> None:
    """An hour fast: neither the figure nor the end of the match is this device's to say."""
    alice, _ = visit("alice"), visit("bob")
    alice.context.add_init_script("{ const real = Date.now; Date.now = () => real() + 3600000; }")
    page = alice.go(f"/matches/{match_of(site)}/")
    assert seconds(figure(page, 0)) > 500
    page.wait_for_function(
        "first => document.querySelector('#seat-0 .clock-figure').textContent !== first", arg=figure(page, 0)
    )
    assert seconds(figure(page, 0)) > 500


def test_without_scripts_the_server_s_figure_stands_there(site: Site, visit: Visit) -> None:
    alice, _ = visit("alice", java_script_enabled=False), visit("bob")
    page = alice.go(f"/matches/{match_of(site)}/")
    assert re.fullmatch(r"\d+:\d\d", figure(page, 0))
    days = site.ask("seat_match", players=["alice", "bob"], seed=3, pace="turns", limit=[259_200_000])["slug"]
    page = alice.go(f"/matches/{days}/")
    expect(page.locator("#players .clock.running .clock-figure")).to_have_text("3 d 0 h")
    expect(page.locator("#players .clock-end")).to_contain_text("Time until 20")


def test_on_a_phone_the_clocks_stand_above_the_board(site: Site, visit: Visit) -> None:
    visit("bob")
    phone = visit("alice", **{**PHONE, "viewport": {"width": 360, "height": 640}})
    page = phone.go(f"/matches/{match_of(site)}/")
    for seat in (0, 1):
        shown = page.locator(f"#tally-{seat} ~ .clock")
        expect(shown).to_be_in_viewport()
        box = shown.bounding_box()
        board = page.locator("#board svg").bounding_box()
        assert box is not None
        assert board is not None
        assert box["y"] + box["height"] <= board["y"]
        assert board["y"] + board["height"] <= 640, "and the board is on the first screen"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_form_shows_the_clocks_of_the_pace_that_is_chosen(site: Site, visit: Visit) -> None:
    page = visit("alice").go("/tables/new/m/")
    live, turns = page.locator("[data-only-with='pace:live']"), page.locator("[data-only-with='pace:turns']")
    expect(live).to_be_visible()
    expect(turns).to_be_hidden()
    page.locator("input[name=pace][value=turns]").check()
    expect(live).to_be_hidden()
    expect(turns).to_be_visible()
    page.get_by_text("7 days a move").click()
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#stage")).to_contain_text("7 days a move")
