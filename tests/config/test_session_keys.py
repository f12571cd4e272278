"""Session keys that can't be ours come in by any cookie, and lead nowhere."""

from __future__ import annotations

from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.test import Client
from django.urls import reverse

from accounts.people.models import User
from config.asgi import application
from config.session_keys import PlainSessionKeys

ODD = ['"aaaaaaaaaaaa\\000b"', '"aaaaaaaaaaaa\\377b"', "aaaaaaaaaaaa%00", "aaaa-aaaa-aaaa", "' OR 1=1 --", ""]


@pytest.mark.parametrize("key", ODD)
def test_pages_take_who_brings_one_for_a_guest(client: Client, alice: User, key: str) -> None:
    response = client.get("/lobby/", headers={"cookie": f"sessionid={key}"})
    assert response.status_code == 200
    assert not response.wsgi_request.user.is_authenticated
    asked = client.get(reverse("settings"), headers={"cookie": f"sessionid={key}"})
    assert asked.headers["Location"].startswith(reverse("account_login"))


@pytest.mark.parametrize("key", ODD)
@pytest.mark.django_db(transaction=True)
async def test_sockets_do_too(key: str) -> None:
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"cookie", f"sessionid={key}".encode())]
    socket = WebsocketCommunicator(application, "/ws/lobby/", headers)
    connected, _ = await socket.connect()
    assert connected
    await socket.disconnect()


async def test_other_cookies_and_keys_of_ours_pass() -> None:
    cookies = {"sessionid": "k3y0" * 8, "other": "a-b"}
    seen: list[dict[str, str]] = []

    async def look(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["cookies"])

    await PlainSessionKeys(look)({"cookies": dict(cookies)}, None, None)
    assert seen == [cookies]
