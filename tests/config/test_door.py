"""The door of the pages: a crowd waits, error pages leave nothing behind, a database that is away is told plainly."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.core.exceptions import RequestAborted
from django.db import OperationalError, connections
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.test import Client

from accounts.people.models import User
from config.asgi import application
from config.door import PagesHandler, Turnstile
from config.log import ELSEWHERE

Communicator: Any = ApplicationCommunicator


async def answer(
    path: str, client: Client | None = None, *, body: bytes | None = None, query: bytes = b"", **headers: str
) -> int:
    """The status of the answer to a GET through the door, or to a POST with that body."""
    cookies = client.cookies.output(header="", sep=";").strip() if client else ""
    named = {"host": "localhost", "cookie": cookies, **headers}
    scope = {
        "type": "http",
        "method": "GET" if body is None else "POST",
        "path": path,
        "client": ["127.0.0.1", 50_000],
        "query_string": query,
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in named.items()],
    }
    asked = Communicator(application, scope)
    await asked.send_input({"type": "http.request", "body": body or b""})
    start = await asked.receive_output(10)
    await asked.receive_output(10)
    await asked.wait(10)
    return int(start["status"])


class Room:
    """An application that counts who is inside."""

    def __init__(self) -> None:
        self.inside = self.most = self.served = 0

    async def __call__(self, *scope: Any) -> None:
        self.inside += 1
        self.most = max(self.most, self.inside)
        for _ in range(3):
            await asyncio.sleep(0)
        self.inside -= 1
        self.served += 1


def test_a_crowd_waits_at_the_door_in_whatever_loop() -> None:
    room = Room()
    door = Turnstile(room, places=3)

    async def crowd() -> None:
        await asyncio.gather(*(door({}, None, None) for _ in range(50)))

    for _ in range(2):
        asyncio.run(crowd())
    assert (room.most, room.served, room.inside) == (3, 100, 0)


def test_who_fails_or_gives_up_leaves_their_place_to_others() -> None:
    async def fail(*scope: Any) -> None:
        raise RuntimeError

    async def crowd() -> None:
        door = Turnstile(fail, places=1)
        for _ in range(2):
            with pytest.raises(RuntimeError):
                await door({}, None, None)
        door.application = room = Room()
        hurried = [asyncio.ensure_future(door({}, None, None)) for _ in range(3)]
        await asyncio.sleep(0)
        hurried[1].cancel()
        await asyncio.wait(hurried)
        assert room.served == 2

    asyncio.run(crowd())


def test_the_pool_has_connections_left_for_sockets_and_keeper() -> None:
    assert 0 < settings.REQUESTS_AT_ONCE <= settings.DATABASE_POOL - 6


@pytest.mark.django_db(transaction=True)
def test_an_error_page_leaves_no_connection_behind(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The frame of the page asks who is logged in: outside the request's own thread, nobody would close after it."""
    client.force_login(alice)
    used: list[Any] = []

    def page(request: HttpRequest, exception: Exception) -> HttpResponse:
        assert request.user == alice
        used.append(connections["default"])
        assert used[0].connection is not None
        return HttpResponseNotFound()

    monkeypatch.setattr("config.urls.handler404", page, raising=False)
    assert asyncio.run(answer("/nowhere/", client)) == 404
    assert used[0].connection is None


async def test_a_content_type_that_can_not_be_read_is_refused() -> None:
    assert await answer("/healthz", content_type="text/plain; charset*=nope''%41") == 400


async def test_hundreds_of_fields_in_an_address_are_refused_whatever_the_charset() -> None:
    """Found by the fuzz: with a charset Django reads them before anything of its own could catch what is wrong."""
    for kind in ("text/plain; charset=utf-16", "text/plain; charset=utf-8"):
        assert await answer("/help/", body=b"", query=b"a=1&" * 300, content_type=kind) == 400


@pytest.mark.parametrize("page", ["/account/settings/", "/nowhere/", "/lobby/"])
def test_a_database_that_is_away_is_told_plainly_and_in_one_line(
    client: Client, alice: User, page: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client.force_login(alice)
    client.raise_request_exception = False

    def away(*args: Any) -> None:
        raise OperationalError("connection failed:\nis the server running?")

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", away)
    response = client.get(page)
    assert response.status_code == 503
    assert response["Retry-After"] == "10"
    assert "The site can't answer just now" in response.content.decode()
    (told,) = caplog.text.splitlines()
    # What leads nowhere is not written down: it could be a key with a slip in it.
    assert f"Service Unavailable: {page if page != '/nowhere/' else ELSEWHERE}" in told
    # Where the frame of another error's page is what failed, Django says no more.
    assert "(connection failed: is the server running?)" in told or page == "/nowhere/"


async def test_of_a_body_no_more_is_held_than_any_form_of_ours_may_have() -> None:
    pieces = [{"type": "http.request", "body": b"x" * 1_000_000, "more_body": True} for _ in range(20)]
    waiting = iter([*pieces, {"type": "http.request", "body": b"the end"}])

    async def receive() -> Any:
        return next(waiting)

    body = await PagesHandler().read_body(receive)
    assert len(body.read()) == settings.FILE_UPLOAD_MAX_MEMORY_SIZE
    assert next(waiting, None) is None, "it is read to its end all the same, or who sends it would never get an answer"


async def test_who_goes_away_while_sending_is_let_go() -> None:
    waiting = iter([{"type": "http.request", "body": b"x", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(waiting)

    with pytest.raises(RequestAborted):
        await PagesHandler().read_body(receive)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("declared", [True, False])
def test_a_body_of_which_a_part_was_dropped_is_refused(declared: bool) -> None:
    """A form by its length, whether it is declared or not; a file by its own limit."""
    token = "t" * 32
    file = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n' + b"x" * 6_000_000
    for kind, body, undeclared in (
        ("application/x-www-form-urlencoded", b"text=" + b"x" * 6_000_000, 413),
        # Django reads no file of unknown length.
        ("multipart/form-data; boundary=x", file + b"\r\n--x--\r\n", 422),
    ):
        headers: dict[str, Any] = {"content_type": kind, "cookie": f"csrftoken={token}", "x_csrftoken": token}
        if declared:
            headers["content_length"] = str(len(body))
        expected = 413 if declared else undeclared
        assert asyncio.run(answer("/records/", None, body=body, **headers)) == expected
