"""The open pages of somebody who is logged out, muted or barred: closed, or redrawn, as soon as that is committed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.people.models import User
from accounts.people.sanctioning import Kind, impose_sanction, lift_sanction
from accounts.people.sanctions import FOR_GOOD
from accounts.people.sessions import end_sessions
from games.matches import sockets
from games.matches.models import Match
from games.matches.sockets import CROWDED, NOT_YOURS
from tests.accounts.test_passwords_and_mail import NEW
from tests.conftest import PASSWORD
from tests.matches.browsing import browser
from tests.matches.chatting import listening, news, post, texts_of
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.wire import (
    PATIENCE_S,
    Socket,
    connected,
    do,
    match_path,
    notice_of,
    session_of,
    socket_at,
    watching,
)

pytestmark = pytest.mark.django_db(transaction=True)

LOBBY = "/ws/lobby/?lang=en"


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Lines of tests and of pages share one clock."""


def bar(user: User, kind: str = Kind.BAN) -> None:
    impose_sanction(user=user, kind=kind, reason="spam", moment=START, until=FOR_GOOD)


def log_out(user: User, cookie: str) -> None:
    client = Client()
    client.cookies["sessionid"] = cookie
    assert client.post(reverse("account_logout")).status_code == 302


def log_out_of_the_administration(user: User, cookie: str) -> None:
    client = Client()
    client.cookies["sessionid"] = cookie
    assert client.post(reverse("admin:logout")).status_code == 302


def new_password(user: User, cookie: str) -> None:
    """In another browser."""
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert browser(user).post(reverse("account_change_password"), form).status_code == 302


def new_password_by_an_administrator(user: User, cookie: str) -> None:
    user.set_password(NEW)
    user.save()


def switch_off(user: User, cookie: str) -> None:
    root = User.objects.create_superuser("root-of-tests", password=PASSWORD)
    form = {"username": user.username, "display_name": user.display_name, "email": user.email, "confirm_moves": "auto"}
    path = reverse("admin:people_user_change", args=[user.pk])
    assert browser(root).post(path, {**form, "language": "en"}).status_code == 302


ENDS: list[Callable[[User, str], object]] = [
    lambda user, cookie: bar(user),
    lambda user, cookie: bar(user, Kind.SUSPENSION),
    lambda user, cookie: end_sessions(user=user),
    log_out,
    log_out_of_the_administration,
    new_password,
    new_password_by_an_administrator,
    switch_off,
]
NAMES = ["ban", "suspension", "all sessions", "log-out", "admin's log-out", "password", "admin's password", "off"]


async def code_of(socket: Socket) -> int:
    """The code with which it is closed, whatever else comes before."""
    while True:
        output = await socket.receive_output(timeout=PATIENCE_S)
        if output["type"] == "websocket.close":
            return int(output["code"])


@pytest.mark.parametrize("end", ENDS, ids=NAMES)
async def test_all_pages_of_the_session_are_closed_and_nobody_else_s(
    alice: User, bob: User, end: Callable[[User, str], object]
) -> None:
    match = await do(sit_down, alice, bob)
    cookie = await do(session_of, alice)
    async with AsyncExitStack() as stack:

        async def opened(path: str, cookie: str) -> Socket:
            socket = await stack.enter_async_context(connected(path, cookie))
            await socket.hear()
            return socket

        own = [await opened(path, cookie) for path in (match_path(match), match_path(match, lang="es"), LOBBY)]
        others = [await opened(match_path(match), await do(session_of, bob)), await opened(match_path(match), "")]
        await do(end, alice, cookie)
        assert await asyncio.gather(*map(code_of, own)) == [NOT_YOURS] * 3
        for socket in others:
            assert await socket.hears_nothing()


async def test_another_session_of_the_person_stays_open_at_a_log_out(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    cookie = await do(session_of, alice)
    async with watching(match, alice) as there:
        await do(log_out, alice, cookie)
        assert await there.hears_nothing()


async def test_private_match_shows_nothing_to_who_is_nobody_any_more(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob, public=False)
    async with watching(match, alice) as socket:
        await do(bar, alice)
        assert await socket.close_code() == NOT_YOURS


@pytest.mark.parametrize("page", ["match", "lobby"])
async def test_what_is_said_while_a_page_connects_is_not_missed(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """The person was known before the groups were joined; in between they are barred, and nobody hears it."""
    match = await do(sit_down, alice, bob)
    join = sockets.PersonSocket._join_groups

    async def barred_first(self: Any) -> None:
        await do(bar, alice)
        await join(self)

    monkeypatch.setattr(sockets.PersonSocket, "_join_groups", barred_first)
    path = match_path(match) if page == "match" else LOBBY
    async with connected(path, await do(session_of, alice)) as socket:
        assert await code_of(socket) == NOT_YOURS


async def test_database_that_is_away_for_a_moment_closes_nobody(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = await do(sit_down, alice, bob)
    async with watching(match, alice) as socket:
        with monkeypatch.context() as patch:

            def away(*args: Any) -> None:
                raise ConnectionError

            patch.setattr(sockets, "person_now", away)
            await do(end_sessions, user=alice)
            assert await socket.hears_nothing()
        assert "could not look" in caplog.text
        await do(end_sessions, user=alice)
        assert await socket.close_code() == NOT_YOURS


# How many


async def test_one_page_too_many_is_told_so_and_room_is_free_again_when_another_closes(
    alice: User, bob: User, settings: Any
) -> None:
    settings.SOCKETS_PER_PERSON = 2
    match = await do(sit_down, alice, bob)
    cookie = await do(session_of, alice)
    async with AsyncExitStack() as stack:
        for path in (match_path(match), LOBBY):
            await (await stack.enter_async_context(connected(path, cookie))).hear()
        for path in (match_path(match), LOBBY):
            socket = socket_at(path, cookie)
            assert (await socket.connect(timeout=PATIENCE_S))[0]
            assert notice_of(await socket.hear()) == "too-many"
            assert await socket.close_code() == CROWDED
            await socket.disconnect(timeout=PATIENCE_S)
        async with watching(match, bob):
            pass  # somebody else is not in the way
    async with watching(match, alice):
        pass
    assert not sockets._open


async def test_address_has_a_limit_too_for_guests(alice: User, bob: User, settings: Any) -> None:
    settings.SOCKETS_PER_ADDRESS = 1
    match = await do(sit_down, alice, bob)

    def guest(address: str) -> Socket:
        socket = socket_at(match_path(match))
        socket.scope["client"] = (address, 4711)
        return socket

    first, second, elsewhere = guest("192.0.2.1"), guest("192.0.2.1"), guest("192.0.2.2")
    for socket in (first, second, elsewhere):
        await socket.connect(timeout=PATIENCE_S)
    assert notice_of(await second.hear()) == "too-many"
    assert await second.close_code() == CROWDED
    for socket in (first, elsewhere):
        assert notice_of(await socket.hear()) is None
    for socket in (first, second, elsewhere):
        await socket.disconnect(timeout=PATIENCE_S)


# Muted


def mute(user: User, *, reason: str = "rude words", days: int = 1) -> Any:
    until = START + timedelta(days=days)
    return impose_sanction(user=user, kind=Kind.MUTE, reason=reason, moment=START, until=until)


def test_muted_line_by_form_is_refused_with_the_reason_and_not_stored(alice: User, bob: User, settings: Any) -> None:
    settings.APPEAL_ADDRESS = "appeals@tesela.example"
    match = sit_down(alice, bob)
    mute(alice)
    answer = post(alice, match, "hello", key="k1")
    assert answer.status_code == 403
    content = answer.content.decode()
    assert 'data-code="muted"' in content
    for words in ("2026-03-02 12:00 UTC", "rude words", "appeals@tesela.example"):
        assert words in content
    plain = post(alice, match, "hello", htmx=False)
    assert plain.status_code == 403
    assert "rude words" in plain.content.decode()
    assert texts_of(match) == []


async def test_muted_line_over_the_socket_is_refused_and_not_stored(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    async with listening(match, alice, heard="players:0") as socket, watching(match, bob) as other:
        await do(mute, alice)
        frame = await socket.hear()
        assert 'data-writes=""' in frame, "the open page says so at once"
        assert "rude words" in frame
        frame = await socket.act("say", room="players", text="hello", key="k1")
        assert 'class="chat-refusal" data-code="muted"' in frame
        assert await other.hears_nothing()
        assert await do(texts_of, match) == []
        await do(post, bob, match, "you are quiet")
        assert "you are quiet" in await socket.hear(), "reading goes on"


async def test_form_comes_back_when_the_mute_is_lifted(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    sanction = await do(mute, alice)
    async with listening(match, alice, heard="players:0") as socket:
        await do(lift_sanction, sanction=sanction, moment=START)
        frame = await socket.hear()
        assert 'data-writes="players"' in frame
        assert "chat-muted" not in frame


def test_form_comes_back_by_the_poll_when_the_mute_has_ended(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob)
    mute(alice)
    assert news(alice, match, heard="players:0", reads="players", writes="").status_code == 204
    time.tick(days=2)
    answer = news(alice, match, heard="players:0", reads="players", writes="")
    assert 'data-writes="players"' in answer.content.decode()
    assert post(alice, match, "here again").status_code == 200


def page(user: User, match: Match) -> str:
    return browser(user).get(f"/matches/{match.slug}/").content.decode()


def test_page_says_beforehand_that_one_is_muted_and_to_nobody_else(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    mute(alice)
    assert "ws-send hidden>" in page(alice, match)
    assert "rude words" in page(alice, match)
    assert "rude words" not in page(bob, match)
    assert "ws-send hidden>" not in page(bob, match)


def test_what_was_said_before_the_mute_is_answered_as_before(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    assert post(alice, match, "hello", key="k1").status_code == 200
    mute(alice)
    assert post(alice, match, "hello", key="k1").status_code == 200
    assert texts_of(match) == ["hello"]


def test_reason_in_the_chat_is_text(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    mute(alice, reason="<b>rude</b>")
    assert "&lt;b&gt;rude" in post(alice, match, "hello").content.decode()
    assert "<b>rude" not in page(alice, match)


def test_moment_of_the_house_and_of_the_pages_agree_on_who_is_barred(alice: User) -> None:
    """Pages ask the machine's clock, sockets the database's: both only look whether the end has passed."""
    bar(alice)
    alice.refresh_from_db()
    assert alice.is_barred(timezone.now())
