"""People who play on whatever happens: each at a screen of one match, in a thread of their own.

They move when it is their turn, over the socket or by form, and keep asking until the house has said yes or no, each
time with the same key, as a page does.
"""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.faults.house import House
from tests.faults.page import Lost
from tests.faults.screen import Screen

THINKS_S = 0.1
ANSWER_WITHIN_S = 3.0
"""After so long without an answer over the socket the person asks once more, by form."""

AWAY = (500, 503)


class Player(threading.Thread):
    """One person at one match. `accepted` are the moves by key that the house has said it took."""

    def __init__(self, screen: Screen, username: str, house: House, chance: Random) -> None:
        super().__init__(name=f"{username} at {screen.slug}", daemon=True)
        self.screen = screen
        self.username = username
        self.accepted: dict[str, str] = {}
        self.faults: list[str] = []
        self.resting = threading.Event()
        self._house = house
        self._chance = chance
        self._ended = threading.Event()
        self._moves = 0
        self._looked_at: object = None
        screen.chance = chance

    def run(self) -> None:
        try:
            while not self._ended.is_set():
                self.screen.keep_up(self._chance.random() * THINKS_S)
                if not self.resting.is_set():
                    self._play()
        except Exception as error:
            self.faults.append(repr(error))
            raise
        finally:
            self.screen.hang_up()

    def end(self) -> None:
        """Leave."""
        self._ended.set()

    def stands_at(self) -> list[str]:
        """For a test that fails: what it is doing, which may keep it from looking at its screen."""
        frame = sys._current_frames().get(self.ident or 0)
        return [f"{where.name}:{where.lineno}" for where in traceback.extract_stack(frame)][-8:]

    def _play(self) -> None:
        """Move if it is this person's turn, and not before the screen shows something new."""
        if 'data-turn="1"' not in self.screen.pieces.get("freshness", "") and self._chance.random() < 0.8:
            return
        open_now = self._house.ask("open_moves", slug=self.screen.slug)
        for form in open_now:
            if form["username"] == self.username:
                self._insist(form["text"], form["turn_key"])
                return

    def _insist(self, text: str, turn_key: str) -> None:
        """Until there is an answer. Only a yes counts: what was refused may have been overtaken."""
        self._moves += 1
        key = f"{self.username}-{self._moves}"
        form = {"move": text, "turn_key": turn_key, "key": key}
        if self._chance.random() < 0.5 and self._by_socket(form):
            return
        while not self._ended.is_set():
            try:
                status, code = self.screen.post("move", **form)
            except Lost:
                status, code = 503, None
            if status not in AWAY:
                if status not in (200, 409, 422) and code != "not-seated":
                    self.faults.append(f"{status} {code} to {form}")
                if status == 200:
                    self.accepted[key] = text
                return
            self.screen.keep_up(0.3)

    def _by_socket(self, form: dict[str, str]) -> bool:
        """Whether a clear answer came."""
        key, screen = form["key"], self.screen
        if not screen.is_open:
            return False
        try:
            screen.send("move", **form)
        except Lost:
            return False
        deadline = time.monotonic() + ANSWER_WITHIN_S
        while key not in screen.answers:
            if time.monotonic() > deadline or not screen.is_open:
                return False
            screen.wait_for_news(0.1)
        code = screen.answers.pop(key)
        if code in FAILURES:
            return False
        if code is None:
            self.accepted[key] = form["move"]
        return True


SAME_PEOPLE = 20
"""Matches that people of the same names begin."""

FAILURES = ("failed", "503", "away")
"""Codes of refusals that say: try again."""


class Crowd:
    """All who play, their matches, and what the house has stored of these."""

    def __init__(self, house: House, seed: int) -> None:
        self.house = house
        self.players: list[Player] = []
        self._chance = Random(seed)
        self._sessions: dict[str, str] = {}
        self._begun = 0
        self._audits: dict[str, dict[str, Any]] = {}

    def sit_down(self, game: str, people: Sequence[str], matches: int) -> None:
        """Begin so many matches of these people, each of them at the next door."""
        for _ in range(matches):
            # Nobody may open very many in an hour: then others of these names come.
            again = self._begun // SAME_PEOPLE
            self._begun += 1
            names = [f"{name}{again or ''}" for name in people]
            for name in names:
                if name not in self._sessions:
                    self._sessions[name] = self.house.ask("add_person", username=name, display_name=name)
            slug = self.house.ask("seat_match", players=names, seed=self._chance.random(), game=game)["slug"]
            for name in names:
                address = self.house.addresses[len(self.players) % len(self.house.addresses)]
                screen = Screen(address, slug, self._sessions[name])
                player = Player(screen, name, self.house, Random(self._chance.random()))
                self.players.append(player)
                player.start()

    @property
    def slugs(self) -> list[str]:
        """Of all matches, in order."""
        return list(dict.fromkeys(player.screen.slug for player in self.players))

    @property
    def accepted(self) -> int:
        """How many moves the house has said it took."""
        return sum(len(player.accepted) for player in self.players)

    @property
    def all_is_over(self) -> bool:
        """Whether every screen shows a match that has ended, so that there is nothing left to play."""
        return all('data-status="over"' in player.screen.pieces.get("freshness", "") for player in self.players)

    def wait_for_moves(self, number: int, within_s: float = 60) -> None:
        """Until so many more have been accepted, or all is over: play goes on."""
        enough = self.accepted + number
        wait_until(
            lambda: self.accepted >= enough or self.all_is_over,
            within_s,
            "play goes on",
            lambda: [
                (p.name, p.is_alive(), p.faults, p.screen.is_open, p.screen.pieces.get("freshness", "")[:200])
                for p in self.players
            ],
        )

    def rest(self, resting: bool = True) -> None:
        """Nobody moves, until they go on; all go on looking."""
        for player in self.players:
            if resting:
                player.resting.set()
            else:
                player.resting.clear()

    def wait_until_all_show_the_same(self, within_s: float) -> float:
        """Until every screen shows, by itself, what the server would draw for it now; how many seconds it took."""
        began = time.monotonic()
        wait_until(
            lambda: all(player.screen.is_up_to_date() for player in self.players),
            within_s,
            "all screens converge",
            lambda: [
                (p.name, *p.screen.differs_by(), p.stands_at()) for p in self.players if not p.screen.is_up_to_date()
            ],
        )
        return time.monotonic() - began

    def look_through(self) -> None:
        """What is stored is sound, nothing that was accepted is missing, nothing doubled, nothing settled twice."""
        assert [fault for player in self.players for fault in player.faults] == []
        for slug in self.slugs:
            audit = self.house.ask("audit", slug=slug)
            for player in self.players:
                if player.screen.slug == slug:
                    assert player.accepted.items() <= audit["keys"].items(), player.name
            assert audit["doubled"] == [], slug
            assert audit["opened"] == sorted(set(audit["opened"])), "every round opens once"
            before = self._audits.get(slug, {"opened": [], "reached": 0})
            assert len(audit["opened"]) >= len(before["opened"])
            assert audit["reached"] >= before["reached"]
            self._audits[slug] = audit

    def end_those_that_are_over(self) -> int:
        """Leave the matches that have ended; how many go on."""
        over = {slug for slug, audit in self._audits.items() if audit["status"] != "running"}
        for player in [player for player in self.players if player.screen.slug in over]:
            player.end()
            player.join(30)
            self.players.remove(player)
        return len(self.slugs)

    def go_home(self) -> None:
        """All leave."""
        for player in self.players:
            player.end()
        for player in self.players:
            player.join(30)


def wait_until(
    is_so: Callable[[], bool], within_s: float, what: str, otherwise: Callable[[], object] = lambda: None
) -> None:
    """Look until it is so; fails with what should have been, and with what is instead."""
    deadline = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < deadline, (what, otherwise())
        time.sleep(0.05)
