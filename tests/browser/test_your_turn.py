"""Who is there and whose turn it is, live: words beside the names, the choice when somebody stays away, the counter."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boards import look, play_one
from tests.browser.conftest import Visit
from tests.browser.people import PHONE, Visitor
from tests.browser.server import Site

AWAY_AFTER_S = 45
GRACE_S = 180
"""Without a clock."""


def _seat(site: Site, *players: str, turn: int = 0) -> str:
    """A match in which it is that seat's turn."""
    slug: str = site.ask("seat_match", players=list(players), seed=2, until="turn", seat=turn)["slug"]
    return slug


def _while_still_here(visitor: Visitor, site: Site, slug: str, other: str) -> Page:
    """The page of the match, come while the other, seat 1, was there still, but is away soon: as soon as the page can
    come before that."""
    for left_s in (4, 10, 20, 40):
        site.ask("was_seen", slug=slug, username=other, ago_s=AWAY_AFTER_S - left_s)
        page = visitor.go(f"/matches/{slug}/")
        if page.locator("#presence-1").inner_text().strip() == "here":
            return page
    raise AssertionError("who was seen five seconds ago is away")


@pytest.fixture
def pair(visit: Visit) -> tuple[Visitor, Visitor]:
    return visit("alice"), visit("bob")


def test_word_beside_the_name_follows_the_other_player(pair: tuple[Visitor, Visitor], site: Site) -> None:
    """Here, away by time alone, here again with the other's page; no load, and no new version of the match."""
    alice, bob = pair
    slug = _seat(site, "alice", "bob")
    page = _while_still_here(alice, site, slug, "bob")
    word = page.locator("#presence-1")
    version = look(page).version
    with alice.staying():
        expect(word).to_have_text("away", timeout=AWAY_AFTER_S * 1000)
        expect(page.locator("#tally-presence-1")).to_contain_text("away")
        tile = page.locator("#hand button").first
        tile.focus()
        bob.go(f"/matches/{slug}/")
        expect(word).to_have_text("here")
        expect(tile).to_be_focused()
    assert look(page).version == version
    expect(page.locator("#presence-0")).to_have_text("")
    bob.go("/lobby/")
    expect(word).to_have_text("here")


def test_who_stays_away_leaves_the_others_the_choice(pair: tuple[Visitor, Visitor], site: Site) -> None:
    """It appears by itself; to wait puts it away, to end it asks once more, and the present player has won."""
    alice, _ = pair
    alice.excuse("^dialog: End the match now")
    slug = _seat(site, "alice", "bob")
    site.ask("was_seen", slug=slug, username="bob", ago_s=AWAY_AFTER_S + GRACE_S - 3)
    page = alice.go(f"/matches/{slug}/")
    offer = page.locator("#absence-1")
    with alice.staying():
        expect(page.locator("#presence-1")).to_have_text("away")
        expect(offer).to_be_visible()
        expect(offer).to_contain_text("is away. You may wait, or end the match: then you have won.")
        offer.get_by_role("button", name="Wait").click()
        expect(offer).to_be_hidden()
    page.reload()
    offer.get_by_role("button", name="End the match").click()
    expect(page.locator("#prompt")).to_contain_text("You have won.")
    expect(page.locator("#prompt")).to_contain_text("was away for too long.")
    expect(offer).to_have_count(0)
    assert site.ask("state", slug=slug)["reason"] == "timeout"


def test_choice_goes_when_the_player_is_back(pair: tuple[Visitor, Visitor], site: Site) -> None:
    alice, bob = pair
    slug = _seat(site, "alice", "bob")
    site.ask("was_seen", slug=slug, username="bob", ago_s=AWAY_AFTER_S + GRACE_S)
    page = alice.go(f"/matches/{slug}/")
    with alice.staying():
        expect(page.locator("#absence-1")).to_be_visible()
        bob.go(f"/matches/{slug}/")
        expect(page.locator("#absence-1")).to_have_count(0)
        expect(page.locator("#presence-1")).to_have_text("here")


@pytest.mark.parametrize("elsewhere", ["another match", "lobby", "rules"])
def test_counter_rises_on_another_page_when_the_opponent_moves(
    pair: tuple[Visitor, Visitor], site: Site, elsewhere: str
) -> None:
    """At once where there is a socket, within a while where there is none."""
    alice, bob = pair
    slug = _seat(site, "alice", "bob", turn=1)
    another = _seat(site, "bob", "alice", turn=0)
    path = {"another match": f"/matches/{another}/", "lobby": "/lobby/", "rules": "/rules/m/"}[elsewhere]
    opposite = bob.go(f"/matches/{slug}/")
    page = alice.go(path)
    counter = page.locator("#your-turn")
    expect(counter).to_be_hidden()
    with alice.staying():
        play_one(opposite, look(opposite))
        expect(counter).to_be_visible()
        expect(counter).to_contain_text("Your turn in 1 match")
    counter.click()
    expect(page).to_have_url(re.compile("/lobby/#lobby-own$"))
    expect(page.locator("#lobby-own .my-turn")).to_have_count(1)


def test_counter_fits_on_a_phone(visit: Visit, site: Site) -> None:
    """The number alone, with its words for who listens; wide enough for a finger, and nothing beside the screen."""
    alice = visit("alice", person={"display_name": "A name as long as it may be, or longer"}, **PHONE)
    visit("bob")
    _seat(site, "alice", "bob")
    page = alice.go("/rules/m/")
    counter = page.get_by_role("link", name="Your turn in 1 match")
    expect(counter).to_be_visible()
    box = counter.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 24
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


HEARD = """() => {
  window.notes = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.notes += 1; return start.apply(this, when); };
}"""


@pytest.mark.parametrize("sound", [True, False])
def test_title_and_sound_say_whose_turn_it_is_at_the_match(visit: Visit, site: Site, sound: bool) -> None:
    """Two notes, once; none where they are switched off; and what comes beside the match rings for nobody."""
    alice, bob = visit("alice", person={"sound": sound}), visit("bob")
    slug = _seat(site, "alice", "bob", turn=1)
    site.ask("was_seen", slug=slug, username="bob", ago_s=AWAY_AFTER_S + 60)
    page = alice.go(f"/matches/{slug}/")
    page.evaluate(HEARD)
    page.locator("#prompt").click()
    expect(page).to_have_title("M · Tesela")
    opposite = bob.go(f"/matches/{slug}/")
    expect(page.locator("#presence-1")).to_have_text("here")
    assert page.evaluate("() => window.notes") == 0
    with alice.staying():
        play_one(opposite, look(opposite))
        expect(page).to_have_title("● Your turn · M · Tesela")
    assert page.evaluate("() => window.notes") == (2 if sound else 0)
