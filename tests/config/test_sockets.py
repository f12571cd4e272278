"""The door of the sockets: only pages of ours may open one, and an unknown path closes cleanly."""

from __future__ import annotations

from typing import Any

import pytest
from channels.testing import WebsocketCommunicator

from config.asgi import application
from config.origin import SameOriginOnly


async def accept(scope: Any, receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.accept"})


async def is_let_in(origin: str | None, host: str = "tesela.example") -> bool:
    headers = [(b"host", host.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode("latin-1")))
    socket = WebsocketCommunicator(SameOriginOnly(accept), "/", headers)
    connected, _ = await socket.connect()
    return bool(connected)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("https://tesela.example", "tesela.example"),
        ("HTTPS://Tesela.Example", "tesela.example"),
        ("https://tesela.example:443", "tesela.example"),
        ("http://tesela.example", "tesela.example:80"),
        ("http://127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
    ],
)
async def test_a_page_of_this_host_may_open_a_socket(origin: str, host: str) -> None:
    assert await is_let_in(origin, host)


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "",
        "null",
        "https://evil.example",
        "https://tesela.example.evil.example",
        "https://eviltesela.example",
        "https://tesela.example:8443",
        "https://tesela.example@evil.example",
        "file://tesela.example",
        "https://",
        "tesela.example",
        "https://[",
        "https://t\xe9sela.example",
    ],
)
async def test_any_other_page_may_not(origin: str | None) -> None:
    assert not await is_let_in(origin)


async def test_a_host_of_ours_may_be_named_in_the_settings(settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://www.tesela.example"]
    assert await is_let_in("https://www.tesela.example")
    assert not await is_let_in("http://www.tesela.example")


async def test_a_page_over_http_may_not_where_the_site_is_served_over_https(settings: Any) -> None:
    """Somebody on the line can answer for http, and browsers would send that page's socket our cookies."""
    settings.HTTPS = True
    assert await is_let_in("https://tesela.example")
    assert not await is_let_in("http://tesela.example")
    assert not await is_let_in("http://tesela.example", "tesela.example:80")


async def test_an_empty_host_matches_nothing() -> None:
    assert not await is_let_in("https://", host="")


@pytest.mark.parametrize("path", ["/nowhere", "/", "/ws/", "/%00", "/lobby/"])
@pytest.mark.django_db(transaction=True)
async def test_an_unknown_path_is_closed_without_an_error(path: str) -> None:
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
    connected, code = await WebsocketCommunicator(application, path, headers).connect()
    assert not connected
    assert code == 4404
