"""The page answers pings and says that somebody is there, and nobody at the board notices."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.boards import best, look, place, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.people import Visitor
from tests.browser.server import Site
from tests.browser.wires import ABNORMAL, CUT


class _Line:
    """The socket of one page, on which the test says what it likes as the server; `said` is what the page has said."""

    def __init__(self, page: Page) -> None:
        self.said: list[dict[str, Any]] = []
        self._deaf = False
        self._sockets: list[WebSocketRoute] = []
        self._page = page
        page.route_web_socket("**/ws/**", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def heard(message: str | bytes) -> None:
            self.said.append(json.loads(message))
            server.send(message)

        socket.on_message(heard)
        server.on_message(lambda message: None if self._deaf else socket.send(message))
        self._sockets.append(socket)

    def fall_silent(self) -> None:
        """What the real server says is lost from now on."""
        self._deaf = True

    def cut(self) -> None:
        self._sockets.pop().close(code=ABNORMAL)

    def ping(self, token: str, now: float = 0) -> None:
        """Ask as the server does, and wait for the answer."""
        before = len(self.said)
        self._sockets[-1].send(json.dumps({"ping": token, "now": now}))
        self.wait_for(before + 1)
        assert self.said[before:] == [{"act": "pong", "token": token}]

    def wait_for(self, count: int) -> None:
        """Until the page has said so many things."""
        for _ in range(400):
            if len(self.said) >= count:
                return
            self._page.wait_for_timeout(50)
        raise AssertionError(f"the page has said {self.said}")


@pytest.fixture
def pair(visit: Visit, site: Site) -> tuple[Visitor, Visitor]:
    """Alice, who waits for Bob's move, and Bob; neither page is open yet."""
    return visit("alice"), visit("bob")


def _seat(site: Site) -> str:
    """A match in which it is Bob's turn: the path of its page."""
    slug = site.ask("seat_match", players=["alice", "bob"], seed=2, until="turn", seat=1)["slug"]
    return f"/matches/{slug}/"


HERE = {"act": "here"}


def test_ping_is_answered_and_touches_nothing_on_the_page(pair: tuple[Visitor, Visitor], site: Site) -> None:
    """No swap, no lost focus, no drawing: to the page it is as if nothing had come."""
    _, bob = pair
    line = _Line(bob.page)
    page = bob.go(_seat(site))
    line.wait_for(1)
    tile = page.locator("#hand button").first
    tile.focus()
    page.evaluate(
        """() => {
          window.noted = [];
          for (const name of ["htmx:wsAfterMessage", "tesela:drawn", "htmx:wsBeforeMessage"])
            document.addEventListener(name, () => window.noted.push(name));
          new MutationObserver(() => window.noted.push("changed"))
            .observe(document.querySelector("#live"), { subtree: true, childList: true, attributes: true });
        }"""
    )
    for number in range(3):
        line.ping(f"token-{number}")
    assert page.evaluate("() => window.noted") == []
    expect(tile).to_be_focused()


def test_ping_is_no_answer_to_a_move(pair: tuple[Visitor, Visitor], site: Site) -> None:
    """The server's answer is lost, and a ping comes: the move goes again by form, as without the ping."""
    _, bob = pair
    line = _Line(bob.page)
    page = bob.go(_seat(site))
    line.wait_for(1)
    seen = look(page)
    with bob.staying():
        line.fall_silent()
        said = len(line.said)
        with page.expect_request(lambda request: request.method == "POST" and "/act/move/" in request.url):
            place(page, best(seen.places))
            line.wait_for(said + 1)
            line.ping("meanwhile")
        wait_for_version(page, seen.version)
    expect(page.locator("#notice .notice")).to_have_count(0)


def test_player_is_here_at_once_and_again_when_the_connection_or_the_player_is_back(
    pair: tuple[Visitor, Visitor], site: Site
) -> None:
    _, bob = pair
    bob.excuse(*CUT)
    line = _Line(bob.page)
    page = bob.go(_seat(site))
    line.wait_for(1)
    assert line.said == [HERE]
    line.cut()
    line.wait_for(2)
    assert line.said == [HERE, HERE]
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    line.wait_for(3)
    assert line.said == [HERE, HERE, HERE]


def test_who_looks_on_says_nothing_until_they_sit_down(pair: tuple[Visitor, Visitor], site: Site) -> None:
    _, bob = pair
    line = _Line(bob.page)
    page = bob.go(f"/matches/{site.ask('open_table', host='alice')}/")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("#ready")).to_be_visible()
    line.wait_for(1)
    assert line.said == [HERE]


@pytest.mark.parametrize("with_socket", [True, False], ids=["socket", "form and poll"])
def test_match_in_real_time_begins_when_both_are_there_and_asks_at_once(
    pair: tuple[Visitor, Visitor], site: Site, with_socket: bool
) -> None:
    """Whether or not Alice's connection lets a socket through; Bob's answers the server's own pings."""
    alice, bob = pair
    alice.excuse(*CUT)
    if not with_socket:
        alice.page.route_web_socket("**/ws/**", lambda socket: socket.close(code=ABNORMAL))
    line = _Line(bob.page)
    path = f"/matches/{site.ask('open_table', host='alice', game='blockyou')}/"
    alice.go(path)
    bob.go(path).get_by_role("button", name="Sit down").click()
    expect(bob.page.locator("#ready")).to_be_visible()
    expect(alice.page.get_by_text("Bob")).to_be_visible()
    alice.page.locator("#ready").click()
    expect(alice.page.locator("#ready")).to_have_text("Wait, not ready yet")
    bob.page.locator("#ready").click()
    for visitor in pair:
        expect(visitor.page.locator("#freshness")).to_have_attribute("data-status", "running")
    line.wait_for(2)
    assert [said["act"] for said in line.said[:2]] == ["here", "pong"]


def test_server_s_time_is_that_of_the_quickest_message(pair: tuple[Visitor, Visitor], site: Site) -> None:
    """All are late by their way here: the one that was least late says most, and the device's clock says nothing."""
    _, bob = pair
    line = _Line(bob.page)
    page = bob.go(_seat(site))
    line.wait_for(1)
    clock = "() => tesela.matchNow() - Math.floor(performance.now())"
    start = page.evaluate(clock)
    now = page.evaluate("() => Date.now()")
    line.ping("late", now - 5000)
    assert abs(page.evaluate(clock) - start) < 50
    page.evaluate("() => { Date.now = () => 0; }")
    line.ping("quick", now + 60_000)
    quick = page.evaluate(clock)
    assert 40_000 < quick - start < 65_000
    line.ping("late again", now + 30_000)
    assert abs(page.evaluate(clock) - quick) <= 1
