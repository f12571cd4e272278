"""Whatever is killed, stopped or restarted while people play: no accepted move is lost, and all screens come right."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest

from tests.faults.crowd import Crowd
from tests.faults.house import KEEPERS, House
from tests.sizes import SOAKING, size

pytestmark = [
    pytest.mark.soak,
    pytest.mark.own_stores,
    pytest.mark.postgres,
    # Four seconds a kill on a machine with other work; each wait within has a bound of its own.
    pytest.mark.timeout(3 * 3600 if SOAKING else 400),
]

KILLS = size("random kills", ci=25, soak=1000)

CONVERGED_WITHIN_S = 10 if SOAKING else 20
"""In a slice others may keep the machine busy."""

LOOK_AFTER = 9
"""Kills between two looks at all that is stored and shown; sooner where nothing is left to play."""


class Havoc:
    """Does one thing after the other to the house. What was killed starts again beside whatever comes next."""

    def __init__(self, house: House, chance: Random) -> None:
        assert house.stores is not None
        self.house = house
        self.postgres, self.redis = house.stores.postgres, house.stores.redis
        self.done: dict[str, int] = {}
        self._chance = chance
        self._mending: list[threading.Thread] = []
        self._faults: list[Exception] = []
        self._database = threading.Lock()
        self._order: list[str] = []
        self._kinds: dict[str, Callable[[], None]] = {
            "door killed": lambda: self._kill([self._a_door()]),
            "keeper killed": lambda: self._kill([chance.choice(KEEPERS)]),
            "session of the database killed": self.postgres.kill_backend,
            "redis restarted": self._restart_redis,
            "database restarted": lambda: self._restart_database("fast"),
            "database crashed": lambda: self._restart_database("immediate"),
            "door restarted": self._roll,
            "all killed": lambda: self._kill(self.house.parts),
        }

    def strike(self) -> None:
        """The next thing; each kind comes in its turn, in an order by chance."""
        if not self._order:
            # What takes long to come back comes less often.
            self._order = [*self._kinds, *list(self._kinds)[:4]]
            self._chance.shuffle(self._order)
        kind = self._order.pop()
        self.done[kind] = self.done.get(kind, 0) + 1
        self._mending.append(threading.Thread(target=self._do, args=(self._kinds[kind],), daemon=True))
        self._mending[-1].start()

    def wait(self) -> None:
        """Until all is mended, and the house is open."""
        for mending in self._mending:
            mending.join(120)
            assert not mending.is_alive()
        self._mending.clear()
        if self._faults:
            raise self._faults[0]
        self.house.wait_until_open()

    def _do(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:
            self._faults.append(error)

    def _a_door(self) -> str:
        return self._chance.choice(self.house.doors)

    def _kill(self, parts: Sequence[str]) -> None:
        self.house.kill(parts)
        self._pause()
        self.house.launch(parts)

    def _roll(self) -> None:
        door = self._a_door()
        self.house.stop([door])
        self.house.launch([door])

    def _restart_database(self, how: str) -> None:
        with self._database:
            self.postgres.stop(how)
            self._pause()
            self.postgres.start()

    def _restart_redis(self) -> None:
        with self._database:
            self.redis.stop()
            self._pause()
            self.redis.start()

    def _pause(self) -> None:
        time.sleep(self._chance.choice([0, 0, 0.3, 1.0]))


@pytest.fixture
def crowd(own_house: House) -> Iterator[Crowd]:
    """Two matches of M and one of BlockYou!, at two doors, under way."""
    own_house.ask("clear")
    crowd = Crowd(own_house, seed=KILLS)
    try:
        fill(crowd)
        crowd.wait_for_moves(4)
        yield crowd
    finally:
        crowd.go_home()


def fill(crowd: Crowd) -> None:
    """As many matches as at the beginning."""
    games = [crowd.house.ask("game_of", slug=slug) for slug in crowd.slugs]
    crowd.sit_down("m", ["alice", "bob"], max(0, 2 - games.count("m")))
    crowd.sit_down("blockyou", ["alice", "bob", "carol"], max(0, 1 - games.count("blockyou")))


def test_whatever_is_killed_no_accepted_move_is_lost_and_all_screens_come_right(crowd: Crowd, own_house: House) -> None:
    chance = Random(KILLS)
    havoc = Havoc(own_house, chance)
    slowest, unlooked = 0.0, 0
    for number in range(KILLS):
        havoc.strike()
        time.sleep(chance.uniform(0.2, 1))
        crowd.wait_for_moves(1)
        unlooked += 1
        if unlooked == LOOK_AFTER or crowd.all_is_over or number == KILLS - 1:
            unlooked = 0
            havoc.wait()
            crowd.rest()
            slowest = max(slowest, crowd.wait_until_all_show_the_same(CONVERGED_WITHIN_S))
            crowd.look_through()
            crowd.end_those_that_are_over()
            fill(crowd)
            crowd.rest(False)
    print(f"{havoc.done}; {crowd.accepted} moves at the last tables; all screens right within {slowest:.1f} s")  # noqa: T201
