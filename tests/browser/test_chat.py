"""The chat in real browsers: lines come live, what is being typed stays, missed lines come once, phones have a fold."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boards import look, play_one, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.people import PHONE, Visitor
from tests.browser.server import Site
from tests.browser.wires import CUT, Wire

CARET = (
    "() => { const field = document.getElementById('chat-text'); return [field.selectionStart, field.selectionEnd]; }"
)

IN_FRONT = """(element) => {
    const box = element.getBoundingClientRect();
    const found = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 20));
    return element === found || element.contains(found);
}"""

COVERED = """() => {
    const [side, chat] = [".match-side", "#chat"].map((name) => document.querySelector(name).getBoundingClientRect());
    return side.bottom > chat.top + 1 ? [`the column ends at ${side.bottom}, the chat begins at ${chat.top}`] : [];
}"""


def said(page: Page) -> list[str]:
    return page.locator(".chat-text").all_inner_texts()


def say(page: Page, text: str) -> None:
    """As a person does: unfold, type, Enter. It is said when the field is empty again."""
    if not page.locator("#chat").evaluate("panel => panel.open"):
        page.locator("#chat-fold").click()
    page.locator("#chat-text").fill(text)
    page.locator("#chat-text").press("Enter")
    expect(page.locator("#chat-text")).to_have_value("")


def expect_said(page: Page, *lines: str) -> None:
    expect(page.locator(".chat-text")).to_have_text(list(lines), use_inner_text=False)


@pytest.fixture
def match(site: Site, visit: Visit) -> tuple[str, Visitor, Visitor]:
    """The path of a match in which it is Bob's turn, Alice and Bob; both have its page open."""
    alice, bob = visit("alice"), visit("bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=2, until="turn", seat=1)["slug"]
    for visitor in (alice, bob):
        visitor.go(f"/matches/{slug}/")
    return f"/matches/{slug}/", alice, bob


def test_two_players_and_a_spectator_talk_live_each_in_their_room(
    match: tuple[str, Visitor, Visitor], visit: Visit
) -> None:
    """Nobody's page is loaded anew; the rooms open to all with the end of the match."""
    path, alice, bob = match
    carol, guest = visit("carol"), visit()
    for visitor in (carol, guest):
        visitor.go(path)
    with alice.staying(), bob.staying(), carol.staying(), guest.staying():
        say(alice.page, "Good luck!")
        expect_said(bob.page, "Good luck!")
        say(bob.page, "You too: https://example.org/ <b>")
        expect_said(alice.page, "Good luck!", "You too: https://example.org/ <b>")
        assert alice.page.locator(".chat-lines a[href*='example.org'], .chat-lines b").count() == 0
        say(carol.page, "Bob will win")
        expect_said(guest.page, "Bob will win")
        expect(guest.page.locator("#chat-form")).to_be_hidden()
        assert said(alice.page) == ["Good luck!", "You too: https://example.org/ <b>"]
        bob.excuse("^dialog:")
        bob.page.locator("#leave-menu").click()
        bob.page.locator("#leave-resign").click()
        for visitor in (alice, bob, carol, guest):
            expect_said(visitor.page, "Good luck!", "You too: https://example.org/ <b>", "Bob will win")
        say(bob.page, "Well played")
        expect(carol.page.locator("#chat-players .chat-text")).to_have_count(3)


def test_what_is_being_typed_stays_while_the_opponent_moves(match: tuple[str, Visitor, Visitor]) -> None:
    """Text, caret and focus: through moves, lines, and an answer that comes when one has typed on."""
    _, alice, bob = match
    page, field = alice.page, alice.page.locator("#chat-text")
    field.focus()
    page.keyboard.type("I think that you")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    caret = field.evaluate(CARET)
    before = look(page)
    play_one(bob.page, look(bob.page))
    wait_for_version(page, before.version)
    say(bob.page, "Your move")
    expect_said(page, "Your move")
    expect(field).to_be_focused()
    expect(field).to_have_value("I think that you")
    assert field.evaluate(CARET) == caret
    page.keyboard.type("may ")
    expect(field).to_have_value("I think that may you")
    assert look(page).ply == before.ply + 1, "no key of these was the board's"


def test_text_typed_on_before_the_answer_is_kept(match: tuple[str, Visitor, Visitor]) -> None:
    """The field is emptied only if it still holds what was said; a refusal leaves it alone."""
    _, alice, bob = match
    page, field = alice.page, alice.page.locator("#chat-text")
    field.fill("first")
    # Both in one go: the answer can't come in between.
    page.evaluate("""() => {
        document.getElementById("chat-form").requestSubmit();
        document.getElementById("chat-text").value = "first and more";
    }""")
    expect_said(bob.page, "first")
    expect_said(page, "first")
    expect(field).to_have_value("first and more")
    field.fill("   ")
    field.press("Enter")
    expect(page.locator("#chat-notice")).to_have_text("Please write something first.")
    expect(field).to_have_value("   ")
    for number in range(4):
        say(page, f"line {number}")
    expect(page.locator("#chat-notice")).to_be_hidden()
    field.fill("and one more")
    field.press("Enter")
    expect(page.locator("#chat-notice")).to_contain_text("You are writing very fast")
    expect(field).to_have_value("and one more")
    expect(page.locator(".chat-text")).to_have_count(5)


def test_enter_twice_says_it_once(match: tuple[str, Visitor, Visitor]) -> None:
    _, alice, bob = match
    alice.page.locator("#chat-text").fill("hello")
    alice.page.evaluate("""() => {
        const form = document.getElementById("chat-form");
        form.requestSubmit();
        form.requestSubmit();
    }""")
    expect_said(bob.page, "hello")
    say(alice.page, "there")
    expect_said(bob.page, "hello", "there")


def test_missed_lines_come_once_after_a_reconnect(match: tuple[str, Visitor, Visitor]) -> None:
    path, alice, bob = match
    page = alice.page
    page.route("**/chat/?*", lambda route: route.abort())
    alice.excuse("/chat/", *CUT)
    wire = Wire(page)
    alice.go(path)
    say(bob.page, "one")
    expect_said(page, "one")
    with alice.staying():
        wire.cut()
        expect(page.locator("#connection")).to_be_visible()
        say(bob.page, "two")
        say(bob.page, "three")
        assert said(page) == ["one"]
        wire.mend()
        expect_said(page, "one", "two", "three")
        say(bob.page, "four")
        expect_said(page, "one", "two", "three", "four")


def test_without_any_socket_one_talks_by_form_and_hears_by_poll(match: tuple[str, Visitor, Visitor]) -> None:
    path, alice, bob = match
    alice.excuse(*CUT)
    Wire(alice.page, whole=False)
    page = alice.go(path)
    expect(page.locator("#connection")).to_be_visible()
    with alice.staying():
        say(page, "can you hear me?")
        expect_said(bob.page, "can you hear me?")
        say(bob.page, "yes")
        expect_said(page, "can you hear me?", "yes")
        say(page, "good")
        expect_said(page, "can you hear me?", "yes", "good")
        expect_said(bob.page, "can you hear me?", "yes", "good")


def test_mute_takes_effect_and_is_taken_back_in_the_settings(match: tuple[str, Visitor, Visitor]) -> None:
    path, alice, bob = match
    say(bob.page, "you play badly")
    expect_said(alice.page, "you play badly")
    alice.page.locator(".chat-name").click()
    alice.page.get_by_role("button", name="Mute").click()
    expect(alice.page.locator("main")).to_contain_text("You are not shown any more what")
    page = alice.go(path)
    assert said(page) == []
    say(bob.page, "very badly")
    say(page, "let us play")
    expect_said(page, "let us play")
    expect_said(bob.page, "you play badly", "very badly", "let us play")
    alice.go("/account/settings/")
    alice.page.get_by_role("button", name="Take back").click()
    alice.go(path)
    expect_said(page, "you play badly", "very badly", "let us play")


def test_on_a_phone_the_chat_is_folded_and_counts_what_is_unread(site: Site, visit: Visit) -> None:
    """The count stands beside the way to it, survives a move and a load, and goes when the chat is read."""
    alice, bob = visit("alice", **PHONE), visit("bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=2, until="turn", seat=1)["slug"]
    page = alice.go(f"/matches/{slug}/")
    bob.go(f"/matches/{slug}/")
    badge = page.locator(".to-parts [data-unread] .count")
    expect(page.locator("#chat-text")).to_be_hidden()
    expect(badge).to_be_hidden()
    say(bob.page, "hello")
    expect(badge).to_have_text("1")
    before = look(page)
    play_one(bob.page, look(bob.page))
    wait_for_version(page, before.version)
    say(bob.page, "your move")
    expect(badge).to_have_text("2")
    alice.go(f"/matches/{slug}/")
    expect(badge).to_have_text("2")
    page.locator('.to-parts a[href="#chat"]').click()
    expect(page.locator("#chat-text")).to_be_in_viewport()
    expect(badge).to_be_hidden()
    say(page, "I think")
    expect_said(bob.page, "hello", "your move", "I think")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen"
    field = page.locator("#chat-text").bounding_box()
    assert field is not None
    assert field["height"] >= 44
    alice.go(f"/matches/{slug}/")
    expect(badge).to_be_hidden()


def test_chat_at_the_table_goes_on_into_the_match(site: Site, visit: Visit) -> None:
    """The stage is replaced as a whole when it begins; the chat and what is typed in it stay."""
    alice, bob = visit("alice"), visit("bob")
    slug = site.ask("open_table", host="alice")
    page = alice.go(f"/matches/{slug}/")
    bob.go(f"/matches/{slug}/")
    say(page, "come in")
    assert said(bob.page) == []
    bob.page.get_by_role("button", name="Sit down").click()
    expect_said(bob.page, "come in")
    page.locator("#ready").click()
    page.locator("#chat-text").fill("here we")
    bob.page.locator("#ready").click()
    expect(page.locator(".m-board")).to_be_visible()
    expect(page.locator("#chat-text")).to_be_focused()
    page.keyboard.type(" go")
    page.keyboard.press("Enter")
    expect_said(bob.page, "come in", "here we go")


@pytest.mark.parametrize(("game", "told"), [("m", False), ("block_buster", False), ("m", True)])
def test_open_chat_lies_over_nothing(site: Site, visit: Visit, game: str, told: bool) -> None:
    """What is unfolded or focused beside the board is what a click there meets, not the chat; under a notice, too."""
    alice = visit("alice")
    if told:
        site.ask("impose", username="alice", kind="mute", reason="Rude words in two matches.", days=3)
    site.ask("add_person", username="bob", display_name="Bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=2, until="ply:6", game=game)["slug"]
    for height in (900, 720, 560):
        page = alice.on_screen(1280, height).go(f"/matches/{slug}/")
        if not page.locator("#chat").evaluate("panel => panel.open"):
            page.locator("#chat-fold").click()
        assert page.evaluate(COVERED) == [], height
        assert page.locator(".told").count() == told
        for fold in ("#leave-menu", "#deal > summary"):
            page.locator(fold).click()
            page.locator(fold).evaluate(
                "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
            )
            assert page.locator(fold).evaluate(IN_FRONT), (fold, height)
            assert page.evaluate(COVERED) == [], (fold, height)
        for needed in ("#leave-resign", ".log-lines"):
            page.locator(needed).focus()
            assert page.locator(needed).evaluate(IN_FRONT), (needed, height)
        page.evaluate("() => sessionStorage.clear()")
