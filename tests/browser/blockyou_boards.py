"""Playing BlockYou! on its page as a person does, by mouse, keys and fingers; and noting when the page shows what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from games.blockyou.cards import CardFace, turned
from games.blockyou.placement import TURNS, Placement
from tests.browser.people import Visitor

LOOK_MS = 420
"""A little more than the page leaves to look at a card."""

NOTED = """() => {
    const notes = { clicks: [], sent: [], counts: [], calls: [], changes: [], messages: [], pings: 0 };
    window.notes = notes;
    const clocks = ".by-time, .by-left, .by-count, .by-so-far";
    const element = (node) => node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
    const isNews = ({ target }) => element(target)?.closest("#live") && !element(target).closest(clocks);
    const isOver = (one, other) => one.left < other.right && other.left < one.right
        && one.top < other.bottom && other.top < one.bottom;

    function look(records) {
        const now = Date.now();
        if (records.some(isNews)) notes.changes.push(now);
        if (document.querySelector(".by-sent, .by-claim")) notes.sent.push(now);
        const count = document.querySelector(".by-board .by-count")?.textContent;
        if (count && notes.counts.at(-1)?.[0] !== count) notes.counts.push([count, now]);
        for (const call of document.querySelectorAll(".by-shout.by-shown")) {
            const { at, seat } = call.dataset;
            if (notes.calls.some((noted) => noted.at === at && noted.seat === Number(seat))) continue;
            const badge = document.querySelectorAll(".by-seat")[seat];
            const isSeen = getComputedStyle(call).visibility === "visible";
            const isThere = isOver(call.getBoundingClientRect(), badge.getBoundingClientRect());
            notes.calls.push({ at, seat: Number(seat), text: call.textContent, isSeen, isThere });
        }
    }

    const everything = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(look).observe(document, everything);
    document.addEventListener("pointerdown", () => notes.clicks.push(Date.now()), true);
    document.addEventListener("htmx:wsBeforeMessage", ({ detail }) => {
        if (detail.message.startsWith("{")) notes.pings += 1;
        else notes.messages.push(Date.now());
    }, true);
}"""
"""What a page notes of itself, with times in ms since 1970: pointers that go down; when the own claim shows; the
numbers of the countdown; the calls, and whether they can be seen over the badge of who calls; when anything but the
clocks changes; and when messages come that are no pings."""

HELD = """() => {
    const ghost = document.querySelector(".by-ghost");
    const place = /translate\\((\\d+) (\\d+)\\)/.exec(ghost?.getAttribute("transform"));
    const colours = (within) => [...document.querySelectorAll(`${within} [href^="#by-q"]`)]
        .map((quarter) => quarter.getAttribute("href").at(-1)).join("");
    return {
        window: place && [place[2] / 100, place[1] / 100],
        fingers: [...document.querySelectorAll(".by-card .by-finger")].map((way) => Number(way.dataset.way)).sort(),
        quarters: colours(".by-card"),
        hovering: colours(".by-ghost"),
    };
}"""

WINDOW_POINT = """([row, col]) => {
    const matrix = document.querySelector(".by-board").getScreenCTM();
    return [matrix.a * (col + 1) * 100 + matrix.e, matrix.d * (row + 1) * 100 + matrix.f];
}"""


def take_notes(visitor: Visitor) -> None:
    """Every page that this visitor opens from now on notes what it shows: `noted` reads it."""
    visitor.context.add_init_script(f"({NOTED})()")


def noted(page: Page, what: str) -> Any:
    """What the page has noted, see `NOTED`."""
    return page.evaluate("(what) => window.notes[what]", what)


def wait_for_pings(page: Page, number: int) -> None:
    """Until the server has asked so often how long the line takes."""
    page.wait_for_function("(number) => window.notes.pings >= number", arg=number)


def wait_for_phase(page: Page, phase: str) -> None:
    """Until the page is in that phase: countdown, open, final, over."""
    expect(page.locator(f'.by-board[data-phase="{phase}"]')).to_be_visible()


def badge(page: Page, seat: int) -> Locator:
    """The player at the board: number, cards left, status."""
    return page.locator(".by-board .by-seat").nth(seat)


def expect_status(page: Page, *statuses: str) -> None:
    """By seat, what the badges say: searching, placed, blocked, erred, sitting out."""
    for seat, status in enumerate(statuses):
        expect(badge(page, seat).locator(".by-status")).to_have_text(status)


def cards_left(page: Page) -> list[int]:
    """By seat, what the badges say."""
    return [int(text) for text in page.locator(".by-board .by-seat text:nth-of-type(2)").all_text_contents()]


def pile(page: Page) -> int:
    """Cards in the penalty pile, as the foot of the board says."""
    return int(page.locator(".by-foot .by-end:not(.by-caption):not(.by-penalties)").text_content() or "")


def verdict(page: Page) -> Locator:
    """The line that says what became of the own claim."""
    return page.locator(".by-verdict")


def held(page: Page) -> dict[str, Any]:
    """How the own card lies: `quarters` and `fingers`; and, if it hovers over the area, over which `window`."""
    seen: dict[str, Any] = page.evaluate(HELD)
    return seen


def window_point(page: Page, row: int, col: int) -> tuple[float, float]:
    """The middle of a window of the area, in pixels of the page's window."""
    x, y = page.evaluate(WINDOW_POINT, [row, col])
    return x, y


def own_face(page: Page, turn: int) -> CardFace:
    """The own card as it has to lie after so many quarter-turns clockwise."""
    hand = page.locator(".by-hand")
    quarters, fingers = hand.get_attribute("data-quarters"), hand.get_attribute("data-fingers")
    assert quarters is not None
    assert fingers is not None
    return turned(CardFace(quarters, tuple(map(int, fingers.split(",")))), turn)


def lies_turned(page: Page, turn: int) -> bool:
    """Whether the own card is drawn so."""
    face, seen = own_face(page, turn), held(page)
    return (seen["quarters"], tuple(seen["fingers"])) == (face.quarters, face.fingers)


def turn_to(page: Page, turn: int, turn_once: Callable[[], None]) -> None:
    """Until the own card lies so."""
    for _ in range(TURNS - 1):
        if lies_turned(page, turn):
            return
        turn_once()
    assert lies_turned(page, turn)


def expect_turned(page: Page, turn: int) -> None:
    """The own card comes to lie so, and what hovers over the area with it."""
    face = own_face(page, turn)
    page.wait_for_function(f"(quarters) => ({HELD})().quarters === quarters", arg=face.quarters)
    seen = held(page)
    assert tuple(seen["fingers"]) == face.fingers
    assert seen["hovering"] in ("", face.quarters)


def look(page: Page) -> None:
    """As long as a person at least needs to see a card: the page takes no press for a claim before."""
    since = page.evaluate("() => performance.now()")
    page.wait_for_function(f"(since) => performance.now() - since > {LOOK_MS}", arg=since)


def hold(page: Page, claim: Placement) -> None:
    """By mouse, turned by a key: the card hovers as it is to lie, and is not yet claimed."""
    look(page)
    turn_to(page, claim.turn, lambda: page.keyboard.press("e"))
    page.mouse.move(*window_point(page, claim.row, claim.col))
    assert held(page)["window"] == [claim.row, claim.col]


def claim_by_mouse(page: Page, claim: Placement) -> None:
    hold(page, claim)
    page.mouse.click(*window_point(page, claim.row, claim.col))


def claim_by_keys(page: Page, claim: Placement) -> None:
    """Arrows, E and Enter."""
    turn_to(page, claim.turn, lambda: page.keyboard.press("e"))
    page.keyboard.press("ArrowUp")  # takes the card up, wherever it lay last
    row, col = held(page)["window"]
    for key, steps in (
        ("ArrowUp", row - claim.row),
        ("ArrowDown", claim.row - row),
        ("ArrowLeft", col - claim.col),
        ("ArrowRight", claim.col - col),
    ):
        for _ in range(steps):
            page.keyboard.press(key)
    assert held(page)["window"] == [claim.row, claim.col]
    page.keyboard.press("Enter")


def claim_by_touch(page: Page, claim: Placement) -> None:
    """A tap on the button for each turn, and one on the area."""
    look(page)
    turn_to(page, claim.turn, page.locator("#by-turn-right").tap)
    page.touchscreen.tap(*window_point(page, claim.row, claim.col))


CLAIM_AT = """([x, y, moment]) => setTimeout(() => {
    const where = { bubbles: true, isPrimary: true, button: 0, pointerType: "mouse", clientX: x, clientY: y };
    document.getElementById("by-field").dispatchEvent(new PointerEvent("pointerdown", where));
}, moment - Date.now())"""


def claim_at(page: Page, claim: Placement, moment: int) -> None:
    """Press the mouse on the window at that moment, in ms since 1970, more exactly than from here; the card is held."""
    page.evaluate(CLAIM_AT, [*window_point(page, claim.row, claim.col), moment])
