"""Kill -9 in the middle of rounds: the match goes on, no accepted claim is lost, and no round opens twice."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pytest

from tests.faults.house import KEEPERS, House
from tests.faults.page import Lost, Page
from tests.sizes import size

pytestmark = pytest.mark.soak

PEOPLE = ("alice", "bob", "carol")
KILLS = size("kills", ci=4 if os.environ.get("DATABASE_URL") else 2, soak=100)
"""In a slice each part of the house once, and all of it."""

MATCHES = 5
ENOUGH = 4
BETWEEN_CLAIMS_S = 0.15
GOES_ON_WITHIN_S = 90
DOWN_AFTER_S = 5.0


class Evening:
    """Some people at some matches of BlockYou!, all at the same time, who claim what comes to their minds.

    `accepted` are the claims, by match and key, that the house has said it took; `heard`, whether sockets bring news.
    """

    def __init__(self, house: House, chance: Random) -> None:
        self.house = house
        self.chance = chance
        self.accepted: dict[str, dict[str, str]] = {}
        self.audits: dict[str, dict[str, Any]] = {}
        self.running: list[str] = []
        self.heard = False
        self._sessions = {name: house.ask("add_person", username=name, display_name=name) for name in PEOPLE}
        self._pages: dict[tuple[str, str], Page] = {}
        self._claims = 0
        self.fill_up()

    def fill_up(self) -> None:
        """Begin matches for those that have ended."""
        while len(self.running) < MATCHES:
            slug = self.house.ask("seat_match", players=PEOPLE, seed=self.chance.random(), game="blockyou")["slug"]
            self.running.append(slug)
            self.accepted[slug] = {}
            for name in PEOPLE:
                self._pages[slug, name] = Page(self.house.address, slug, self._sessions[name])

    def play(self, until: Callable[[], bool]) -> None:
        """Claim here and there until then, whether the house is open or not."""
        while not until():
            slug = self.chance.choice(self.running)
            if claims := self.house.ask("open_claims", slug=slug):
                self._claim(slug, **self.chance.choice(claims))
            for page in self._pages.values():
                page.hear()
                assert page.versions == sorted(page.versions), "nobody is led back in time"
                self.heard = self.heard or bool(page.versions)
            time.sleep(self.chance.random() * BETWEEN_CLAIMS_S)

    def _claim(self, slug: str, username: str, turn_key: str, text: str) -> None:
        """By request, or over the socket and then, as from a page that heard no answer, once more by request."""
        self._claims += 1
        page = self._pages[slug, username]
        form = {"move": text, "turn_key": turn_key, "key": f"claim-{self._claims}"}
        try:
            if self.chance.random() < 0.5:
                page.send("move", **form)
            status, code = page.post("move", **form)
        except Lost:
            return
        # Who has missed three rounds while their socket was away has left.
        assert status in (200, 409, 422) or code == "not-seated", (status, code)
        if status == 200:
            self.accepted[slug][form["key"]] = text

    def play_on(self) -> None:
        """Play until some more claims have been accepted and a round has opened: the matches go on."""
        self.fill_up()
        began = sum(map(len, self.accepted.values()))
        self.wait_for(lambda: sum(map(len, self.accepted.values())) >= began + ENOUGH)

    def wait_for(self, until: Callable[[], bool]) -> None:
        """Play until then, and until sockets have brought some news as well; both must come."""
        deadline = time.monotonic() + GOES_ON_WITHIN_S

        def has_come() -> bool:
            assert time.monotonic() < deadline, "the matches go on, and sockets tell of it"
            return until() and self.heard

        self.play(has_come)

    def is_in_a_round(self) -> bool:
        """Whether somewhere somebody may claim."""
        return any(self.house.ask("open_claims", slug=slug) for slug in self.running)

    def hang_up(self) -> None:
        """All leave."""
        for page in self._pages.values():
            page.hang_up()

    def look_through(self) -> None:
        """All that is stored of all matches is sound, nothing that was accepted is missing, nothing doubled."""
        for slug in self.running:
            audit = self.house.ask("audit", slug=slug)
            assert self.accepted[slug].items() <= audit["keys"].items()
            assert audit["opened"] == sorted(set(audit["opened"])), "every round opens once"
            before = self.audits.get(slug, {"opened": [], "reached": 0, "down_s": 0})
            assert len(audit["opened"]) >= len(before["opened"])
            assert audit["reached"] >= before["reached"]
            self.audits[slug] = audit
        self.running = [slug for slug in self.running if self.audits[slug]["status"] == "running"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Open. Nothing unexpected may stand in its log in the end."""
    house = House(tmp_path_factory.mktemp("house"))
    try:
        house.open()
        yield house
        assert "Traceback" not in house.log, house.log
    finally:
        house.close()


@pytest.fixture
def evening(house: House) -> Iterator[Evening]:
    """Under way, with nobody else in the house."""
    house.ask("clear")
    evening = Evening(house, Random(KILLS))
    evening.play_on()
    yield evening
    evening.hang_up()


def kill_while_playing(evening: Evening, parts: Sequence[str]) -> None:
    """Kill these in the middle of a round, with claims on their way; people go on as if nothing were."""
    killed = threading.Event()

    def kill() -> None:
        evening.house.kill(parts)
        killed.set()

    evening.wait_for(evening.is_in_a_round)
    timer = threading.Timer(evening.chance.uniform(0, 0.5), kill)
    timer.start()
    evening.play(until=killed.is_set)
    timer.join()


def test_killed_in_the_middle_of_rounds_the_matches_go_on(evening: Evening) -> None:
    """Any part of the house, or all of it; started again at once, or a little later."""
    house = evening.house
    victims = [house.parts, *((part,) for part in house.parts)]
    for number in range(KILLS):
        parts = victims[number % len(victims)]
        kill_while_playing(evening, parts)
        evening.look_through()
        time.sleep(evening.chance.choice([0, 0, 0.5, 1.5]))
        house.start(parts)
        evening.play_on()
    evening.look_through()


def test_match_time_stands_still_while_the_house_is_down(evening: Evening) -> None:
    """For every match by all that was down, whether nothing of the house was left, or only the keepers were gone."""
    house, started = evening.house, list(evening.running)
    evening.look_through()
    before, known_of = dict(evening.audits), len(house.ask("outages"))
    for parts in [house.parts, *([KEEPERS] if len(house.parts) > 1 else [])]:
        known = len(house.ask("outages"))
        kill_while_playing(evening, parts)
        time.sleep(DOWN_AFTER_S + 1)
        house.start(parts)
        evening.wait_for(lambda known=known: len(house.ask("outages")) > known)  # type: ignore[misc]
        evening.play_on()
        evening.look_through()
        outages = house.ask("outages")[known_of:]
        assert min(outages) > DOWN_AFTER_S
        for slug in set(started).intersection(evening.running):
            down_s = evening.audits[slug]["down_s"] - before[slug]["down_s"]
            assert down_s == pytest.approx(sum(outages), abs=0.001)
