"""One keeper's and one door's clocks jump by minutes: the database's counts, and no match notices."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.matches import clock
from tests.faults.crowd import Crowd, wait_until
from tests.faults.house import KEEPERS, House

pytestmark = [pytest.mark.own_stores, pytest.mark.postgres]

JUMPING = {
    "TESELA_CLOCK_JUMPS": "0 180 -240 60 0 -90",
    "TESELA_CLOCK_JUMPS_EVERY": "1.5",
    "PYTHONPATH": str(Path(__file__).parent / "clock_jumps"),
}
LEFT_MS = 9_000
PLAYS_FOR_MOVES = 15
EARLY_S = clock.JUMP.total_seconds()
"""Less is no jump, but what a busy machine may do to a measurement; tests/matches/test_clock.py has it to the ms."""
LATE_S = 20.0
"""The smallest jump is a minute."""
FALLS_WITHIN_S = 60


@pytest.fixture
def odd_house(own_house: House) -> Iterator[House]:
    """Its second door and its second keeper live by clocks that jump."""
    odd = [own_house.doors[1], KEEPERS[1]]
    own_house.ask("clear")
    own_house.kill(odd)
    own_house.launch(odd, JUMPING)
    own_house.wait_until_open()
    yield own_house
    own_house.kill(odd)
    own_house.start(odd)


def test_clocks_that_jump_move_no_match(odd_house: House) -> None:
    """No outage is found where none was, rounds open once and in time, and a flag falls when the database says so."""
    known, written = len(odd_house.ask("outages")), len(odd_house.log)
    people = ["alice", "bob"]
    crowd = Crowd(odd_house, seed=11)
    try:
        crowd.sit_down("m", people, 1)
        crowd.sit_down("blockyou", [*people, "carol"], 1)
        slug = odd_house.ask("seat_match", players=people, seed=5, limit=[300_000, 5_000])["slug"]
        began = time.time()
        odd_house.ask("set_clock", slug=slug, left=LEFT_MS)
        wait_until(lambda: odd_house.ask("state", slug=slug)["status"] == "over", FALLS_WITHIN_S, "the flag falls")
        fell_after = time.time() - began
        assert odd_house.ask("audit", slug=slug)["down_s"] == 0
        crowd.wait_for_moves(PLAYS_FOR_MOVES)
        crowd.rest()
        crowd.wait_until_all_show_the_same(20)
        crowd.look_through()
    finally:
        crowd.go_home()
    assert LEFT_MS / 1000 - EARLY_S < fell_after < LEFT_MS / 1000 + LATE_S
    assert odd_house.ask("outages")[known:] == []
    assert "Traceback" not in odd_house.log[written:]
