"""The lobby's socket: open tables for everybody, one's own matches and whose turn it is for oneself."""

from __future__ import annotations

import re
from contextlib import AsyncExitStack
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.contrib.sessions.models import Session

from accounts.people.models import User
from games.matches import lobby_socket, sockets
from games.matches.callers import Caller
from games.matches.fragments.lobby import draw_public_half
from games.matches.services import tables
from games.matches.services.due import settle_due
from tests.matches.conftest import START, move_form, player_to_move, sit_down
from tests.matches.playing import other, play_form
from tests.matches.wire import Socket, connected, do, session_of

pytestmark = pytest.mark.django_db(transaction=True)

LOBBY = "/ws/lobby/?lang=en"


@pytest.fixture(autouse=True)
def _no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy lobby rests between two drawings; nobody wants to wait for that here."""
    monkeypatch.setattr(lobby_socket, "LOBBY_REST_S", 0)


def links(frame: str) -> list[str]:
    return re.findall(r'href="/matches/([0-9a-f]+)/"', frame)


async def arrive(socket: Socket) -> str:
    """Both halves, as they come when the socket opens."""
    return await socket.hear() + await socket.hear()


async def hear_until(socket: Socket, slug: str, *, there: bool) -> str:
    """The first frame in which the match stands, or no longer stands."""
    while True:
        frame = await socket.hear()
        assert re.match('<div id="lobby-(own|public)" class="lobby" hx-swap-oob="true">', frame)
        if (slug in links(frame)) is there:
            return frame


async def test_new_table_appears_to_all_and_a_closed_one_goes(alice: User, bob: User) -> None:
    async with connected(LOBBY, await do(session_of, bob)) as member, connected(LOBBY) as guest:
        for socket in (member, guest):
            assert links(await arrive(socket)) == []
        match = await do(sit_down, alice, seats=2, start=False)
        for socket in (member, guest):
            await hear_until(socket, match.slug, there=True)
        await do(tables.close_table, slug=match.slug, caller=Caller(alice), moment=START)
        for socket in (member, guest):
            await hear_until(socket, match.slug, there=False)


async def test_idle_table_goes_by_itself(alice: User) -> None:
    async with connected(LOBBY) as guest:
        await arrive(guest)
        match = await do(sit_down, alice, seats=2, start=False)
        await hear_until(guest, match.slug, there=True)
        await do(settle_due, moment=START + timedelta(minutes=30))
        await hear_until(guest, match.slug, there=False)


async def test_private_table_is_shown_to_its_people_alone(alice: User, bob: User) -> None:
    async with (
        connected(LOBBY, await do(session_of, alice)) as own,
        connected(LOBBY, await do(session_of, bob)) as opposite,
    ):
        await arrive(own)
        await arrive(opposite)
        private = await do(sit_down, alice, seats=2, public=False, start=False)
        await hear_until(own, private.slug, there=True)
        public = await do(sit_down, alice, seats=2, start=False)
        frame = await hear_until(opposite, public.slug, there=True)
        assert private.slug not in frame


async def test_turn_shows_in_the_lobby_of_whose_turn_it_is(alice: User, bob: User, mallory: User) -> None:
    match = await do(sit_down, alice, bob)
    mover = await do(player_to_move, match)
    waiting = other(mover, alice, bob)
    async with (
        connected(LOBBY, await do(session_of, mover)) as own,
        connected(LOBBY, await do(session_of, waiting)) as opposite,
        connected(LOBBY, await do(session_of, mallory)) as outsider,
    ):
        assert "Your turn" in await arrive(own)
        assert "Your turn" not in await arrive(opposite)
        assert "Your turn" not in await arrive(outsider)
        await do(play_form, match, mover, await do(move_form, match))
        assert "Your turn" in await opposite.hear()
        assert "Your turn" not in await own.hear()
        assert await outsider.hears_nothing(), "a move is no news to who has no seat"


async def test_burst_of_changes_is_drawn_once(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_socket, "LOBBY_REST_S", 0.3)
    async with connected(LOBBY) as guest:
        await arrive(guest)
        for _ in range(5):
            await do(sit_down, alice, seats=2, start=False)
        frames = 1
        assert len(links(await guest.hear())) > 1
        while not await guest.hears_nothing():
            await guest.hear()
            frames += 1
        assert frames <= 2


async def test_messages_to_the_lobby_do_nothing(alice: User) -> None:
    async with connected(LOBBY, await do(session_of, alice)) as socket:
        first = await arrive(socket)
        for text in ("nonsense", '{"act": "join"}', "[" * 5000, "\0"):
            await socket.send_to(text_data=text)
        await socket.send_to(bytes_data=b"\xff\x00")
        assert await socket.hears_nothing()
        await do(sit_down, alice, seats=2, start=False)
        assert await socket.hear() not in first, "and the socket lives"


async def test_lobby_that_could_not_be_drawn_is_drawn_at_the_next_change(
    alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with connected(LOBBY) as socket:
        await arrive(socket)
        with monkeypatch.context() as patch:

            def away(*args: object, **kwargs: object) -> None:
                raise ConnectionError("no database")

            patch.setattr(lobby_socket, "draw_public_half", away)
            await do(sit_down, alice, seats=2, start=False)
            assert await socket.hears_nothing()
        assert "could not be redrawn" in caplog.text
        match = await do(sit_down, alice, seats=2, start=False)
        await hear_until(socket, match.slug, there=True)


async def test_lobby_left_open_after_a_log_out_is_a_guest_s(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = 1000.0
    monkeypatch.setattr("games.matches.sockets.monotonic", lambda: moment)
    cookie = await do(session_of, alice)
    async with connected(LOBBY, cookie) as socket:
        assert "My matches" in await arrive(socket)
        await do(Session.objects.filter(session_key=cookie).delete)
        moment += sockets.KNOWN_FOR_S
        await do(sit_down, alice, seats=2, start=False)
        assert "My matches" not in await socket.hear()
        assert await socket.close_code() == sockets.NOT_YOURS


async def test_public_half_is_drawn_once_for_all_who_wait(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lobby full of onlookers costs one drawing a change, not one for each of them."""
    monkeypatch.setattr(lobby_socket, "LOBBY_REST_S", 0.2)
    drawing = Mock(wraps=draw_public_half)
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(connected(LOBBY)) for _ in range(12)]
        for socket in sockets:
            await arrive(socket)
        monkeypatch.setattr(lobby_socket, "draw_public_half", drawing)
        match = await do(sit_down, alice, seats=2, start=False)
        for socket in sockets:
            await hear_until(socket, match.slug, there=True)
    assert drawing.call_count <= 2


async def test_private_table_moves_nothing_in_other_lobbies(alice: User) -> None:
    """Not even the moment at which somebody opens a private table is for others."""
    async with connected(LOBBY) as guest:
        await arrive(guest)
        private = await do(sit_down, alice, seats=2, public=False, start=False)
        await do(tables.set_ready, slug=private.slug, caller=Caller(alice), ready=True, moment=START)
        await do(tables.close_table, slug=private.slug, caller=Caller(alice), moment=START)
        assert await guest.hears_nothing()


async def test_flood_into_the_lobby_ends_the_socket(db: None) -> None:
    async with connected(LOBBY) as guest:
        await arrive(guest)
        for _ in range(sockets.ACTS_PER_10_S + 1):
            await guest.send_to(text_data="x")
        assert "little fast" in await guest.hear()
        assert await guest.close_code() == sockets.FLOOD


async def test_own_matches_stand_once_in_one_s_lobby(alice: User, bob: User) -> None:
    """In the own half: not among those to sit down at or to watch; and back there for who has got up."""
    table = await do(sit_down, alice, seats=3, start=False)
    async with (
        connected(LOBBY, await do(session_of, alice)) as own,
        connected(LOBBY, await do(session_of, bob)) as opposite,
    ):
        assert links(await own.hear()) == [table.slug]
        public = await own.hear()
        assert not links(public)
        assert "No other table waits" in public
        assert links(await arrive(opposite)) == [table.slug]
        await do(tables.join_table, slug=table.slug, caller=Caller(bob), index=None, moment=START)
        frames: dict[str, list[str]] = {}
        while frames.get("own") != [table.slug] or frames.get("public") != []:
            frame = await opposite.hear()
            frames["own" if "lobby-own" in frame else "public"] = links(frame)
        await do(tables.leave_table, slug=table.slug, caller=Caller(bob), moment=START)
        while frames.get("own") != [] or frames.get("public") != [table.slug]:
            frame = await opposite.hear()
            frames["own" if "lobby-own" in frame else "public"] = links(frame)
