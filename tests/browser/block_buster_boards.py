"""Playing Block Buster on its page as a person does: what the board shows, where blocks fit, and laying them there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from games.block_buster.blocks import FORMS, SQUARES, Cell
from tests.browser.boards import wait_for_version

MOST_ACTS = 200

LOOK = """() => {
    const hand = document.querySelector(".bb-hand");
    const cards = [...document.querySelectorAll(".bb-card")];
    return {
        fresh: { ...document.getElementById("freshness").dataset },
        rows: document.querySelector(".bb-board").dataset.rows.split(" "),
        colour: hand?.dataset.colour ?? "",
        mayAct: hand?.dataset.mayAct === "yes",
        mayPass: Boolean(document.querySelector('.bb-pass[data-move="pass"]')),
        blocks: cards.map((card) => card.dataset.block),
    };
}"""

WINDOW_POINT = """([x, y]) => {
    const matrix = document.querySelector(".bb-board").getScreenCTM();
    return [matrix.a * x * 10 + matrix.e, matrix.d * y * 10 + matrix.f];
}"""


@dataclass(frozen=True)
class Sight:
    """What the page shows of its match: the board by rows, and the tray's colour and blocks."""

    version: int
    ply: int
    status: str
    rows: tuple[str, ...]
    colour: str
    may_act: bool
    may_pass: bool
    blocks: tuple[str, ...]

    @property
    def over(self) -> bool:
        return self.status != "running"

    @property
    def own(self) -> frozenset[Cell]:
        """The cells of the tray's colour."""
        letter = self.colour[:1]
        return frozenset((x, y) for y, row in enumerate(self.rows) for x, there in enumerate(row) if there == letter)


@dataclass(frozen=True)
class Fit:
    """A place where a block of the tray can lie: its form by number, its top left corner, its gap."""

    block: str
    form: int
    x: int
    y: int
    gap: int

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple((self.x + x, self.y + y) for x, y in FORMS[self.block][self.form])

    @property
    def middle(self) -> tuple[float, float]:
        """Of its bounding box, in cells."""
        form = FORMS[self.block][self.form]
        width, height = (max(cell[axis] for cell in form) + 1 for axis in (0, 1))
        return self.x + width / 2, self.y + height / 2


def look(page: Page) -> Sight:
    """Read the page."""
    seen: dict[str, Any] = page.evaluate(LOOK)
    return Sight(
        version=int(seen["fresh"]["version"]),
        ply=int(seen["fresh"]["ply"]),
        status=seen["fresh"]["status"],
        rows=tuple(seen["rows"]),
        colour=seen["colour"],
        may_act=seen["mayAct"],
        may_pass=seen["mayPass"],
        blocks=tuple(seen["blocks"]),
    )


def fits(seen: Sight, gap: int = 0) -> Iterator[Fit]:
    """Where the blocks of the tray fit with just that gap, the largest blocks first; at the start anywhere."""
    size, own = len(seen.rows), seen.own
    for block in sorted(seen.blocks, key=lambda block: -SQUARES[block]):
        for number in range(len(FORMS[block])):
            for y in range(size):
                for x in range(size):
                    fit = Fit(block, number, x, y, gap)
                    if _is_free(seen, fit) and _gap(own, fit) == gap:
                        yield fit


def _is_free(seen: Sight, fit: Fit) -> bool:
    size = len(seen.rows)
    return all(x < size and y < size and seen.rows[y][x] == "." for x, y in fit.cells)


def _gap(own: frozenset[Cell], fit: Fit) -> int:
    return min((abs(x - ox) + abs(y - oy) for x, y in fit.cells for ox, oy in own), default=1) - 1


def card(page: Page, block: str) -> Locator:
    """A block of the tray."""
    return page.locator(f'.bb-card[data-block="{block}"]')


def ghost(page: Page) -> Locator:
    """The block that is held over the board."""
    return page.locator(".bb-board .bb-ghost")


def hint(page: Page) -> Locator:
    """The line above the tray: what the block would do where it is held."""
    return page.locator(".bb-hint")


def cell_name(cell: Cell) -> str:
    """As players call it, `c3`."""
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def window_point(page: Page, x: float, y: float) -> tuple[float, float]:
    """A point of the board, given in cells, in pixels of the window."""
    at: list[float] = page.evaluate(WINDOW_POINT, [x, y])
    return at[0], at[1]


def hold(page: Page, fit: Fit) -> None:
    """By mouse: choose the block, turn and flip it by the buttons until it lies right, and move it over its place."""
    if card(page, fit.block).get_attribute("aria-pressed") != "true":
        card(page, fit.block).click()
    turn_to(page, fit)
    page.mouse.move(*window_point(page, *fit.middle))
    expect(ghost(page)).to_have_attribute("class", "bb-preview bb-ghost bb-fits bb-" + look(page).colour)


def turn_to(page: Page, fit: Fit) -> None:
    """By the buttons, whatever the screen."""
    wanted = f"bb-{fit.block}-{fit.form}"
    for press in ("turn", "turn", "turn", "turn", "flip", "turn", "turn", "turn"):
        if _held_form(page) == wanted:
            return
        page.locator(f'[data-tool="{press}"]').click()
    assert _held_form(page) == wanted


def _held_form(page: Page) -> str:
    form: str = page.evaluate("() => document.querySelector('[id^=bb-held-] use').getAttribute('href').slice(1)")
    return form


def place(page: Page, fit: Fit) -> None:
    """By mouse: hold the block over its place, and click."""
    hold(page, fit)
    page.mouse.click(*window_point(page, *fit.middle))


def play_one(page: Page, seen: Sight) -> str:
    """Play one move by mouse: the largest block that can be joined; pass if there is none. Gives which."""
    joined = next(fits(seen), None)
    if joined is not None:
        place(page, joined)
        act = "place"
    else:
        assert seen.may_pass
        page.locator(".bb-pass").click()
        act = "pass"
    wait_for_version(page, seen.version)
    return act


def play_to_the_end(pages: list[Page], *, most: int | None = None) -> list[str]:
    """All who sit at these pages play by turns until the match is over, bots between them too. Gives their acts.

    Or until they have played the `most`.
    """
    acts: list[str] = []
    while len(acts) < MOST_ACTS:
        sights = [(page, look(page)) for page in pages]
        if any(sight.over for _, sight in sights) or len(acts) == most:
            return acts
        newest = max(sight.version for _, sight in sights)
        mover = next(((page, sight) for page, sight in sights if sight.may_act and sight.version == newest), None)
        if mover is not None:
            acts.append(play_one(*mover))
        else:
            page, sight = min(sights, key=lambda pair: pair[1].version)
            wait_for_version(page, sight.version)
    raise AssertionError(f"the match does not end: {acts}")
