"""The table before the start, as those at it see it change."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.server import Site


def test_who_is_unseated_is_told_and_who_gets_up_is_not(visit: Visit, site: Site) -> None:
    """The seat does not just vanish: the page says what the host has done, until one sits down again."""
    alice, bob = visit("alice"), visit("bob")
    path = f"/matches/{site.ask('open_table', host='alice', seats=3)}/"
    alice.go(path)
    bob.go(path)
    freed = bob.page.get_by_text("The host has freed your seat.")
    with bob.staying():
        bob.page.get_by_role("button", name="Sit down").first.click()
        alice.page.get_by_role("button", name="Free the seat").click()
        expect(freed).to_be_visible()
        bob.page.get_by_role("button", name="Sit down").first.click()
        expect(bob.page.get_by_role("button", name="Get up")).to_be_visible()
        expect(freed).to_have_count(0)
        bob.page.get_by_role("button", name="Get up").click()
        expect(bob.page.get_by_role("button", name="Sit down").first).to_be_visible()
        expect(freed).to_have_count(0)


def test_invitation_is_copied_whole(visit: Visit, site: Site) -> None:
    """One click puts the address into the clipboard."""
    alice = visit("alice")
    alice.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = alice.go(f"/matches/{site.ask('open_table', host='alice')}/")
    link = page.get_by_label("Invite somebody with this link").input_value()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == link
    assert link.startswith(site.address)


def test_invitation_is_selected_where_pages_may_not_copy(visit: Visit, site: Site) -> None:
    """Without TLS browsers keep their clipboard from pages: then one key is left to press."""
    alice = visit("alice")
    alice.context.add_init_script("delete Navigator.prototype.clipboard")
    page = alice.go(f"/matches/{site.ask('open_table', host='alice')}/")
    page.get_by_role("button", name="Copy").click()
    link = page.get_by_label("Invite somebody with this link")
    expect(link).to_be_focused()
    assert link.evaluate("(field) => field.value.slice(field.selectionStart, field.selectionEnd)") == link.input_value()


def test_choice_that_changes_another_says_so_where_it_was_clicked(visit: Visit, site: Site) -> None:
    """A rated match takes two: who has chosen to play alone is told."""
    page = visit("alice").go("/tables/new/blockyou/")
    players = page.get_by_role("group", name="Players", exact=True)
    players.get_by_text("1 player").click()
    rating = page.get_by_role("group", name="Rating")
    rating.get_by_text("Rated: people only").click()
    expect(players.get_by_label("2 players")).to_be_checked()
    expect(rating.get_by_role("status")).to_have_text("This needs another choice too. Players: now 2 players.")
    players.get_by_text("1 player").click()
    expect(rating.get_by_role("status")).to_have_count(0)
    expect(players.get_by_role("status")).to_contain_text("Rating: now Unrated")
