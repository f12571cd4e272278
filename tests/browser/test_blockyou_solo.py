"""BlockYou! alone: one click, a run to its end by mouse and keys, and its place among the best times."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from games.blockyou.position import OVER
from tests.browser.blockyou_boards import claim_by_mouse, hold, pile, verdict, wait_for_phase, window_point
from tests.browser.blockyou_claims import position_of, safe, wrong
from tests.browser.conftest import Visit
from tests.browser.server import Site

PRESS_AGAIN = """async ([x, y]) => {
    const card = () => document.querySelector(".by-hand").dataset.card;
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    const press = (selector) => {
        const where = { bubbles: true, isPrimary: true, pointerType: "mouse", clientX: x, clientY: y };
        document.querySelector(selector).dispatchEvent(new PointerEvent("pointerdown", where));
        document.querySelector(selector).dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 2 }));
    };
    const sent = () => document.querySelectorAll(".by-sent").length;
    const before = card();
    press("#by-field");
    while (card() === before) await pause(1);
    const since = performance.now();
    const seen = [];
    for (const after of [0, 100, 250, 350]) {
        await pause(since + after - performance.now());
        press("#by-field");
        press("#by-nofit");
        seen.push([sent(), performance.now() - since]);
    }
    await pause(since + 420 - performance.now());
    press("#by-field");
    return { early: seen, late: sent() };
}"""
"""Claims that place, and presses there and on “No fit” again as soon as the next card is up, and on."""

UNTIL_RED = """() => new Promise((done) => {
    const seen = [];
    const look = () => {
        const isRed = document.querySelector(".by-board").classList.contains("by-hurry");
        seen.push([document.querySelector(".by-time").textContent, isRed]);
        if (isRed) done(seen);
        else requestAnimationFrame(look);
    };
    look();
})"""
"""The time and whether it is red, frame by frame: what asks from outside may come too late for a second."""

MOST_CARDS = 60
RESULT = re.compile(r"Your result: (\d:\d\d\.\d{3})\.")


def test_solo_run_from_one_click_to_the_best_times(visit: Visit, site: Site) -> None:
    """The first card is misplaced, which costs ten seconds and a card more; all others lie well or fit nowhere."""
    alice, guest = visit("alice"), visit()
    page = alice.go("/lobby/")
    page.get_by_role("button", name="Play solo").click()
    wait_for_phase(page, "open")
    slug = site.ask("newest_match", username="alice")

    in_pile = pile(page)
    with alice.staying():
        claim_by_mouse(page, wrong(position_of(site, slug), 0))
        expect(verdict(page)).to_have_text("Wrong: the colours do not match. A penalty card and 10 seconds.")
        expect(page.locator(".by-penalties")).to_have_text("Penalties 0:10.0")
        assert pile(page) == in_pile - 1
        for _ in range(MOST_CARDS):
            now = position_of(site, slug)
            if now.phase == OVER:
                break
            if places := safe(now, 0):
                claim_by_mouse(page, places[0])
            else:
                page.keyboard.press("n")
            page.wait_for_function(
                "(number) => document.querySelector('.by-hand')?.dataset.card !== number", arg=str(now.round)
            )
        headline = page.locator(".prompt .headline")
        expect(headline).to_have_text(RESULT)
    found = RESULT.search(headline.inner_text())
    assert found is not None
    expect(page.locator(".by-so-far")).to_have_text(found[1])
    expect(page.locator(".by-penalties")).to_have_text("Penalties 0:10.0")
    assert found[1] >= "0:10.000"
    expect(page.locator("#next")).to_contain_text("Your best so far: place 1 of all.")

    page.get_by_role("link", name="Best times").click()
    for looking in (page, guest.go(page.url)):
        [row] = looking.locator(".best-times tbody tr").all()
        expect(row.locator("td").nth(0)).to_have_text("1")
        expect(row.locator("td").nth(1)).to_contain_text("Alice")
        expect(row.locator("td").nth(2)).to_have_text(found[1])
    expect(page.locator(".best-times .tag")).to_have_text("you")


def test_time_of_a_card_turns_red_near_its_end_at_the_quick_pace_too(visit: Visit) -> None:
    page = visit("alice").go("/lobby/")
    page.get_by_label("Pace alone").select_option("Expert")
    page.get_by_role("button", name="Play solo").click()
    wait_for_phase(page, "open")
    seen = page.evaluate(UNTIL_RED)
    assert ["0:05", False] in seen
    assert next(time for time, is_red in seen if is_red) in ("0:03", "0:02")


def test_second_click_of_a_double_click_is_no_claim_for_the_card_that_has_just_turned_up(
    visit: Visit, site: Site
) -> None:
    """Nobody can have seen it. What is pressed after there was time to look counts."""
    alice = visit("alice")
    page = alice.go("/lobby/")
    page.get_by_role("button", name="Play solo").click()
    wait_for_phase(page, "open")
    slug = site.ask("newest_match", username="alice")
    claim = wrong(position_of(site, slug), 0)
    hold(page, claim)
    pressed = page.evaluate(PRESS_AGAIN, list(window_point(page, claim.row, claim.col)))
    assert not any(sent for sent, after in pressed["early"] if after < 390), pressed
    assert pressed["late"] == 1
    expect(page.locator(".by-hand")).to_have_attribute("data-card", "3")
    assert len(site.ask("moves", slug=slug)) == 2
