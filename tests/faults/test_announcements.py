"""Announcements that come twice, late, out of order, or never: every page ends at the newest, and none goes back."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import pytest

from accounts.people.hub import Hub, Message
from accounts.people.models import User
from games.contract import registry
from games.matches import lookout
from games.matches.models import Match
from tests.contract.sampled import TOY
from tests.matches.auctions import auction, bid
from tests.matches.browsing import browser
from tests.matches.conftest import move_form, player_to_move, sit_down
from tests.matches.playing import play_form
from tests.matches.wire import Socket, do, version_of, watching
from tests.sizes import size

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

MATCHES = size("matches with unreliable announcements", ci=3, soak=60)
MOVES = 8
FATES = ("sent", "doubled", "late", "lost")
PATIENCE_S = 20


class Unreliable:
    """Stands before the hub: sends on what it is given once, twice, later than what came after, or never."""

    def __init__(self, send: Callable[[Hub, str, Message], Awaitable[None]], chance: Random) -> None:
        self._send = send
        self._chance = chance
        self._late: list[tuple[str, Message]] = []
        self.fates: list[str] = []

    async def send(self, hub: Hub, group: str, message: Message) -> None:
        fate = self._chance.choice(FATES)
        self.fates.append(fate)
        if fate == "late":
            self._late.append((group, message))
            return
        for _ in range({"sent": 1, "doubled": 2, "lost": 0}[fate]):
            await self._send(hub, group, message)
        if self._late and self._chance.random() < 0.5:
            await self._send(hub, *self._late.pop())


@pytest.fixture
def unreliable(monkeypatch: pytest.MonkeyPatch) -> Unreliable:
    """What all announcements go through; and a lookout that does not let this test wait for long."""
    monkeypatch.setitem(registry._added, TOY.slug, TOY)
    made = Unreliable(Hub.send, Random(MATCHES))
    monkeypatch.setattr(Hub, "send", lambda hub, group, message: made.send(hub, group, message))
    monkeypatch.setattr(lookout, "LOOK_EVERY_S", 0.2)
    return made


async def versions_until(socket: Socket, newest: int) -> list[int]:
    """Of all that comes until the newest has come."""
    found: list[int] = []
    async with asyncio.timeout(PATIENCE_S):
        while not found or found[-1] < newest:
            found.append(version_of(await socket.hear()))
    return found


def play_on(match: Match) -> None:
    for _ in range(MOVES):
        play_form(match, player_to_move(match), move_form(match), seconds=match.ply + 1)
        match.refresh_from_db()


async def test_every_socket_ends_at_the_newest_version_and_none_goes_back(
    alice: User, bob: User, mallory: User, unreliable: Unreliable
) -> None:
    for _ in range(MATCHES):
        match = await do(sit_down, alice, bob)
        async with AsyncExitStack() as stack:
            sockets = [await stack.enter_async_context(watching(match, user)) for user in (alice, bob, mallory, None)]
            await do(play_on, match)
            for socket in sockets:
                versions = await versions_until(socket, match.version)
                assert versions == sorted(set(versions)), "each at most once, and in order"
                assert await socket.hears_nothing()
    assert set(unreliable.fates) == set(FATES)


async def test_what_only_the_own_seat_sees_comes_as_well(alice: User, bob: User, unreliable: Unreliable) -> None:
    """A bid that waits changes no version: alice's other page learns of it, and bob's hears nothing."""
    for number in range(MATCHES):
        match = await do(auction, alice, bob)
        async with watching(match, alice) as hers, watching(match, bob) as his:
            await do(bid, match, alice, 3000 + number)
            async with asyncio.timeout(PATIENCE_S):
                frame = await hers.hear()
            assert re.search(r'data-own="[1-9]', frame)
            assert await his.hears_nothing()


async def test_the_poll_brings_what_no_socket_told(alice: User, bob: User, unreliable: Unreliable) -> None:
    match = await do(sit_down, alice, bob)
    shown = match.version
    await do(play_on, match)

    def poll(version: int) -> Any:
        return browser(bob).get(f"/matches/{match.slug}/live/", {"version": str(version), "stage": "match"})

    answer = await do(poll, shown)
    assert version_of(answer.content.decode()) == match.version
    assert (await do(poll, match.version)).status_code == 204
