"""Takes the pictures of the documents: `python -m tests.browser.pictures` draws docs/img anew from the real site.

Each shows a match in the middle, played as its record in `scenes/` says, with a tile of the hand just chosen.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright

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
            site.ask("add_person", username="tom", display_name="Tom")
            _take(browser, site, mimi, "desktop", tile="GT2", screen=DESKTOP)
            _take(browser, site, mimi, "phone", tile="GF2", screen=PHONE)
        finally:
            browser.close()
            site.close()


def _take(browser: Browser, site: Site, session_key: str, scene: str, *, tile: str, screen: dict[str, Any]) -> None:
    match = site.ask("seat_record", players=["mimi", "tom"], file=str(SCENES / f"{scene}.json"))
    visitor = Visitor(browser, site, "mimi", **screen, color_scheme="light", reduced_motion="reduce")
    visitor.log_in(session_key)
    page = visitor.go(f"/matches/{match['slug']}/")
    page.locator(f'.m-card[data-tile="{tile}"]').click()
    expect(page.locator(".m-fits").first).to_be_visible()
    page.mouse.move(2, 2)
    page.screenshot(path=PICTURES / f"match-{scene}.png")
    visitor.leave()


if __name__ == "__main__":
    main()
