"""What a page that connects costs the database: little, and less where many come at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from random import Random
from time import monotonic
from typing import Any

import pytest
from django.db import connection
from django.db.backends.utils import CursorWrapper

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches import consumers, rows, sockets
from games.matches.callers import Caller
from games.matches.conversations import newest_lines
from games.matches.models import Match
from games.matches.services.chat import send_line
from games.matches.services.due import settle_due
from games.matches.snapshots import snapshot
from games.matches.threads import in_db_thread
from tests.matches.chatting import listening, said_in, say
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.test_hidden_claims import claim
from tests.matches.wire import PATIENCE_S, connected, do, match_path, session_of, version_of, watching

over_sockets = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Lines, moves and pages share one clock."""


class Asked:
    """What all threads have asked the database."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def about(self, words: str) -> int:
        return sum(words in statement for statement in self.statements)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    found = Asked()

    def listened_to(ask: Callable[..., Any], place: int) -> Callable[..., Any]:
        def ask_and_note(*args: Any, **kwargs: Any) -> Any:
            found.statements.append(args[place])
            return ask(*args, **kwargs)

        return ask_and_note

    monkeypatch.setattr(CursorWrapper, "execute", listened_to(CursorWrapper.execute, 1))
    if connection.vendor == "postgresql":  # elsewhere these go the way of all others
        monkeypatch.setattr(rows, "ask", listened_to(rows.ask, 0))
    return found


@over_sockets
async def test_a_connect_asks_eight_questions_at_the_most(alice: User, bob: User, carol: User, asked: Asked) -> None:
    """The session, its person, the same once the page is told of things; the match's revision, its chat's last lines,
    and three for who is there.
    """
    match = await do(sit_down, alice, bob)
    cookie = await do(session_of, carol)
    async with watching(match, bob):
        asked.statements.clear()
        async with connected(match_path(match), cookie) as socket:
            await socket.hear()
            assert await socket.hears_nothing()
            assert 3 <= len(asked.statements) <= 8, asked.statements


@over_sockets
async def test_of_many_that_wait_one_asks_for_all(
    alice: User, bob: User, asked: Asked, make_person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody's session and person are looked up; the match itself once."""
    number = 12
    match = await do(sit_down, alice, bob)
    cookies = [await do(session_of, await do(make_person, f"onlooker{index}")) for index in range(number)]
    join = sockets.PersonSocket._join_groups
    have_joined, look_now = asyncio.Barrier(number + 1), threading.Event()
    waiting: list[Any] = []

    async def joined_together(self: Any) -> None:
        await join(self)
        await have_joined.wait()

    async def looked_together(function: Any, *args: Any, **kwargs: Any) -> Any:
        waiting.append(function)
        if len(waiting) == number:
            asyncio.get_running_loop().call_soon(look_now.set)
        return await in_db_thread(function, *args, **kwargs)

    async with watching(match, alice), AsyncExitStack() as stack:
        monkeypatch.setattr(sockets.PersonSocket, "_join_groups", joined_together)
        pages = [await stack.enter_async_context(connected(match_path(match), cookie)) for cookie in cookies]
        monkeypatch.setattr(consumers, "in_db_thread", looked_together)
        held = [asyncio.ensure_future(in_db_thread(look_now.wait, PATIENCE_S)) for _ in range(4)]
        asked.statements.clear()
        await have_joined.wait()
        for page in pages:
            assert version_of(await page.hear()) == match.version
        await asyncio.gather(*held)
        assert len(waiting) == number
        assert asked.about("SELECT revision") == 1
        assert asked.about("MAX(number)") == 1
        assert asked.about("matches_presence") <= 1
        assert asked.about("session_data") == number


@pytest.mark.django_db
def test_look_that_began_before_somebody_asked_does_not_count_for_them(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    current = snapshot(slug=match.slug, caller=Caller(alice))
    looks = iter(range(10))
    moment = monotonic()
    assert current.lately("what", lambda: next(looks), since=moment) == 0
    assert current.lately("what", lambda: next(looks), since=moment) == 0
    assert current.lately("else", lambda: next(looks), since=moment) == 1
    assert current.lately("what", lambda: next(looks), since=monotonic() + 1) == 2


@pytest.mark.django_db
def test_look_that_fails_is_none(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    current = snapshot(slug=match.slug, caller=Caller(alice))

    def fail() -> int:
        raise ConnectionError

    for _ in range(2):
        with pytest.raises(ConnectionError):
            current.lately("what", fail, since=0)
    assert current.lately("what", lambda: 7, since=0) == 7


@over_sockets
async def test_what_another_process_has_done_meanwhile_is_not_missed(alice: User, bob: User, carol: User) -> None:
    """A kept match that somebody has just looked at is asked for again by whoever comes after that."""
    match = await do(sit_down, alice, bob)
    async with watching(match, alice):
        await do(Match.objects.filter(pk=match.pk).update, version=match.version + 1, revision=match.revision + 1)
        cookie = await do(session_of, carol)
        async with connected(match_path(match, version=match.version), cookie) as socket:
            assert version_of(await socket.hear()) == match.version + 1


@over_sockets
@pytest.mark.parametrize("heard", ["spectators:1", "spectators:2"])
async def test_chat_that_a_page_has_missed_comes_with_its_connect_and_what_it_has_heard_does_not(
    alice: User, bob: User, carol: User, heard: str
) -> None:
    match = await do(sit_down, alice, bob)
    for text in ("one", "two"):
        await do(say, match, carol, text, room="spectators")
    await do(say, match, alice, "not for them")
    async with listening(match, carol, heard=heard) as socket:
        if heard == "spectators:1":
            assert said_in(await socket.hear()) == ["two"]
        assert await socket.hears_nothing()
        await do(say, match, carol, "three", room="spectators")
        assert said_in(await socket.hear()) == ["three"]


@pytest.mark.django_db
def test_newest_lines_are_those_of_the_match_by_room(alice: User, bob: User, carol: User) -> None:
    match, other = sit_down(alice, bob), sit_down(alice, bob)
    assert newest_lines(match) == {}
    say(match, alice, "one")
    say(match, bob, "two")
    send_line(slug=other.slug, caller=Caller(carol), room="spectators", text="elsewhere", key="", moment=START)
    assert newest_lines(match) == {"players": 2}


@over_sockets
async def test_own_claim_is_told_to_the_pages_of_its_match_alone(alice: User, bob: User, time: Clock) -> None:
    """They all hear of it by one group of the person's, the lobby's page too."""
    game = get_game("blockyou")

    def begun() -> Match:
        match = sit_down(alice, bob, game=game, options={})
        match.refresh_from_db()
        return match

    match, other = await do(begun), await do(begun)
    async with (
        connected("/ws/lobby/?lang=en", await do(session_of, alice)) as lobby,
        watching(other, alice) as elsewhere,
        watching(match, bob) as opponent,
        watching(match, alice) as page,
    ):
        await lobby.hear()
        await do(wait_for_round, match, time)
        for socket in (page, opponent, elsewhere):
            await socket.hear()
        await do(make_a_claim, match)
        assert version_of(await page.hear()) == match.version
        assert await elsewhere.hears_nothing()
        assert await opponent.hears_nothing()
        assert await still_open(lobby)


def wait_for_round(match: Match, time: Clock) -> None:
    time.moment = START + timedelta(seconds=5)
    settle_due(moment=time.moment)
    match.refresh_from_db()
    time.moment = match.moment_of(match.reached + 20)


def make_a_claim(match: Match) -> None:
    claim(match, match.seats.get(index=0), Random(1))
    match.refresh_from_db()


async def still_open(lobby: Any) -> bool:
    while not await lobby.receive_nothing(timeout=0.15):
        if (await lobby.receive_output(timeout=PATIENCE_S))["type"] == "websocket.close":
            return False
    return True
