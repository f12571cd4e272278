"""Takes the pictures of the documents: `python -m tests.browser.pictures` draws docs/img anew from the real site.

Each shows a match in the middle, played as its record in `scenes/` says, with a tile of the hand just
chosen, or a block held over the board.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.block_buster_boards import fits, hold, look
from tests.browser.chromium import launch
from tests.browser.people import DESKTOP, PHONE, Visitor
from tests.browser.server import ROOT, Site

SCENES = Path(__file__).parent / "scenes"
PICTURES = ROOT / "docs" / "img"


def main() -> None:
    """Start the site, play the scenes, take their pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        browser = launch(playwright)
        try:
            site.prepare()
            site.start()
            mimi = site.ask("add_person", username="mimi", display_name="Mimi")
            for name in ("tom", "ana", "lou"):
                site.ask("add_person", username=name, display_name=name.capitalize())
            _take_m(browser, site, mimi, "desktop", tile="GT2", screen=DESKTOP)
            _take_m(browser, site, mimi, "phone", tile="GF2", screen=PHONE)
            _take_block_buster(browser, site, mimi)
        finally:
            browser.close()
            site.close()


def _take_m(browser: Browser, site: Site, session_key: str, scene: str, *, tile: str, screen: dict[str, Any]) -> None:
    with _at_scene(browser, site, session_key, scene, ["mimi", "tom"], screen) as page:
        page.locator(f'.m-card[data-tile="{tile}"]').click()
        expect(page.locator(".m-fits").first).to_be_visible()
        page.mouse.move(2, 2)
        page.screenshot(path=PICTURES / f"match-{scene}.png")


def _take_block_buster(browser: Browser, site: Site, session_key: str) -> None:
    """With a block held where it would change the most rings."""
    with _at_scene(browser, site, session_key, "block-buster", ["mimi", "tom", "ana", "lou"], DESKTOP) as page:
        hold(page, max(fits(look(page)), key=lambda fit: len({(x // 4, y // 4) for x, y in fit.cells})))
        page.screenshot(path=PICTURES / "block-buster-desktop.png")


@contextmanager
def _at_scene(
    browser: Browser, site: Site, session_key: str, scene: str, players: list[str], screen: dict[str, Any]
) -> Iterator[Page]:
    """Mimi's page of the match, where its record ends."""
    match = site.ask("seat_record", players=players, file=str(SCENES / f"{scene}.json"))
    visitor = Visitor(browser, site, "mimi", **screen, color_scheme="light", reduced_motion="reduce")
    visitor.log_in(session_key)
    yield visitor.go(f"/matches/{match['slug']}/")
    visitor.leave()


if __name__ == "__main__":
    main()
