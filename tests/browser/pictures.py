"""Takes the pictures of the documents: `python -m tests.browser.pictures` draws docs/img anew from the real site.

Each shows a match in the middle, played as its record in `scenes/` says, with a tile of the hand just
chosen, a block or a card held over the board.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from games.blockyou.claims import points_at
from tests.browser import block_buster_boards as block_buster
from tests.browser.blockyou_boards import hold
from tests.browser.blockyou_claims import position_of, safe
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
            for name in ("tom", "ana", "lou", "kim"):
                site.ask("add_person", username=name, display_name=name.capitalize())
            _take_m(browser, site, mimi, "desktop", tile="GT2", screen=DESKTOP)
            _take_m(browser, site, mimi, "phone", tile="GF2", screen=PHONE)
            _take_block_buster(browser, site, mimi)
            for players in (["mimi", "tom"], ["mimi", "tom", "ana", "lou", "kim"]):
                _take_blockyou(browser, site, mimi, players)
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
        fits = block_buster.fits(block_buster.look(page))
        block_buster.hold(page, max(fits, key=lambda fit: len({(x // 4, y // 4) for x, y in fit.cells})))
        page.screenshot(path=PICTURES / "block-buster-desktop.png")


def _take_blockyou(browser: Browser, site: Site, session_key: str, players: list[str]) -> None:
    """Time stands still in the middle of a round, with the card held where it would block the most."""
    scene = SCENES / f"blockyou-{len(players)}.json"
    slug = site.ask("seat_scene", players=players, file=str(scene))
    now = position_of(site, slug)
    claim = max(safe(now, 0), key=lambda claim: len(points_at(now, 0, claim)))
    for kind, screen in (("desktop", DESKTOP), ("phone", PHONE)):
        with _seen_by_mimi(browser, site, session_key, slug, screen) as page:
            # The clocks of the page show the time of the scene.
            page.evaluate("(now) => { tesela.matchNow = () => now; }", json.loads(scene.read_text())["until"])
            hold(page, claim)
            page.locator(".by-time", has_text="1:").wait_for()
            page.screenshot(path=PICTURES / f"blockyou-{len(players)}-{kind}.png")


@contextmanager
def _at_scene(
    browser: Browser, site: Site, session_key: str, scene: str, players: list[str], screen: dict[str, Any]
) -> Iterator[Page]:
    """Mimi's page of the match, where its record ends."""
    match = site.ask("seat_record", players=players, file=str(SCENES / f"{scene}.json"))
    with _seen_by_mimi(browser, site, session_key, match["slug"], screen) as page:
        yield page


@contextmanager
def _seen_by_mimi(browser: Browser, site: Site, session_key: str, slug: str, screen: dict[str, Any]) -> Iterator[Page]:
    visitor = Visitor(browser, site, "mimi", **screen, color_scheme="light", reduced_motion="reduce")
    visitor.log_in(session_key)
    yield visitor.go(f"/matches/{slug}/")
    visitor.leave()


if __name__ == "__main__":
    main()
