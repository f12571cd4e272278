"""Lost connections: pages say so, play on as they can, and come right by themselves."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.boards import best, look, place, play_one, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.people import Visitor
from tests.browser.server import Site
from tests.browser.wires import CUT, Wire

CONNECTION = "#connection"


@pytest.fixture
def pair(visit: Visit, site: Site) -> tuple[Visitor, Visitor]:
    """Alice, who waits for Bob's move, and Bob; neither page is open yet."""
    return visit("alice"), visit("bob")


def _seat(site: Site) -> str:
    """A match in which it is Bob's turn: the path of its page."""
    slug = site.ask("seat_match", players=["alice", "bob"], seed=2, until="turn", seat=1)["slug"]
    return f"/matches/{slug}/"


def test_a_socket_that_was_cut_comes_back_to_the_right_position(pair: tuple[Visitor, Visitor], site: Site) -> None:
    """What the opponent did meanwhile is there after the reconnect, without a load, and without the poll's help."""
    alice, bob = pair
    alice.page.route("**/live/**", lambda route: route.abort())
    alice.excuse("/live/", *CUT)
    wire = Wire(alice.page)
    path = _seat(site)
    page = alice.go(path)
    bob.go(path)
    expect(page.locator(CONNECTION)).to_be_hidden()
    with alice.staying():
        wire.cut()
        expect(page.locator(CONNECTION)).to_be_visible()
        before = look(page)
        play_one(bob.page, look(bob.page))
        assert look(page) == before, "nothing can have come through"
        wire.mend()
        wait_for_version(page, before.version)
        expect(page.locator(CONNECTION)).to_be_hidden()
    assert _shows_the_truth(page, site)


def test_a_refusal_that_a_newer_push_has_overtaken_tells_its_reason(pair: tuple[Visitor, Visitor], site: Site) -> None:
    """Its board is old and stays away; the reason is still news to who has asked."""
    alice, bob = pair
    wire = Wire(alice.page)
    path = _seat(site)
    page = alice.go(path)
    expect(page.locator(CONNECTION)).to_be_hidden()
    before = look(page)
    bob.go(path)
    play_one(bob.page, look(bob.page))
    wait_for_version(page, before.version)
    now = look(page)
    wire.say(
        f'<div id="freshness" data-version="{before.version}" data-own="0" data-turn="1" hx-swap-oob="true"></div>'
        '<div id="board" hx-swap-oob="true">an old board</div>'
        '<div id="notice" role="alert" hx-swap-oob="true"><p class="notice bad">not your turn</p></div>'
    )
    expect(page.locator("#notice")).to_have_text("not your turn")
    assert look(page) == now


def test_a_page_whose_socket_never_opens_plays_by_form_and_sees_by_poll(
    pair: tuple[Visitor, Visitor], site: Site
) -> None:
    """Behind a proxy that lets no socket through one plays all the same."""
    alice, bob = pair
    Wire(alice.page, whole=False)
    alice.excuse(*CUT)
    path = _seat(site)
    page = alice.go(path)
    bob.go(path)
    with alice.staying():
        expect(page.locator(CONNECTION)).to_contain_text("moves still go through")
        for _ in range(3):
            seen = look(page)
            play_one(bob.page, look(bob.page))
            wait_for_version(page, seen.version)
            while look(page).my_turn:
                play_one(page, look(page))
            expect(bob.page.locator("#freshness")).to_have_attribute("data-turn", "1")
    assert _shows_the_truth(page, site)


def test_pages_recover_when_the_server_restarts(pair: tuple[Visitor, Visitor], site: Site) -> None:
    """A restart in mid-match costs nobody more than a moment: both pages reconnect, and the match goes on."""
    alice, bob = pair
    for visitor in pair:
        visitor.excuse(*CUT)
    path = _seat(site)
    for visitor in pair:
        visitor.go(path)
        expect(visitor.page.locator("#freshness")).to_have_attribute("data-status", "running")
    with alice.staying(), bob.staying():
        site.stop()
        for visitor in pair:
            expect(visitor.page.locator(CONNECTION)).to_be_visible()
        site.start()
        for visitor in pair:
            expect(visitor.page.locator(CONNECTION)).to_be_hidden()
        before = look(alice.page)
        play_one(bob.page, look(bob.page))
        wait_for_version(alice.page, before.version)
    assert _shows_the_truth(alice.page, site)
    assert _shows_the_truth(bob.page, site)


def test_page_says_one_thing_while_the_server_is_away_and_nothing_afterwards(
    pair: tuple[Visitor, Visitor], site: Site
) -> None:
    """A move into the void is told, the banner promises nothing then, moves nothing, and both go by themselves."""
    _, bob = pair
    bob.excuse(*CUT)
    page = bob.go(_seat(site))
    banner, notice = page.locator(CONNECTION), page.locator("#notice .notice")
    expect(banner).to_be_hidden()
    hand = page.locator("#hand").bounding_box()
    with bob.staying():
        site.stop()
        expect(banner).to_have_text("The connection is lost. Trying again by itself.")
        assert page.locator("#hand").bounding_box() == hand
        seen = look(page)
        place(page, best(seen.places))
        expect(notice).to_contain_text("That did not get through")
        site.start()
        expect(banner).to_be_hidden()
        expect(notice).to_have_count(0)
        play_one(page, look(page))


def test_a_move_made_while_the_socket_breaks_arrives_once(pair: tuple[Visitor, Visitor], site: Site) -> None:
    """Sent into a socket that dies before the answer, the move goes again by form, and counts once."""
    alice, bob = pair
    path = _seat(site)
    dead = _DeafWire(bob.page)
    page = bob.go(path)
    alice.go(path)
    seen = look(page)
    with bob.staying():
        dead.fall_silent()
        play_one(page, seen)
    state = site.ask("state", slug=_slug(page))
    assert state["ply"] == seen.ply + 1
    expect(page.locator("#notice .notice")).to_have_count(0)
    wait_for_version(alice.page, seen.version)


def test_news_of_others_is_no_answer_to_a_move_that_was_lost(pair: tuple[Visitor, Visitor], site: Site) -> None:
    """Sent into a socket on which it is lost, while pushes still come: the move goes again by form, and counts once."""
    alice, bob = pair
    path = _seat(site)
    lost: list[str] = []

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda text: lost.append(str(text)) if '"act":"move"' in str(text) else server.send(text))

    bob.page.route_web_socket("**/ws/**", connect)
    page = bob.go(path)
    alice.go(path)
    seen = look(page)
    with bob.staying():
        place(page, best(seen.places))
        offer = "([path]) => htmx.ajax('POST', `${path}act/end/`, { values: { agreed: '1' }, swap: 'none' })"
        alice.page.evaluate(offer, [path])
        wait_for_version(page, seen.version)
        assert look(page).ply == seen.ply, "so far nothing but the offer has come"
        wait_for_version(page, seen.version + 1)
    assert len(lost) == 1
    assert site.ask("state", slug=_slug(page))["ply"] == seen.ply + 1
    expect(page.locator("#notice .notice")).to_have_count(0)


class _DeafWire:
    """A socket whose messages to the page can be lost on the way, as when a connection is half dead."""

    def __init__(self, page: Page) -> None:
        self._silent = False
        page.route_web_socket("**/ws/**", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda message: None if self._silent else socket.send(message))

    def fall_silent(self) -> None:
        self._silent = True


def _slug(page: Page) -> str:
    return page.url.rstrip("/").rpartition("/")[2]


def _shows_the_truth(page: Page, site: Site) -> bool:
    """Whether the page shows every tile where the match has it, at the match's version."""
    state = site.ask("state", slug=_slug(page))
    shown = page.locator(".m-board .m-tile").evaluate_all("(tiles) => tiles.map((tile) => tile.dataset.cell)")
    return sorted(shown) == sorted(state["trace"]["table"]) and look(page).version == state["version"]
