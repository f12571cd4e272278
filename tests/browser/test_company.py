"""Company in a browser: a rematch of two, an invitation by name, a move taken back; all live, on desktop and phone."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.boards import look
from tests.browser.conftest import Visit
from tests.browser.people import on_screens
from tests.browser.server import Site

screens = on_screens("phone")


def fits_the_screen(page: Page) -> bool:
    return bool(page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"))


def seats_of(page: Page) -> list[str]:
    return [name.strip() for name in page.locator("#players .player-name > a").all_inner_texts()]


@screens
def test_rematch_round_of_two(site: Site, visit: Visit, screen: dict[str, Any]) -> None:
    """One offers, sees that the other is asked, withdraws, offers again; the other agrees, and both meet again."""
    alice, bob, guest = visit("alice", **screen), visit("bob", **screen), visit(**screen)
    slug = site.ask("seat_match", players=["alice", "bob"], seed=3, until="over")["slug"]
    pages = [visitor.go(f"/matches/{slug}/") for visitor in (alice, bob, guest)]
    mine, his, looking = pages
    expect(looking.locator("#rematch")).to_have_count(0)
    with alice.staying(), guest.staying():
        with bob.staying():
            mine.get_by_role("button", name="Rematch").click()
            expect(mine.locator("#rematch-said")).to_contain_text("You would play a rematch")
            expect(his.locator("#rematch-said")).to_contain_text("would play a rematch. You have not agreed yet")
            assert all(map(fits_the_screen, pages))
            mine.get_by_role("button", name="No rematch after all").click()
            expect(his.locator("#rematch-said")).to_have_count(0)
            mine.get_by_role("button", name="Rematch").click()
            expect(his.locator("#rematch-said")).to_be_visible()
        his.get_by_role("button", name="Rematch").click()
        expect(mine.get_by_role("link", name="To the rematch")).to_be_visible()
        expect(looking.get_by_role("link", name="To the rematch")).to_be_visible()
    expect(his).not_to_have_url(re.compile(slug))
    expect(his.locator(".m-board")).to_be_visible()
    mine.get_by_role("link", name="To the rematch").click()
    expect(mine).to_have_url(his.url)
    expect(mine.locator(".m-board")).to_be_visible()
    assert seats_of(mine) == ["Bob", "Alice"], "they have changed seats"
    expect(looking.locator("#rematch-said")).to_have_count(0)


def test_match_against_a_bot_is_played_again_and_other_tabs_lead_there(site: Site, visit: Visit) -> None:
    """Against a bot nobody is asked: one click, and the same match is played again with the seats turned."""
    alice = visit("alice")
    slug = site.ask("open_table", host="alice", game="block_buster")
    page = alice.go(f"/matches/{slug}/")
    page.get_by_role("button", name="Give to a bot").click()
    expect(page.get_by_role("button", name="Give to a bot")).to_have_count(0)
    page.get_by_role("button", name="I am ready").click()
    expect(page.locator(".bb-board")).to_be_visible()
    other = alice.context.new_page()
    other.goto(f"/matches/{slug}/")
    page.locator("#leave-menu").click()
    alice.excuse("dialog: Resign")
    page.locator("#leave-resign").click()
    page.get_by_role("button", name="Play again").click()
    expect(page).not_to_have_url(re.compile(slug))
    expect(page.locator("#players li").first).to_contain_text("Bot")
    other.get_by_role("link", name="To the rematch").click()
    expect(other).to_have_url(page.url)


@screens
def test_invitation_round(site: Site, visit: Visit, screen: dict[str, Any]) -> None:
    """The host names one who declines and one who accepts; each sees it in the lobby, and the host their answers."""
    alice, bob, carol = visit("alice", **screen), visit("bob", **screen), visit("carol", **screen)
    slug = site.ask("open_table", host="alice", public=False, seats=3)
    lobby, other = bob.go("/lobby/"), carol.go("/lobby/")
    expect(lobby.locator("#invitations-title")).to_have_count(0)
    table = alice.go(f"/matches/{slug}/")
    alice.excuse(r"answer 422.*/act/invite/", "status of 422")
    field = table.get_by_label("Invite somebody by name")
    with alice.staying(), bob.staying():
        field.fill("nobody")
        table.get_by_role("button", name="Invite", exact=True).click()
        expect(table.locator("#notice")).to_contain_text("Nobody here is called")
        assert field.input_value() == "nobody", "to be mended"
        for name in ("bob", "Carol"):
            field.fill(name)
            table.get_by_role("button", name="Invite", exact=True).click()
            expect(field).to_have_value("")
        expect(table.locator("#invitations li")).to_have_count(2)
        expect(lobby.get_by_role("link", name="invites you to M")).to_be_visible()
        expect(other.get_by_role("link", name="invites you to M")).to_be_visible()
        assert all(map(fits_the_screen, (table, lobby, other)))

        field.press_sequentially("mal")
        lobby.locator(f"#decline-{slug}").click()
        expect(table.locator("#invitations")).to_contain_text("declined")
        assert field.input_value() == "mal", "what is being typed survives the push"
        expect(field).to_be_focused()
        field.press_sequentially("lory")
        assert field.input_value() == "mallory", "and so does the caret"
    expect(lobby.locator("#invitations-title")).to_have_count(0)
    other.locator(f"#accept-{slug}").click()
    expect(other).to_have_url(re.compile(f"/matches/{slug}/"))
    expect(table.locator(".seats")).to_contain_text("Carol")
    expect(table.locator("#invitations li")).to_have_count(1)


def test_challenge_from_a_profile(site: Site, visit: Visit) -> None:
    alice, bob = visit("alice"), visit("bob")
    lobby, page = bob.go("/lobby/"), alice.go("/people/bob/")
    page.locator("#challenge").get_by_role("link", name="Block Buster").click()
    expect(page.locator("#to-be-invited")).to_contain_text("Bob")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#invitations")).to_contain_text("Bob")
    lobby.get_by_role("link", name="invites you to Block Buster").click()
    lobby.wait_for_load_state()
    lobby.locator("#invitation-accept").click()
    expect(page.locator(".seats")).to_contain_text("Bob")


@screens
def test_takeback_round(site: Site, visit: Visit, screen: dict[str, Any]) -> None:
    """A pass is played, asked back, refused; another is asked back and agreed to, and something else is played."""
    alice, bob = visit("alice", **screen), visit("bob", **screen)
    asked = {"players": ["alice", "bob"], "seed": 3, "until": "turn", "seat": 0, "limit": [600_000, 10_000]}
    slug = site.ask("seat_match", **asked)["slug"]
    mine, his = alice.go(f"/matches/{slug}/"), bob.go(f"/matches/{slug}/")
    ply = look(mine).ply
    with alice.staying(), bob.staying():
        for page in (mine, his):
            _pass(page, screen)
        expect(mine.locator("#takeback-ask")).to_have_count(0)
        his.get_by_role("button", name="Ask to take back my move").click()
        expect(mine.locator("#takeback-asked")).to_contain_text("asks to take back the last move")
        assert all(map(fits_the_screen, (mine, his)))
        mine.get_by_role("button", name="No, it stands").click()
        expect(his.locator("#takeback-asked")).to_have_count(0)
        expect(his.locator("#takeback-ask")).to_have_count(0)
        expect(his.locator("#log")).to_contain_text("did not agree to take back the move")

        _pass(mine, screen)
        mine.get_by_role("button", name="Ask to take back my move").click()
        expect(mine.locator("#takeback-asked")).to_contain_text("Not agreed yet")
        his.get_by_role("button", name="Agree", exact=True).click()
        expect(mine.locator("#prompt")).to_have_class(re.compile("yours"))
        expect(mine.locator("#log-lines li").first).to_contain_text("Taken back: ")
        assert look(mine).ply == look(his).ply == ply + 2
        _pass(mine, screen)
        expect(his.locator("#prompt")).to_have_class(re.compile("yours"))
    assert site.ask("audit", slug=slug)


def _pass(page: Page, screen: dict[str, Any]) -> None:
    expect(page.locator("#prompt")).to_have_class(re.compile("yours"))
    button = page.locator('button[data-move="pass"]')
    if screen.get("has_touch"):
        button.tap()
        page.locator("#confirm-yes").tap()
    else:
        button.click()
    expect(page.locator("#prompt")).not_to_have_class(re.compile("yours"))
