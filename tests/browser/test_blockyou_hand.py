"""The own card of BlockYou!: turned in every way there is, and never a hint of where it fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.blockyou.area import legal_placements
from games.blockyou.placement import PLACEMENTS, TURNS
from tests.browser.blockyou_boards import expect_turned, held, look, turn_to, window_point
from tests.browser.blockyou_claims import deal_in_which, position_of, safe
from tests.browser.conftest import Visit
from tests.browser.fingers import Finger, tap_with_two
from tests.browser.people import DESKTOP, PHONE
from tests.browser.server import Site
from tests.sizes import some_of

WHEEL_RESTS_MS = 100
"""The page takes wheels that turn more often than that for one."""

SEEN = """() => {
    const live = document.getElementById("live").cloneNode(true);
    for (const clock of live.querySelectorAll(".by-time, .by-left, .presence")) clock.remove();
    live.querySelector(".by-ghost").removeAttribute("transform");
    const looks = [...document.querySelectorAll(".by-ghost, .by-ghost *, #by-field, .by-card, .by-card *, .prompt")]
        .map((element) => getComputedStyle(element))
        .map((style) => [style.fill, style.stroke, style.opacity, style.cursor, style.visibility, style.filter]);
    return [live.outerHTML, document.title, JSON.stringify(looks)];
}"""
"""All there is to see of a card that hovers over the area, but for the place, the clocks and who is there."""


def open_round(visit: Visit, site: Site, **screen: Any) -> tuple[str, Page]:
    """The match and Alice's page, while a round of two is open; its time stands still."""
    alice = visit("alice", **screen)
    site.ask("add_person", username="bob", display_name="Bob")
    deal = deal_in_which(2, lambda now: safe(now, 0))
    slug: str = site.ask("seat_rounds", players=["alice", "bob"], deal=deal, until="open")
    return slug, alice.go(f"/matches/{slug}/")


def test_mouse_and_keys_turn_the_card(visit: Visit, site: Site) -> None:
    """Each way by a quarter, in the hand and where it hovers; what it does is seen at once, and claims nothing."""
    _, page = open_round(visit, site)
    page.mouse.move(*window_point(page, 3, 3))
    assert held(page)["window"] == [3, 3]
    turn = 0
    expect_turned(page, turn)

    def rest() -> None:
        since = page.evaluate("() => performance.now()")
        page.wait_for_function(f"(since) => performance.now() - since > {WHEEL_RESTS_MS}", arg=since)

    def wheel(by: int) -> None:
        page.mouse.wheel(0, by)
        rest()

    def by_keyboard(button: str) -> None:
        page.locator(button).focus()
        page.keyboard.press("Enter")

    ways: dict[str, tuple[int, Callable[[], None]]] = {
        "E": (1, lambda: page.keyboard.press("e")),
        "Q": (-1, lambda: page.keyboard.press("q")),
        "R": (1, lambda: page.keyboard.press("r")),
        "Shift and R": (-1, lambda: page.keyboard.press("Shift+R")),
        "wheel down": (1, lambda: wheel(120)),
        "wheel up": (-1, lambda: wheel(-120)),
        "right button of the mouse": (1, lambda: page.mouse.click(*window_point(page, 3, 3), button="right")),
        "the button to the right": (1, page.locator("#by-turn-right").click),
        "the button to the left": (-1, page.locator("#by-turn-left").click),
        "the button to the right, by keyboard": (1, lambda: by_keyboard("#by-turn-right")),
        "the button to the left, by keyboard": (-1, lambda: by_keyboard("#by-turn-left")),
        "the card": (1, page.locator(".by-table").click),
    }
    for way, (by, turn_once) in ways.items():
        turn = (turn + by) % TURNS
        turn_once()
        expect_turned(page, turn)
        assert not page.locator(".by-sent, .by-claim").count(), f"{way} claims something"


def test_fingers_turn_the_card(visit: Visit, site: Site) -> None:
    """A tap with two on the area, one on a button or on the card; a finger that leaves the area claims nothing."""
    _, page = open_round(visit, site, **PHONE)
    x, y = window_point(page, 3, 3)
    tap_with_two(page, x, y)
    expect_turned(page, 1)
    page.locator("#by-turn-right").tap()
    expect_turned(page, 2)
    page.locator(".by-table").tap()
    expect_turned(page, 3)
    page.locator("#by-turn-left").tap()
    expect_turned(page, 2)
    finger = Finger(page)
    finger.down(x, y)
    finger.drag(60, 0)
    finger.drag(0, 60 - y)
    expect(page.locator(".by-ghost")).to_have_count(0)
    finger.drag(0, y - 60)
    finger.up()
    expect(page.locator(".by-verdict")).to_contain_text("Taken back: your finger left the area")
    tap_with_two(page, x, y)
    expect_turned(page, 3)
    assert not page.locator(".by-sent, .by-claim").count()
    expect(page.locator(".by-hand")).to_have_attribute("data-may-claim", "yes")


def test_card_goes_with_the_finger_and_is_claimed_where_it_is_lifted(visit: Visit, site: Site) -> None:
    """The page does not scroll under it."""
    _, page = open_round(visit, site, **PHONE)
    look(page)
    finger = Finger(page)
    finger.down(*window_point(page, 1, 1))
    assert held(page)["window"] == [1, 1]
    for row, col in ((1, 2), (3, 2), (4, 5)):
        finger.drag_to(*window_point(page, row, col))
        assert held(page)["window"] == [row, col]
        assert not page.locator(".by-sent, .by-claim").count()
    finger.up()
    expect(page.locator(".by-sent, .by-claim").first).to_have_attribute("transform", "translate(500 400)")
    assert page.evaluate("() => window.scrollY") == 0


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_notice_neither_moves_the_board_nor_lies_on_it(visit: Visit, site: Site, screen: dict[str, Any]) -> None:
    """A second click would hit another place. A click on the notice itself puts it away."""
    _, page = open_round(visit, site, **screen)
    before = page.locator(".by-board").bounding_box()
    failure = "{ detail: { requestConfig: { verb: 'post' } } }"
    page.evaluate(f"() => document.dispatchEvent(new CustomEvent('htmx:sendError', {failure}))")
    notice = page.locator("#notice .notice")
    expect(notice).to_contain_text("That did not get through")
    assert page.locator(".by-board").bounding_box() == before
    shown = notice.bounding_box()
    assert before is not None
    assert shown is not None
    assert shown["y"] >= 0
    assert shown["y"] + shown["height"] <= before["y"]
    notice.click()
    expect(notice).to_have_count(0)
    assert page.locator(".by-board").bounding_box() == before


def test_names_are_whole_on_a_phone(visit: Visit, site: Site) -> None:
    """As far as they are not long: they share the width, and all that is needed stays on the screen."""
    alice = visit("alice", **PHONE)
    others = {"bob": "Bob", "carol": "Carol", "dan": "Dan", "elisabeth": "Elisabeth"}
    for name, shown in others.items():
        site.ask("add_person", username=name, display_name=shown)
    for players in (3, 4, 5):
        slug = site.ask("seat_rounds", players=["alice", *others][:players], until="open")
        page = alice.go(f"/matches/{slug}/")
        cut = page.locator(".tally a").evaluate_all(
            "(links) => links.filter((link) => link.scrollWidth > link.clientWidth).map((link) => link.textContent)"
        )
        assert cut == [], players
        for part in (".tally", ".by-board", ".by-table", "#by-turn-left"):
            expect(page.locator(part), f"with {players}").to_be_in_viewport(ratio=1)
        assert page.evaluate("() => document.documentElement.scrollWidth") == PHONE["viewport"]["width"], players


def first_difference(one: str, another: str) -> tuple[str, str] | None:
    """Where two texts part, with what stands around."""
    if one == another:
        return None
    at = next((at for at, (a, b) in enumerate(zip(one, another, strict=False)) if a != b), min(len(one), len(another)))
    return one[max(at - 150, 0) : at + 150], another[max(at - 150, 0) : at + 150]


@pytest.mark.soak
def test_nothing_tells_whether_a_place_fits_before_it_is_claimed(visit: Visit, site: Site) -> None:
    """Over a place that is safe, one that only fits and one that does not, the page is the same byte for byte."""
    slug, page = open_round(visit, site)
    now = position_of(site, slug)
    legal = set(legal_placements(now.area.colours, now.face_up(0)))
    compared = 0
    for turn in range(TURNS):
        turn_to(page, turn, lambda: page.keyboard.press("e"))
        ways = [claim for claim in PLACEMENTS if claim.turn == turn]
        fitting = [claim for claim in ways if claim in legal]
        others = [claim for claim in ways if claim not in legal]
        seen = []
        for claim in (*some_of(fitting, ci=3), *others[:3]):
            page.mouse.move(*window_point(page, claim.row, claim.col))
            assert held(page)["window"] == [claim.row, claim.col]
            seen.append(page.evaluate(SEEN))
        for other in seen[1:]:
            assert [first_difference(*pair) for pair in zip(other, seen[0], strict=True)] == [None] * len(other)
        compared += bool(fitting)
    assert compared > 1, "there were places that fit"
