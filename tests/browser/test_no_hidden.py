"""What reaches a browser holds no tile of another hand: pages, sockets, polls and scripts, byte for byte."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Response, WebSocket

from tests.browser.boards import look, play_one, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.server import Site

ACTS = 16

TILE = re.compile(r"(?<![\w-])(?:#m-)?([RYGBV](?:0|[TCSF][1-4]))(?![\w-])")
SPRITE = re.compile(r'<svg class="m-sprite".*?</svg>', re.DOTALL)


class _Ear:
    """Everything that one page receives, as text."""

    def __init__(self, page: Page) -> None:
        self._texts: list[str] = []
        self._responses: list[Response] = []
        page.on("response", self._note)
        page.on("websocket", self._listen)

    def _note(self, response: Response) -> None:
        self._responses.append(response)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self._texts.append(str(frame)))

    def heard(self) -> str:
        """What has come since the last time, without the drawings of all tiles that every page has."""
        texts = [response.text() for response in self._responses if "/matches/" in response.url]
        texts += self._texts
        self._responses.clear()
        self._texts.clear()
        return SPRITE.sub("", "\n".join(texts))


def test_no_browser_receives_a_tile_of_another_hand(visit: Visit, site: Site) -> None:
    """After every act, what came to the opponent and to a guest names no tile that only the mover holds."""
    alice, bob, guest = visit("alice"), visit("bob"), visit()
    ears = {name: _Ear(visitor.page) for name, visitor in (("alice", alice), ("bob", bob), ("guest", guest))}
    slug = site.ask("seat_match", players=["alice", "bob"], seed=6, until="ply:3")["slug"]
    pages = [visitor.go(f"/matches/{slug}/") for visitor in (alice, bob, guest)]
    heard_own = 0
    for _ in range(ACTS):
        trace = site.ask("state", slug=slug)["trace"]
        hands = dict(zip(("alice", "bob"), map(set, trace["hands"]), strict=True))
        open_tiles = set(trace["table"].values()).union(*trace["taken"])
        for name, ear in ears.items():
            heard = set(TILE.findall(ear.heard()))
            for owner, hand in hands.items():
                if owner == name:
                    heard_own += bool(hand & heard)
                else:
                    assert not (hand - open_tiles - hands.get(name, set())) & heard, f"{name} learns of {owner}'s hand"
        mover = next(page for page in pages if look(page).my_turn)
        seen = look(mover)
        play_one(mover, seen)
        for page in pages:
            wait_for_version(page, seen.version)
    assert heard_own > ACTS, "each player has received the own hand, so tiles are found where they are named"
