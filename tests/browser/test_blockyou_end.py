"""The last rounds of a match of BlockYou! in three browsers: by mouse over a slow line, by keys, and by touch."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from games.blockyou.placement import Placement
from games.blockyou.position import Position
from tests.browser.blockyou_boards import (
    claim_by_keys,
    claim_by_mouse,
    claim_by_touch,
    take_notes,
    wait_for_phase,
    wait_for_pings,
)
from tests.browser.blockyou_claims import position_of, safe
from tests.browser.conftest import Visit
from tests.browser.people import PHONE, Visitor
from tests.browser.server import Site
from tests.browser.slow_line import SlowLine

# By the clock, over a slow line: nothing else may run beside.
pytestmark = pytest.mark.faults

SEED = 1
CARDS_LEFT = 2
"""Of who has the fewest, when the three come to their pages."""

EACH_WAY_MS = 70
MOST_ROUNDS = 12

CLAIM: tuple[Callable[[Page, Placement], None], ...] = (claim_by_mouse, claim_by_keys, claim_by_touch)

JUDGED = """() => {
    const hand = document.querySelector(".by-hand");
    return !hand || (hand.dataset.mayClaim === "no" && hand.dataset.waits === "no");
}"""


def test_three_people_play_the_last_rounds_to_an_end_that_all_see(visit: Visit, site: Site, tmp_path: Path) -> None:
    with SlowLine(site.port, each_way_ms=EACH_WAY_MS) as line:
        company = [visit("alice", address=line.address), visit("bob"), visit("carol", **PHONE)]
        slug = site.ask("seat_rounds", players=["alice", "bob", "carol"], seed=SEED, fewest=CARDS_LEFT)
        for visitor in company:
            take_notes(visitor)
            visitor.go(f"/matches/{slug}/")
        for visitor in company:
            wait_for_pings(visitor.page, 1)
        claims = _play_to_the_end(company, slug, site)
        for visitor in company:
            visitor.page.goto("about:blank")  # before the line is gone
    assert all(claims), f"so many claims by mouse, keys and touch: {claims}"

    file = tmp_path / "match.json"
    page = company[1].go(f"/matches/{slug}/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    download.value.save_as(file)
    checked = json.loads(site.manage("record", "check", str(file)).stdout)
    assert checked["ok"] is True


def _play_to_the_end(company: list[Visitor], slug: str, site: Site) -> list[int]:
    """How often each has claimed."""
    claims = [0, 0, 0]
    pages = [visitor.page for visitor in company]
    for _ in range(MOST_ROUNDS):
        site.ask("open_round", slug=slug)
        for page in pages:
            expect(page.locator(".by-board")).to_have_attribute("data-phase", re.compile("open|final|over"))
        while found := _next_claim(position_of(site, slug), claims):
            seat, claim = found
            CLAIM[seat](pages[seat], claim)
            claims[seat] += 1
            pages[seat].wait_for_function(JUDGED)
        if site.ask("state", slug=slug)["status"] == "over":
            break
        for page in pages:
            wait_for_phase(page, "countdown")

    now = site.ask("state", slug=slug)
    assert (now["status"], now["reason"]) == ("over", "cleared")
    ends = []
    for page in pages:
        wait_for_phase(page, "over")
        expect(page.locator(".prompt .headline")).to_have_text(re.compile("won|share"))
        expect(page.locator(".prompt")).to_contain_text("cards")
        places = page.locator(".player .place").all_text_contents()
        ends.append((places, page.locator(".player .by-tally").all_text_contents()))
    assert ends[0] == ends[1] == ends[2]
    assert "1." in ends[0][0]
    return claims


def _next_claim(now: Position, claims: list[int]) -> tuple[int, Placement] | None:
    """A safe claim of somebody who searches: first of who has the fewest cards, then of who has claimed least."""
    fewest = min(range(len(claims)), key=lambda seat: len(now.seats[seat].queue))
    for seat in sorted(now.searching, key=lambda seat: (seat != fewest, claims[seat])):
        if places := safe(now, seat):
            return seat, places[0]
    return None
