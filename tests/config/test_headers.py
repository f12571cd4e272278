"""Every answer of the site, whatever makes it, has the headers that keep browsers careful."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.db import OperationalError
from django.test import Client

from accounts.people.models import User
from config.asgi import application
from tests.matches.browsing import HTMX
from tests.matches.conftest import move_form, player_to_move, sit_down

Communicator: Any = ApplicationCommunicator

CAREFUL = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}

POLICY = {
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}


def hold(response: Any, status: int) -> None:
    assert response.status_code == status
    assert {name: response.get(name) for name in CAREFUL} == CAREFUL
    assert {part.strip() for part in response["Content-Security-Policy"].split(";")} == POLICY


@pytest.fixture
def https(settings: Any) -> None:
    """As production is served."""
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 31_536_000


def test_every_kind_of_answer(https: None, alice: User, bob: User, mod: User, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, player, staff = (Client(raise_request_exception=False) for _ in range(3))
    match = sit_down(alice, bob)
    player.force_login(player_to_move(match))
    mod.is_superuser = True
    mod.save()
    staff.force_login(mod)
    form = move_form(match)
    move, broken = f"/matches/{match.slug}/act/move/", "accounts.people.views.render"

    def fail(error: Exception) -> Any:
        def failing(*args: Any, **kwargs: Any) -> None:
            raise error

        monkeypatch.setattr(broken, failing)
        return player.get("/account/settings/", secure=True)

    answers: list[tuple[str, Any, int]] = [
        ("page", guest.get("/", secure=True), 200),
        ("page of a person", player.get(f"/matches/{match.slug}/", secure=True), 200),
        ("head", guest.head("/", secure=True), 200),
        ("static file", guest.get("/static/site.css", secure=True), 200),
        ("drawing", guest.get("/static/favicon.svg", secure=True), 200),
        ("static file that is not there", guest.get("/static/nothing.css", secure=True), 404),
        ("fragment", player.get(f"/matches/{match.slug}/live/", secure=True), 200),
        ("nothing new", player.get("/your-turn/", secure=True), 200),
        ("refused move", player.post(move, {**form, "move": "x"}, secure=True, headers=HTMX), 422),
        ("move", player.post(move, form, secure=True, headers=HTMX), 200),
        ("download", player.get("/history/archive/", secure=True), 200),
        ("redirect", guest.get("/history/", secure=True), 302),
        ("redirect to the slash", guest.get("/help", secure=True), 301),
        ("administration", staff.get("/admin/", secure=True), 200),
        ("administration for others", player.get("/admin/", secure=True), 302),
        ("no page", guest.get("/nowhere/", secure=True), 404),
        ("no page for htmx", guest.get("/nowhere/", secure=True, headers=HTMX), 404),
        ("not yours", Client(enforce_csrf_checks=True).post("/account/login/", secure=True), 403),
        ("nonsense", guest.generic("POST", "/records/", b"x", "text/plain; charset=hex", secure=True), 400),
        ("foreign host", guest.get("/help/", secure=True, headers={"host": "evil.example"}), 400),
        ("too big", guest.post("/account/login/", {"login": "x" * 5_000_000}, secure=True), 413),
        ("method", guest.put("/", secure=True), 405),
        ("sign of life", guest.get("/healthz", secure=True), 200),
        ("counts", guest.get("/metrics", secure=True), 200),
        ("fault", fail(RuntimeError()), 500),
        ("database away", fail(OperationalError()), 503),
    ]
    for name, response, status in answers:
        try:
            hold(response, status)
            assert response["Strict-Transport-Security"] == "max-age=31536000"
        except (AssertionError, KeyError) as error:
            raise AssertionError(name) from error
        finally:
            response.close()  # a static file is an open one
    # Browsers take no word of HTTPS that comes without it.
    led = guest.get("/lobby/")
    hold(led, 301)
    assert "Strict-Transport-Security" not in led
    hold(guest.get("/lobby/", headers={"host": "evil.example"}), 400)


@pytest.mark.django_db(transaction=True)
def test_also_what_could_not_be_read_as_a_request() -> None:
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/help/",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-type", b"text/plain; charset*=nope''%41")],
    }

    async def answer() -> Any:
        communicator = Communicator(application, scope)
        await communicator.send_input({"type": "http.request", "body": b""})
        return await communicator.receive_output(10)

    start = asyncio.run(answer())
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    assert start["status"] == 400
    assert {name: headers.get(name) for name in CAREFUL} == CAREFUL
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
