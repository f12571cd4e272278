"""A page that keeps itself up to date as live.js does: it reconnects by itself, polls, and never goes back in time."""

from __future__ import annotations

import re
import time
from itertools import pairwise
from random import Random

from tests.faults.page import FRESHNESS, Lost, Page

POLL_WITHOUT_SOCKET_S, POLL_WITH_SOCKET_S = 2.5, 30.0
RECONNECT_WITHIN_S = 4.0
"""As in live.js."""

Stamp = tuple[int, int]

NAMED = r'<[a-z]+ (?:[^<>]* )?id="(?P<name>[a-z-]+)"'
PIECE = re.compile(rf"(?={NAMED}[^>]*hx-swap-oob)")
SINCE = re.compile(r"<!--since (\d+) (\d+)-->")


class Screen(Page):
    """`shown` is the stamp (version and own version) that its reader sees, and `pieces` are those on it by their ids;
    `chat` is all that came over its sockets and was no drawing of the match.
    """

    def __init__(self, address: str, slug: str, session: str) -> None:
        super().__init__(address, slug, session)
        self.shown: Stamp = (0, 0)
        self.pieces: dict[str, str] = {}
        self.chat = ""
        self.chance = Random()
        self._tries = 0
        self._next_try = 0.0
        self._polled_at = time.monotonic()

    def keep_up(self, within_s: float) -> None:
        """Do what the page's scripts do for so long. Never raises."""
        if not self.is_open and time.monotonic() >= self._next_try:
            try:
                self.open()
                self._tries = 0
            except Lost:
                self._tries += 1
                self._next_try = time.monotonic() + self.chance.random() * min(RECONNECT_WITHIN_S, 2.0**self._tries)
        self.wait_for_news(within_s)
        pause = POLL_WITH_SOCKET_S if self.is_open else POLL_WITHOUT_SOCKET_S
        if time.monotonic() - self._polled_at >= pause:
            self._poll()

    def _poll(self) -> None:
        self._polled_at = time.monotonic()
        version, own = self.shown
        try:
            status, answer = self.live(version=str(version), own=str(own))
        except Lost:
            return
        if status == 200:
            self.draw(answer)

    def draw(self, drawn: str) -> None:
        """Show the pieces, unless they are older than what is shown. Those that only bring what has changed since
        another stamp than ours are of no use: then the page asks for the whole.
        """
        stamp, since = stamp_of(drawn), SINCE.match(drawn)
        if stamp is None or stamp < self.shown:
            return
        if since is None:
            self.pieces = pieces_of(drawn)
        elif (int(since[1]), int(since[2])) == self.shown:
            self.pieces = {**self.pieces, **pieces_of(drawn)}
        else:
            self._poll()
            return
        self.shown = stamp

    def is_up_to_date(self) -> bool:
        """Whether it shows what a page that is opened now would show."""
        try:
            status, fresh = self.live()
        except Lost:
            return False
        return status == 200 and stamp_of(fresh) == self.shown and self._agrees_with(fresh)

    def differs_by(self) -> tuple[object, ...]:
        """For a test that fails: what it shows, whether its socket is open, and what a page opened now would show."""
        try:
            status, fresh = self.live()
        except Lost:
            return self.shown, self.is_open, "no answer"
        ours, theirs = self.pieces, pieces_of(fresh)
        other = [name for name in OF_THE_VERSION & theirs.keys() if ours.get(name) != theirs[name]]
        return self.shown, self.is_open, status, stamp_of(fresh), other

    def _agrees_with(self, fresh: str) -> bool:
        ours, theirs = self.pieces, pieces_of(fresh)
        return all(ours.get(name) == theirs[name] for name in OF_THE_VERSION & theirs.keys())

    def _shows(self) -> Stamp:
        return self.shown

    def _take_in(self, frame: str) -> None:
        super()._take_in(frame)
        self.draw(frame)
        if stamp_of(frame) is None:
            self.chat += frame


OF_THE_VERSION = {"board", "hand", "prompt", "turn-key"}
"""Pieces that are the same in all drawings of a version for one viewer; who is there, and times, change beside it. A
match that is over has no form any more, and so no key of the turn."""


def stamp_of(drawn: str) -> Stamp | None:
    """The stamp of what was drawn; None if the match was not."""
    found = FRESHNESS.search(drawn)
    return (int(found[1]), int(found[2])) if found else None


def pieces_of(drawn: str) -> dict[str, str]:
    """The pieces to be swapped in, by their ids."""
    found = {}
    drawn = drawn.partition("<!--answers")[0]
    begins = [piece.start() for piece in PIECE.finditer(drawn)]
    for begin, end in pairwise([*begins, len(drawn)]):
        name = PIECE.match(drawn, begin)
        assert name is not None, "a piece begins here"
        found[name["name"]] = drawn[begin:end].strip()
    return found
