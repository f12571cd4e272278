"""Playing M on its page as a person does: look at what is offered, choose, click, and see it happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

MOST_ACTS = 400

LOOK = """() => {
    const data = (id) => ({ ...document.getElementById(id)?.dataset });
    const drawn = document.querySelector(".m-board");
    return {
        fresh: data("freshness"),
        phase: ["play", "take", "over"].find((phase) => drawn?.classList.contains(`m-in-${phase}`)),
        fits: [...document.querySelectorAll(".m-card")].map((card) => JSON.parse(card.dataset.fits)),
        takes: document.querySelectorAll(".m-takeable[data-move]").length,
        mayPass: document.querySelector('[data-move="pass"]')?.disabled === false,
    };
}"""


@dataclass(frozen=True)
class Place:
    """A place that the page offers: the card's number in the hand, the cell, and what it earns."""

    card: int
    cell: str
    chips: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Sight:
    """What the page shows of its match."""

    version: int
    ply: int
    status: str
    my_turn: bool
    phase: str | None
    places: tuple[Place, ...]
    takes: int
    may_pass: bool

    @property
    def over(self) -> bool:
        return self.status != "running"


def look(page: Page) -> Sight:
    """Read the page."""
    seen: dict[str, Any] = page.evaluate(LOOK)
    fresh = seen["fresh"]
    return Sight(
        version=int(fresh["version"]),
        ply=int(fresh["ply"]),
        status=fresh["status"],
        my_turn=fresh["turn"] == "1",
        phase=seen["phase"],
        places=tuple(
            Place(number, cell, chips, tuple(lines))
            for number, fits in enumerate(seen["fits"])
            for cell, chips, lines, *_words in fits
        ),
        takes=seen["takes"],
        may_pass=seen["mayPass"],
    )


def best(places: tuple[Place, ...]) -> Place:
    """The one that scores, or else brings the most chips."""
    return max(places, key=lambda place: (len(place.lines), place.chips))


def card(page: Page, number: int) -> Locator:
    """A tile of the own hand."""
    return page.locator(".m-card").nth(number)


def spot(page: Page, cell: str) -> Locator:
    """A cell of the table, free or not."""
    return page.locator(f'.m-board [data-cell="{cell}"]').first


def wait_for_version(page: Page, after: int) -> None:
    """Until the page shows a later version than that."""
    expect(page.locator("#freshness")).not_to_have_attribute("data-version", str(after))


def place(page: Page, chosen: Place) -> None:
    """Choose the tile and the place, and say which line counts where that is asked."""
    tile = card(page, chosen.card)
    if tile.get_attribute("aria-pressed") != "true":
        tile.click()
    spot(page, chosen.cell).click()
    if len(chosen.lines) > 1:
        page.locator(f'.m-choice [data-line="{chosen.lines[0]}"]').click()


def play_one(page: Page, seen: Sight) -> str:
    """Play one act by clicking: place, take, or pass if there is nothing else. Gives which."""
    if seen.phase == "take":
        page.locator(".m-takeable[data-move]").first.click()
        act = "take"
    elif seen.places:
        place(page, best(seen.places))
        act = "place"
    else:
        page.locator('[data-move="pass"]').click()
        act = "pass"
    wait_for_version(page, seen.version)
    return act


def play_to_the_end(
    pages: list[Page], play: Callable[[Page, Sight], str] = play_one, *, enough: Counter[str] | None = None
) -> list[str]:
    """All who sit at these pages play by turns until the match is over, a bot between them too. Gives their acts.

    Or until all acts that are `enough` have been played, each as often as it says.
    """
    acts: list[str] = []
    while len(acts) < MOST_ACTS:
        sights = [(page, look(page)) for page in pages]
        if any(sight.over for _, sight in sights) or (enough is not None and enough <= Counter(acts)):
            return acts
        newest = max(sight.version for _, sight in sights)
        mover = next((page for page, sight in sights if sight.my_turn and sight.version == newest), None)
        if mover is not None:
            acts.append(play(mover, look(mover)))
        else:
            page, sight = min(sights, key=lambda pair: pair[1].version)
            wait_for_version(page, sight.version)
    raise AssertionError(f"the match does not end: {acts}")
