"""Without Redis people play on, slower; without the database they are told; and when it is back, all is as before."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from statistics import median

import pytest

from tests.faults.crowd import wait_until
from tests.faults.house import House
from tests.faults.page import Lost
from tests.faults.screen import Screen
from tests.faults.stores import Stores
from tests.faults.visitor import Visitor

pytestmark = [pytest.mark.own_stores, pytest.mark.postgres]

COMES_WITHIN_S = 20
"""Seconds, where it takes few on a machine that is not busy."""

AT_ONCE_S = 1.0
"""Sooner than by any look at what was missed: an announcement has brought it."""

TOLD_WITHIN_S = 15
"""Of the database being away; the pool waits five seconds for a connection."""

LINES_AT_MOST = 60
"""In the log, of all four processes, however much is tried meanwhile."""

PASSWORD = "a tile on the table"


class Two:
    """Alice and bob at a match of M, each at their own door; their screens are kept up to date as they wait."""

    def __init__(self, house: House) -> None:
        house.ask("clear")
        self.house = house
        sessions = [house.ask("add_person", username=name, display_name=name) for name in ("alice", "bob")]
        self.slug = house.ask("seat_match", players=["alice", "bob"], seed=7)["slug"]
        self.alice, self.bob = (
            Screen(address, self.slug, session) for address, session in zip(house.addresses, sessions, strict=True)
        )
        self._moves = 0
        self.wait_until(lambda: self.alice.is_open and self.bob.is_open and self.bob.shown > (0, 0), "both are there")

    def wait_until(self, is_so: object, what: str) -> None:
        def look() -> bool:
            self.alice.keep_up(0.02)
            self.bob.keep_up(0.02)
            return bool(is_so())  # type: ignore[operator]

        wait_until(look, COMES_WITHIN_S, what)

    def form(self) -> tuple[Screen, dict[str, str]]:
        """The screen of whoever is to move, and a move with a key of its own."""
        self._moves += 1
        (found,) = self.house.ask("open_moves", slug=self.slug)
        mover = self.alice if found["username"] == "alice" else self.bob
        return mover, {"move": found["text"], "turn_key": found["turn_key"], "key": f"move-{self._moves}"}

    def move(self) -> float:
        """Somebody moves over the socket; how many seconds until the other's screen shows it."""
        mover, form = self.form()
        other = self.bob if mover is self.alice else self.alice
        before, began = other.shown, time.monotonic()
        self.wait_until(lambda: mover.is_open, "the socket is open")
        mover.send("move", **form)
        self.wait_until(lambda: form["key"] in mover.answers, "the move is answered")
        assert mover.answers[form["key"]] is None
        self.wait_until(lambda: other.shown > before, "the other sees it")
        return time.monotonic() - began


@pytest.fixture
def two(own_house: House) -> Iterator[Two]:
    """Both at their screens."""
    two = Two(own_house)
    yield two
    two.alice.hang_up()
    two.bob.hang_up()


@pytest.fixture
def stores(own_house: House) -> Iterator[Stores]:
    """The house's; they run again in the end."""
    assert own_house.stores is not None
    yield own_house.stores
    own_house.stores.start()


def lines_since(house: House, written: int) -> list[str]:
    """What the log has got since it was so long; no traceback may be in it."""
    lines = house.log[written:].splitlines()
    assert not [line for line in lines if line.startswith("Traceback")], house.log[written:]
    return lines


def test_without_redis_people_sign_up_log_in_chat_and_play_slower(own_house: House, two: Two, stores: Stores) -> None:
    """A socket that opens meanwhile is as good as any; and once Redis is back, news comes at once again."""
    written = len(own_house.log)
    two.move()
    stores.redis.stop()
    took = [two.move()]
    two.bob.hang_up()
    two.alice.hang_up()
    took += [two.move(), two.move()]

    visitor = Visitor(own_house.address)
    account = {"username": "dora", "display_name": "Dora", "email": "dora@example.org", "password1": PASSWORD}
    assert visitor.send("/account/signup/", **account)[0] == 200
    assert own_house.ask("is_registered", username="dora")
    another = Visitor(own_house.addresses[1])
    status, page = another.send("/account/login/", login="dora", password=PASSWORD)
    assert status == 200
    assert "Dora" in page
    assert another.read("/lobby/")[0] == 200

    two.alice.send("say", room="players", text="Can you hear me?", key="line-1")
    two.wait_until(lambda: "Can you hear me?" in two.bob.chat, "bob reads what alice has said")
    mover, form = two.form()
    assert mover.post("move", **form) == (200, None)

    stores.redis.start()
    two.wait_until(lambda: two.move() < AT_ONCE_S, "news comes at once again")
    lines = lines_since(own_house, written)
    assert len(lines) < LINES_AT_MOST, "\n".join(lines)
    print(f"moves seen without Redis: median {median(took):.1f} s; {len(lines)} lines in the log")  # noqa: T201


def test_without_the_database_people_are_told_and_nothing_is_half_done(
    own_house: House, two: Two, stores: Stores
) -> None:
    written = len(own_house.log)
    two.move()
    mover, form = two.form()
    before = own_house.ask("audit", slug=two.slug)
    stores.postgres.stop("fast")

    began = time.monotonic()
    assert mover.post("move", **form) == (503, "503")
    status, _page = mover.request("GET", f"/matches/{two.slug}/")
    assert status == 503
    mover.send("move", **form)
    while form["key"] not in mover.answers and time.monotonic() - began < 3 * TOLD_WITHIN_S:
        mover.wait_for_news(0.1)
    assert mover.answers.pop(form["key"]) == "away"
    assert mover.is_open, "who is told so keeps the socket"
    took = time.monotonic() - began
    assert took < 3 * TOLD_WITHIN_S
    other = two.bob if mover is two.alice else two.alice
    other.hang_up()
    with pytest.raises(Lost):
        other.open()
    guest = Screen(own_house.address, two.slug, "")
    guest.open()

    stores.postgres.start()
    began = time.monotonic()
    wait_until(lambda: mover.post("move", **form) == (200, None), COMES_WITHIN_S, "the same move is taken")
    back = time.monotonic() - began
    two.wait_until(lambda: two.alice.is_up_to_date() and two.bob.is_up_to_date(), "both screens are right again")

    def guest_sees_it() -> bool:
        guest.keep_up(0.1)
        return guest.is_up_to_date()

    wait_until(guest_sees_it, COMES_WITHIN_S, "and the guest's")
    guest.hang_up()
    two.move()
    after = own_house.ask("audit", slug=two.slug)
    assert len(after["keys"]) == len(before["keys"]) + 2
    lines = [line for line in lines_since(own_house, written) if not re.search(r"^\s|^DETAIL|psycopg\.pool", line)]
    assert len(lines) < LINES_AT_MOST, "\n".join(lines)
    print(f"told after {took:.1f} s in all, playing again after {back:.1f} s; {len(lines)} lines in the log")  # noqa: T201
