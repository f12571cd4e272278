"""Confirming moves as one likes it, and hands that are quicker than the page."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser.boards import Sight, best, card, look, place, spot, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.people import PHONE, Visitor
from tests.browser.server import Site


def test_always_asks_even_a_mouse(visit: Visit, site: Site) -> None:
    """Chosen on the settings page, the bar comes for every move, and Escape takes the move back."""
    alice = visit("alice")
    _choose(alice, "Always")
    page, seen = _at_turn(alice, site)
    place(page, best(seen.places))
    expect(_bar(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(_bar(page)).to_be_hidden()
    place(page, best(seen.places))
    _bar(page).get_by_role("button", name="Play").click()
    wait_for_version(page, seen.version)


def test_never_asks_not_even_a_finger(visit: Visit, site: Site) -> None:
    """Who wants speed on a phone gets it: the second tap plays."""
    alice = visit("alice", **PHONE)
    _choose(alice, "Never")
    page, seen = _at_turn(alice, site)
    chosen = best(seen.places)
    card(page, chosen.card).tap()
    spot(page, chosen.cell).tap()
    wait_for_version(page, seen.version)


def test_by_itself_asks_where_moves_are_by_turns(visit: Visit, site: Site) -> None:
    """In a match over days a slip of the mouse would cost much: there it asks, live it does not."""
    alice = visit("alice")
    page, seen = _at_turn(alice, site, pace="turns")
    place(page, best(seen.places))
    expect(_bar(page)).to_be_visible()
    assert look(page).version == seen.version


def test_a_double_click_is_one_move(visit: Visit, site: Site) -> None:
    """Two clicks on a place play one tile, and nobody is scolded for the second."""
    page, seen = _at_turn(visit("alice"), site)
    chosen = best(seen.places)
    card(page, chosen.card).click()
    spot(page, chosen.cell).dblclick()
    wait_for_version(page, seen.version)
    expect(spot(page, chosen.cell)).to_have_class("m-tile")
    assert site.ask("state", slug=_slug(page))["ply"] == seen.ply + 1
    expect(page.locator("#notice .notice")).to_have_count(0)


def test_a_second_tab_is_told_that_the_match_has_moved_on(visit: Visit, site: Site) -> None:
    """A move composed on a page that missed what happened is refused with the reason, and the page is current then."""
    alice = visit("alice")
    first, seen = _at_turn(alice, site)
    second = alice.context.new_page()
    hearing = _Hearing(second)
    second.goto(first.url)
    expect(second.locator("#connection")).to_be_hidden()
    hearing.off()
    place(first, best(seen.places))
    wait_for_version(first, seen.version)
    old = look(second)
    assert old.version == seen.version
    hearing.on_when_it_moves()
    place(second, old.places[-1])
    expect(second.locator("#notice")).to_contain_text("The match has moved on since you chose this move.")
    assert look(second).version == look(first).version
    assert site.ask("state", slug=_slug(first))["version"] == look(first).version


def test_a_move_that_waits_for_its_confirmation_goes_with_its_turn(visit: Visit, site: Site) -> None:
    """Played in one tab, the turn is over in the other: its bar goes, and can't play the old move at the next turn."""
    alice = visit("alice", person={"confirm_moves": "always"})
    first, seen = _at_turn(alice, site)
    second = alice.context.new_page()
    second.goto(first.url)
    place(second, best(seen.places))
    expect(_bar(second)).to_be_visible()
    place(first, best(seen.places))
    _bar(first).get_by_role("button", name="Play").click()
    wait_for_version(second, seen.version)
    expect(_bar(second)).to_be_hidden()


def test_a_move_that_waits_for_its_confirmation_outlives_other_news(visit: Visit, site: Site) -> None:
    """That the opponent offers to end the match is no reason to lose what one was about to play, or an open menu."""
    alice, bob = visit("alice", person={"confirm_moves": "always"}), visit("bob")
    page, seen = _at_turn(alice, site)
    chosen = best(seen.places)
    page.locator("#leave-menu").click()
    place(page, chosen)
    bob.go(page.url)
    bob.page.locator("#leave-menu").click()
    bob.page.get_by_role("button", name="Offer to end it without a result").click()
    expect(page.locator("#next")).to_contain_text("Bob\u2069 offers to end this match without a result.")
    expect(page.get_by_role("button", name="Resign")).to_be_visible()
    expect(_bar(page)).to_be_visible()
    expect(spot(page, chosen.cell).locator(".m-ghost")).to_be_visible()
    _bar(page).get_by_role("button", name="Play").click()
    expect(spot(page, chosen.cell)).to_have_class("m-tile")


def test_what_could_not_be_sent_is_said(visit: Visit, site: Site) -> None:
    """With no connection at all, a move is neither lost in silence nor played twice later."""
    alice = visit("alice")
    alice.excuse("ERR_INTERNET_DISCONNECTED", "console error: .*htmx", "WebSocket")
    page, seen = _at_turn(alice, site)
    alice.page.route_web_socket("**/ws/**", lambda socket: socket.close(code=1006))
    page.reload()
    expect(page.locator("#connection")).to_be_visible()
    alice.context.set_offline(True)
    place(page, best(seen.places))
    expect(page.locator("#notice")).to_contain_text("That did not get through")
    alice.context.set_offline(False)
    place(page, best(seen.places))
    wait_for_version(page, seen.version)
    assert site.ask("state", slug=_slug(page))["ply"] == seen.ply + 1


class _Hearing:
    """Whether a page hears what the server sends on its socket; what it says itself always goes through."""

    def __init__(self, page: Page) -> None:
        self._on, self._waits = True, False
        page.route_web_socket("**/ws/**", self._connect)
        # Its slow poll would tell it what it has missed: it hears of no news.
        page.route("**/live/?*", lambda route: route.fulfill(status=204))

    def _connect(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            self._on = self._on or (self._waits and '"move"' in str(message))
            server.send(message)

        socket.on_message(pass_on)
        server.on_message(lambda message: socket.send(message) if self._on else None)

    def off(self) -> None:
        self._on = False

    def on_when_it_moves(self) -> None:
        """Not before: a page that hears anything at all may bring itself up to date."""
        self._waits = True


def _choose(visitor: Visitor, label: str) -> None:
    page = visitor.go("/account/settings/")
    page.get_by_label(label, exact=True).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("Saved.")


def _at_turn(alice: Visitor, site: Site, pace: str = "live") -> tuple[Page, Sight]:
    """Alice's page of a match against Bob in which it is her turn."""
    if not site.ask("is_registered", username="bob"):
        site.ask("add_person", username="bob", display_name="Bob")
    match = site.ask("seat_match", players=["alice", "bob"], seed=4, until="turn", seat=0, pace=pace)
    page = alice.go(f"/matches/{match['slug']}/")
    return page, look(page)


def _bar(page: Page) -> Locator:
    return page.get_by_role("group", name="Confirm the move")


def _slug(page: Page) -> str:
    return page.url.rstrip("/").rpartition("/")[2]
