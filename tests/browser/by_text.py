"""Playing by text alone, as with a screen reader: roles and names, what the live regions say, and the keyboard."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, expect

MOST_TABS = 80
MOST_LOOKS = 750
LOOK_EVERY_MS = 40

TURN = re.compile("^Your (turn|pick)")
OVER = re.compile("won|share")


EAR = """(region) => {
    window.heard = [];
    const note = (changes) => changes.forEach(({ addedNodes }) =>
        addedNodes.forEach((node) => window.heard.push(node.textContent)));
    new MutationObserver(note).observe(region, { childList: true });
}"""
"""What is added to a polite region is read out, each time that it is added."""


@dataclass
class Listener:
    """Somebody at a page of a match who hears it. `news` is all that was read out politely so far."""

    page: Page
    name: str
    news: list[str] = field(default_factory=list)

    @property
    def region(self) -> Locator:
        return self.page.get_by_role("log", name="News of the match")

    def __post_init__(self) -> None:
        self.region.evaluate(EAR)

    def listen(self) -> list[str]:
        """What was read out since the last time."""
        fresh: list[str] = self.page.evaluate("() => window.heard.splice(0)")
        self.news += fresh
        return fresh

    def let_it_speak(self) -> None:
        """Until the page has said all that it has to say now: it waits a fifth of a second after an alert."""
        self.page.evaluate("() => new Promise((done) => setTimeout(done, 250))")

    def wait_to_hear(self, words: str) -> list[str]:
        """Until that is read out anew; everything that was read out meanwhile."""
        fresh: list[str] = []
        for _ in range(MOST_LOOKS):
            fresh += self.listen()
            if any(words in line for line in fresh):
                return fresh
            self.page.wait_for_timeout(LOOK_EVERY_MS)
        raise AssertionError(f"{self.name or 'who looks on'} has not heard {words!r}, but {fresh}")

    def told_at_once(self, words: str | re.Pattern[str]) -> None:
        """Fails unless an alert says so."""
        expect(self.page.get_by_role("alert").filter(has_text=words)).to_have_count(1)

    def hear_once(self, said: str, *, by: Listener) -> str:
        """The line in which that is said of that player, who is named first; fails if it is said again."""
        fresh = self.wait_to_hear(said)
        lines = [line for line in fresh if said in line]
        assert len(lines) == 1, f"said once, and not again: {fresh}"
        assert lines[0].startswith(f"\u2068{by.name}\u2069 ")
        return lines[0]

    def told_nothing_at_once(self) -> None:
        """Fails if an alert says that something is to be done."""
        expect(self.page.get_by_role("alert").filter(has_text=TURN)).to_have_count(0)

    def is_told(self, words: re.Pattern[str]) -> bool:
        """Whether an alert says so now."""
        return self.page.get_by_role("alert").filter(has_text=words).count() > 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, target: Locator) -> None:
        """By Tab alone."""
        for _ in range(MOST_TABS):
            if has_focus(target):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not come to {target}")

    def step_to(self, target: Locator, key: str, *, most: int = 400) -> None:
        """By one key, from one to the next."""
        for _ in range(most):
            if has_focus(target):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} does not lead to {target}")


def sit_down(slug: str, pages: list[Page]) -> list[Listener]:
    """Alice, Bob, and somebody who looks on, each at the match's page, which has exactly one region for its news."""
    for page in pages:
        page.goto(f"/matches/{slug}/")
        expect(page.get_by_role("log", name="News of the match")).to_have_count(1)
        expect(page.get_by_role("status")).to_have_count(0)
    return [Listener(page, name) for page, name in zip(pages, ("Alice", "Bob", ""), strict=True)]


def mover_of(players: list[Listener], *, is_first: bool) -> Listener | None:
    """Who was told that it is their turn; a page that has just come says it in its text. None once it is over."""
    for _ in range(MOST_LOOKS):
        for player in players:
            if is_first and player.page.get_by_text(TURN).count():
                return player
            if player.is_told(TURN):
                return player
        if players[0].is_told(OVER):
            return None
        players[0].page.wait_for_timeout(LOOK_EVERY_MS)
    raise AssertionError("nobody is told that it is their turn")


def has_focus(target: Locator) -> bool:
    """Whether the one element that it stands for has the focus."""
    return bool(target.evaluate("(element) => element === document.activeElement"))


def names_of(found: Locator) -> list[str]:
    """The accessible names, as they are said."""
    return [element.get_attribute("aria-label") or element.inner_text() for element in found.all()]
