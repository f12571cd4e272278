"""Two people and a spectator: from signing up to the replay, a whole match of M in three browsers."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.boards import Sight, look, play_one, play_to_the_end
from tests.browser.conftest import Visit
from tests.browser.people import Visitor
from tests.browser.server import Site
from tests.conftest import PASSWORD
from tests.sizes import SHORT

LAST_MOVES = 8


def test_two_people_meet_play_to_the_end_and_replay_while_a_guest_looks_on(
    visit: Visit, site: Site, tmp_path: Path
) -> None:
    """One opens a table, one follows its link and signs up, they play; all see each move without a load."""
    alice, bob, guest = visit(), visit(), visit()
    alice.go("/account/signup/")
    _sign_up(alice, "alice")
    slug = _open_table(alice)
    bob.go(alice.page.get_by_label("Invite somebody with this link").input_value())
    bob.page.get_by_role("main").get_by_role("link", name="Sign up").click()
    _sign_up(bob, "bob")
    expect(bob.page).to_have_url(alice.page.url)
    with alice.staying(), bob.staying():
        bob.page.get_by_role("button", name="Sit down").click()
        expect(alice.page.locator(".seats")).to_contain_text("Bob")
        guest.go("/lobby/")
        _follow(guest.page, guest.page.locator(".match-row a", has_text="Bob"))
        with guest.staying():
            for visitor in (alice, bob):
                expect(visitor.page.locator(".seat .tag.good")).to_have_count(0 if visitor is alice else 1)
                visitor.page.get_by_role("button", name="I am ready").click()
            for visitor in (alice, bob, guest):
                expect(visitor.page.locator(".m-board")).to_be_visible()
            expect(guest.page.locator(".m-card")).to_have_count(0)

            everybody = [alice.page, bob.page, guest.page]
            acts = _play_to_the_end(everybody, slug, site)

    assert acts.count("take") > (1 if SHORT else 3)
    for page in everybody:
        expect(page.locator("#prompt")).to_contain_text(re.compile("won|share"))
    plies = look(alice.page).ply
    _replays(alice, slug, plies)
    _replays(bob, slug, plies)
    _record_is_right(bob, site, tmp_path / "match.json", plies)


def _follow(page: Page, link: Locator) -> None:
    """A list that is pushed anew may take the link away between the press and the release."""
    for _ in range(3):
        link.click()
        with suppress(TimeoutError):
            page.wait_for_url("**/matches/**")
            return
    raise AssertionError("the link leads nowhere")


def _sign_up(visitor: Visitor, name: str) -> None:
    page = visitor.page
    page.get_by_label("Login name").fill(name)
    page.get_by_label("Display name").fill(name.capitalize())
    page.get_by_label("E-mail address").fill(f"{name}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator("summary", has_text=name.capitalize())).to_be_visible()


def _open_table(host: Visitor) -> str:
    """The slug of a public table of two, made by the form."""
    page = host.go("/lobby/")
    page.locator("a[href='/tables/new/m/']").click()
    page.get_by_label("2 players").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page).to_have_url(re.compile(r"/matches/[0-9a-f]+/$"))
    return page.url.rstrip("/").rpartition("/")[2]


def _play_to_the_end(everybody: list[Page], slug: str, site: Site) -> list[str]:
    """What the two have played by clicking: all of it; in a short run until tiles were taken, and the end."""

    def play(page: Page, seen: Sight) -> str:
        return _play_before_all(page, seen, everybody)

    if not SHORT:
        return play_to_the_end(everybody[:2], play)
    acts = play_to_the_end(everybody[:2], play, enough=Counter({"place": 4, "take": 1}))
    version = site.ask("play_on", slug=slug, left=LAST_MOVES)
    for page in everybody:
        expect(page.locator("#freshness")).to_have_attribute("data-version", str(version))
    return acts + play_to_the_end(everybody[:2], play)


def _play_before_all(page: Page, seen: Sight, everybody: list[Page]) -> str:
    """Play one act; all others show it by a push, long before their slow poll, each its own side of it."""
    act = play_one(page, seen)
    shown = page.locator("#freshness").get_attribute("data-version")
    assert shown is not None
    for other in everybody:
        expect(other.locator("#freshness")).to_have_attribute("data-version", shown)
    boards = [other.locator(".m-board .m-tile").count() for other in everybody]
    assert len(set(boards)) == 1, boards
    return act


def _replays(visitor: Visitor, slug: str, plies: int) -> None:
    """From the history through the replay: by buttons, by keys, and by the link of a ply."""
    page = visitor.page
    at = page.locator(".stepper .number")
    page.get_by_role("link", name="History").click()
    page.locator(".match-row a").click()
    expect(at).to_have_text(f"{plies} of {plies}")
    page.wait_for_load_state()  # a step or key that comes before its script is a page load, or nobody's
    page.get_by_label("One move back").click()
    expect(at).to_have_text(f"{plies - 1} of {plies}")
    page.keyboard.press("Home")
    expect(at).to_have_text(f"0 of {plies}")
    expect(page.locator(".m-board .m-tile")).to_have_count(5)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/replay/1/")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/replay/2/")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/replay/1/")
    page.keyboard.press("End")
    expect(at).to_have_text(f"{plies} of {plies}")
    visitor.go(f"/matches/{slug}/replay/7/")
    expect(at).to_have_text(f"7 of {plies}")
    expect(page.locator('[aria-current="step"]')).to_be_in_viewport()
    expect(page.locator('[aria-current="step"]')).to_contain_text("7")
    # Over, so both hands lie open; seen by the other seat, that one is the hand below the board.
    expect(page.locator(".m-open-hand")).to_have_count(2)
    page.get_by_label("Whose eyes").get_by_role("link").last.click()
    expect(page.locator(".m-open-hand")).to_have_count(0)
    expect(page.locator(".m-hand .m-card").first).to_be_visible()


def _record_is_right(visitor: Visitor, site: Site, file: Path, plies: int) -> None:
    visitor.page.goto(visitor.page.url)
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("link", name="Download the record").click()
    download.value.save_as(file)
    checked = json.loads(site.manage("record", "check", str(file)).stdout)
    assert checked["ok"] is True
    assert checked["plies"] == plies
