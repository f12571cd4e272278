"""BlockYou! in three browsers: who was first over a slow line, what a wrong claim costs, and what nobody else sees."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from games.blockyou.position import Position
from games.blockyou.timing import COUNT, HOLD
from tests.browser.blockyou_boards import (
    cards_left,
    claim_at,
    claim_by_mouse,
    expect_status,
    hold,
    noted,
    pile,
    take_notes,
    verdict,
    wait_for_phase,
    wait_for_pings,
)
from tests.browser.blockyou_claims import contest, deal_in_which, position_of, quiet, safe, self_block, wrong
from tests.browser.conftest import Visit
from tests.browser.people import Visitor
from tests.browser.server import Site
from tests.browser.slow_line import SlowLine

ALICE, BOB, CAROL = range(3)
NAMES = ("alice", "bob", "carol")

# Who claims first is a matter of milliseconds: nothing else may run beside.
pytestmark = pytest.mark.faults

EACH_WAY_MS = 70
"""How long Alice's slow line takes; there and back it is just within what the rules allow for."""

AFTER_MS = 20
"""So long after Alice Bob claims, less than her line takes."""

TRIES = 8
"""A busy machine may take longer than that between the two."""

LOADS = 3
"""Before a countdown there is time for so many loads of all pages, as long as these take."""

IN_STEP_MS = 600
"""So far apart two screens may show the same number of a countdown, on a busy machine, and one number farther: who
counts by a wrong clock is wrong in all of them."""


@pytest.fixture
def slow_line(site: Site) -> Iterator[SlowLine]:
    with SlowLine(site.port, each_way_ms=EACH_WAY_MS) as line:
        yield line


@pytest.fixture
def company(visit: Visit) -> list[Visitor]:
    """Alice, Bob and Carol, whose pages take notes."""
    company = [visit(name) for name in NAMES]
    for visitor in company:
        take_notes(visitor)
    return company


def at_the_board(site: Site, company: list[Visitor], can: Callable[[Position], Any], *, pings: int = 0) -> str:
    """The slug of a match of these three in whose first round that can be done; it is open on all their pages.

    Before it opens each line has been measured so often.
    """
    slug: str = site.ask("seat_rounds", players=NAMES, deal=deal_in_which(len(NAMES), can))
    for visitor in company:
        visitor.go(f"/matches/{slug}/")
    for visitor in company:
        wait_for_phase(visitor.page, "countdown")
        wait_for_pings(visitor.page, pings + 1)  # the last one is not answered yet
    open_round(site, slug, company)
    return slug


def open_round(site: Site, slug: str, company: list[Visitor]) -> None:
    site.ask("open_round", slug=slug)
    for visitor in company:
        wait_for_phase(visitor.page, "open")


def end_round(site: Site, slug: str, company: list[Visitor]) -> None:
    """The first of the two who still search places a card: the other was the last, or is blocked."""
    now = position_of(site, slug)
    assert len(now.searching) == 2
    seat, claim = next((seat, places[0]) for seat in now.searching if (places := safe(now, seat)))
    claim_by_mouse(company[seat].page, claim)
    for visitor in company:
        wait_for_phase(visitor.page, "countdown")


def verdicts(site: Site, slug: str) -> list[tuple[str, dict[str, Any]]]:
    """What became of the claims, in order: the code, and what goes with it."""
    events = site.ask("story", slug=slug)["events"]
    return [(code, params) for _, code, params in events if "claim" in params and code != "claimed"]


def test_claim_made_earlier_over_a_slow_line_wins_and_a_bounce_costs_nothing(
    slow_line: SlowLine, visit: Visit, site: Site
) -> None:
    """Alice claims, then Bob a place that overlaps; his claim is at the server first. Hers lies, his bounces."""
    company = [visit(name, address=slow_line.address if name == "alice" else None) for name in NAMES]
    for visitor in company:
        take_notes(visitor)
    for _ in range(TRIES):
        slug = at_the_board(site, company, lambda now: contest(now, ALICE, BOB), pings=1)
        alice, bob, _ = pages = [visitor.page for visitor in company]
        found = contest(position_of(site, slug), ALICE, BOB)
        assert found is not None
        for page, claim in zip(pages, found, strict=False):
            hold(page, claim)
        before, card = cards_left(bob), bob.locator(".by-hand").get_attribute("data-quarters")
        moment = bob.evaluate("() => Date.now()") + 500
        claim_at(alice, found[0], moment)
        claim_at(bob, found[1], moment + AFTER_MS)
        for page in (alice, bob):
            expect(verdict(page)).not_to_be_empty()
        claims = {claim["seat"]: claim for claim in site.ask("story", slug=slug)["claims"]}
        clicks = [noted(page, "clicks")[-1] for page in (alice, bob)]
        if clicks[ALICE] < clicks[BOB] and [*claims] == [BOB, ALICE]:
            break
    else:
        pytest.fail(f"the claims did not come within {EACH_WAY_MS} ms: this machine is too busy")

    expect(verdict(alice)).to_contain_text("Placed.")
    expect(verdict(bob)).to_contain_text("Bounced: seat 1 was there earlier")
    assert claims[ALICE]["lag"] >= 2 * EACH_WAY_MS
    [(first, _), (second, bounced)] = verdicts(site, slug)
    assert (first, second) == ("placed", "bounced")
    effective = {seat: claim["at"] - min(claim["lag"], HOLD) for seat, claim in claims.items()}
    assert bounced["margin"] == effective[BOB] - effective[ALICE] > 0
    expect(verdict(bob)).to_contain_text(f"by {bounced['margin']} ms")

    expect_status(bob, "placed", "searching", "searching")
    assert cards_left(bob) == [before[ALICE] - 1, before[BOB], before[CAROL]]
    expect(bob.locator(".by-hand")).to_have_attribute("data-quarters", str(card))
    again = quiet(position_of(site, slug), BOB)
    assert again is not None
    claim_by_mouse(bob, again)
    expect(verdict(bob)).to_contain_text("Placed.")


def test_claim_shows_at_once_to_its_player_and_to_nobody_else_before_the_verdict(
    company: list[Visitor], site: Site
) -> None:
    """Then all screens call it over the player's badge."""
    slug = at_the_board(site, company, lambda now: quiet(now, ALICE))
    alice, *others = pages = [visitor.page for visitor in company]
    claim = quiet(position_of(site, slug), ALICE)
    assert claim is not None
    claim_by_mouse(alice, claim)
    for page in pages:
        page.wait_for_function("() => window.notes.calls.length")
        expect_status(page, "placed", "searching", "searching")

    told = site.ask("story", slug=slug)
    clicked = noted(alice, "clicks")[-1]
    [judged] = [told["epoch"] + at for at, code, _ in told["events"] if code == "placed"]
    assert any(clicked <= at < judged for at in noted(alice, "sent")), "Alice sees that she has claimed"
    for page in others:
        for what in ("changes", "messages"):
            early = [at - clicked for at in noted(page, what) if clicked <= at < judged]
            assert not early, f"{what} {early} ms after the click, and the verdict came after {judged - clicked} ms"
        assert any(at >= judged for at in noted(page, "changes")), "the verdict does change it"
    for page in pages:
        [call] = noted(page, "calls")
        assert call == {"at": call["at"], "seat": ALICE, "text": "BlockYou!", "isSeen": True, "isThere": True}


def test_wrong_claim_costs_a_card_and_the_next_round_as_all_can_see(company: list[Visitor], site: Site) -> None:
    """Whose colours do not match draws a card and sits out one round, on all screens; in the one after all play."""
    slug = at_the_board(site, company, lambda now: quiet(now, ALICE))
    bob = company[BOB].page
    before, in_pile = cards_left(bob), pile(bob)
    claim_by_mouse(bob, wrong(position_of(site, slug), BOB))
    expect(verdict(bob)).to_have_text("Wrong: the colours do not match. You draw a penalty card.")
    for visitor in company:
        page = visitor.page
        expect_status(page, "searching", "erred", "searching")
        expect(page.locator("#seat-1")).to_contain_text("sits out the next round")
        expect(page.locator("#log-lines")).to_contain_text(re.compile("Bob.? was wrong at"))
        assert cards_left(page) == before, "one played and one drawn"
        assert pile(page) == in_pile - 1

    end_round(site, slug, company)
    open_round(site, slug, company)
    for visitor in company:
        expect_status(visitor.page, "searching", "sits out", "searching")
        assert not verdict(visitor.page).inner_text(), "what came of a claim of the round before is said no more"
    expect(bob.get_by_label("You sit out this round.")).to_be_visible()
    expect(bob.locator(".by-card")).to_have_count(0)

    end_round(site, slug, company)
    open_round(site, slug, company)
    for visitor in company:
        expect_status(visitor.page, "searching", "searching", "searching")


def test_finger_at_oneself_is_wrong_but_blocks_and_who_is_left_has_ten_seconds(
    company: list[Visitor], site: Site
) -> None:
    slug = at_the_board(site, company, lambda now: self_block(now, ALICE, CAROL))
    alice, bob, carol = pages = [visitor.page for visitor in company]
    claim = self_block(position_of(site, slug), ALICE, CAROL)
    assert claim is not None
    claim_by_mouse(alice, claim)
    said = "Wrong: a finger points at you. You have blocked seat 3. You draw a penalty card."
    expect(verdict(alice)).to_have_text(said)
    for page in pages:
        wait_for_phase(page, "final")
        expect_status(page, "erred", "searching", "blocked")
        expect(page.locator(".by-time")).to_have_text(re.compile(r"0:(10|0\d)"))
    expect(verdict(carol)).to_have_text("Blocked by seat 1.")
    expect(carol.locator(".by-card")).to_have_count(0)

    claim_by_mouse(bob, safe(position_of(site, slug), BOB)[0])
    for page in pages:
        page.wait_for_function("() => window.notes.calls.length")
        assert [call["seat"] for call in noted(page, "calls")] == [BOB]
        wait_for_phase(page, "countdown")


def test_countdown_is_in_step_on_all_screens(slow_line: SlowLine, visit: Visit, site: Site) -> None:
    """3, 2, 1, and the cards turn up: at the same moments, over a slow line too."""
    company = [visit(name, address=slow_line.address if name == "alice" else None) for name in NAMES]
    pages = [visitor.page for visitor in company]
    slug = site.ask("seat_rounds", players=NAMES)
    began = time.monotonic()
    for visitor in company:
        take_notes(visitor)
        visitor.go(f"/matches/{slug}/")  # so that the time that loading takes is known, and short below
    took_ms = int(1000 * (time.monotonic() - began))
    site.ask("open_round", slug=slug, in_ms=COUNT + LOADS * took_ms)
    for page in pages:
        page.reload()
    for page in pages:
        wait_for_phase(page, "open")
        expect(page.locator(".by-count")).to_have_count(0)

    epoch = site.ask("story", slug=slug)["epoch"]
    shown = [noted(page, "counts") for page in pages]
    for counts in shown:
        assert [count for count, _ in counts][:3] == ["3", "2", "1"]
    late = {
        number: [dict(counts)[number] - epoch - at for counts in shown]
        for number, at in (("3", 0), ("2", 1000), ("1", 2000))
    }
    assert min(map(min, late.values())) > -10, "no screen counts ahead of the server"
    assert min(max(one) - min(one) for one in late.values()) < IN_STEP_MS, f"numbers are shown so many ms late: {late}"
