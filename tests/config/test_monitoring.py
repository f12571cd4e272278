"""What watchers ask: whether the process is there, whether it can work, and what it has counted, for whom."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from ipaddress import ip_network
from time import monotonic
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.db import OperationalError
from django.test import Client
from prometheus_client import REGISTRY

from config import monitoring
from config.door import Turnstile
from deploy.ports import free_port
from games.matches import clock, metrics
from games.matches.models import Heartbeat
from games.matches.services.outages import DOWN_AFTER, THE_ONE
from tests.config.test_door import Room
from tests.matches.browsing import without_tokens

TOKEN = "a token that nobody guesses"

asks_the_database = pytest.mark.django_db(transaction=True)
"""From a thread of its own, which sees only what is committed."""


@pytest.fixture(autouse=True)
def _nothing_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitoring, "_told", [])


@pytest.fixture
def kept(transactional_db: None) -> datetime:
    """A keeper beat at this moment."""
    moment = clock.now()
    Heartbeat.objects.update_or_create(pk=THE_ONE, defaults={"beat_at": moment})
    return moment


# Is it there, can it work


def test_the_sign_of_life_needs_no_database_and_no_host(client: Client) -> None:
    response = client.get("/healthz", headers={"host": "10.0.0.7:8001"})
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "no-store" in response["Cache-Control"]


@asks_the_database
def test_a_house_in_order_is_ready(client: Client, kept: datetime) -> None:
    response = client.get("/readyz", headers={"host": "10.0.0.7:8001"})
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert response["Content-Type"] == "text/plain"
    assert "no-store" in response["Cache-Control"]
    assert "Set-Cookie" not in response


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_signs_of_life_are_asked_for_and_not_sent(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405
    assert client.post(path)["Allow"] == "GET, HEAD"


@asks_the_database
def test_a_keeper_that_is_silent_is_told(client: Client, kept: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: kept + DOWN_AFTER)
    assert client.get("/readyz").status_code == 200
    monkeypatch.setattr(clock, "now", lambda: kept + DOWN_AFTER + timedelta(seconds=4))
    response = client.get("/readyz")
    assert (response.status_code, response.content) == (503, b"keeper: last heard 9 s ago\n")


@asks_the_database
def test_a_house_that_never_had_a_keeper_is_not_ready(client: Client) -> None:
    Heartbeat.objects.all().delete()
    response = client.get("/readyz")
    assert (response.status_code, response.content) == (503, b"keeper: none has run yet\n")


@asks_the_database
def test_a_database_that_is_away_is_told_without_its_reasons(
    client: Client, kept: datetime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away() -> None:
        raise OperationalError("connection to db.example failed for user tesela")

    with monkeypatch.context() as patch:
        patch.setattr(monitoring, "_ask_database", away)
        for _ in range(2):
            response = client.get("/readyz")
            assert (response.status_code, response.content) == (503, b"database: away\n")
        assert caplog.messages == ["not ready: database: away"], "who asks every second would fill the log"
    assert client.get("/readyz").status_code == 200
    assert caplog.messages[1:] == ["ready again"]


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A database that takes every question and answers none until the end; the questions."""
    end, asked = threading.Event(), []

    def hang() -> None:
        asked.append("asked")
        end.wait(20)

    monkeypatch.setattr(monitoring, "_ask_database", hang)
    monkeypatch.setattr(monitoring, "ANSWERS_WITHIN_S", 0.1)
    yield asked
    end.set()


def test_a_part_that_does_not_answer_keeps_nobody_waiting(
    client: Client, hanging: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor do many who ask hold many of its connections."""

    async def silent() -> None:
        await asyncio.sleep(20)

    monkeypatch.setattr(get_channel_layer(), "ask", silent, raising=False)
    began = monotonic()
    for _ in range(3):
        response = client.get("/readyz")
        assert response.status_code == 503
        assert response.content == (b"database: no answer within 0.1 s\nchannel layer: no answer within 0.1 s\n")
    assert monotonic() - began < 15
    assert len(hanging) == 1


def layer_on(port: int) -> dict[str, Any]:
    """The setting by which announcements go over a Redis there."""
    config = {"hosts": [{"address": f"redis://127.0.0.1:{port}/0", "socket_connect_timeout": 1}]}
    return {"default": {"BACKEND": "config.layer.ForgivingLayer", "CONFIG": config}}


IN_MEMORY = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}


@asks_the_database
def test_without_redis_the_house_stays_open_and_it_is_told(
    client: Client, kept: datetime, settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """All processes lack it at once, and people play on by polling: nobody may take them all out of service."""
    settings.CHANNEL_LAYERS = layer_on(free_port())
    for _ in range(2):
        response = client.get("/readyz")
        assert (response.status_code, response.content) == (200, b"ok\nchannel layer: away\n")
        assert b"\ntesela_channel_layer_away 1.0\n" in client.get("/metrics").content
    with monkeypatch.context() as patch:
        patch.setattr(clock, "now", lambda: kept + DOWN_AFTER + timedelta(seconds=4))
        response = client.get("/readyz")
        assert (response.status_code, response.content) == (503, b"keeper: last heard 9 s ago\nchannel layer: away\n")
    settings.CHANNEL_LAYERS = IN_MEMORY
    response = client.get("/readyz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert b"\ntesela_channel_layer_away 0.0\n" in client.get("/metrics").content
    assert caplog.messages == [
        "ready, though not with all: channel layer: away",
        "not ready: keeper: last heard 9 s ago; channel layer: away",
        "ready again",
    ]


@asks_the_database
def test_redis_that_takes_the_question_and_does_not_answer_is_away_too(
    client: Client, kept: datetime, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monitoring, "ANSWERS_WITHIN_S", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.CHANNEL_LAYERS = layer_on(silent.getsockname()[1])
        response = client.get("/readyz")
    assert (response.status_code, response.content) == (200, b"ok\nchannel layer: no answer within 1.0 s\n")


async def test_layer_tells_once_that_redis_went_and_counts_it(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Whoever sends finds it too, in processes that nobody asks whether they are ready."""
    settings.CHANNEL_LAYERS = layer_on(free_port())
    metrics.LAYER_AWAY.set(0)
    layer = get_channel_layer()
    assert layer is not None
    for _ in range(2):
        await layer.group_send("lobby", {"type": "lobby.changed"})
    assert REGISTRY.get_sample_value("tesela_channel_layer_away") == 1
    assert [line for line in caplog.messages if line.startswith("Redis is away")] == caplog.messages
    assert len(caplog.messages) == 1
    metrics.LAYER_AWAY.set(0)


@asks_the_database
def test_over_http_too_where_pages_are_led_to_https(kept: datetime, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
    client = Client()
    assert [client.get(path).status_code for path in ("/healthz", "/readyz", "/metrics", "/help/")] == [
        200,
        200,
        200,
        301,
    ]


def test_who_watches_passes_the_crowd_at_the_door() -> None:
    room = Room()
    door = Turnstile(room, places=1, free=monitoring.PATHS)

    async def crowd() -> None:
        paths = ("/", "/lobby/", "/readyz", "/healthz", "/metrics", "/readyz/")
        await asyncio.gather(*(door({"path": path}, None, None) for path in paths))

    asyncio.run(crowd())
    assert (room.served, room.most) == (6, 4)


# What is counted, and for whom


@pytest.mark.parametrize(
    ("address", "headers", "may"),
    [
        ("127.0.0.1", {}, True),
        ("::1", {}, True),
        ("::ffff:127.0.0.1", {}, True),
        ("192.0.2.7", {}, False),
        ("", {}, False),
        ("nonsense", {}, False),
        ("127.0.0.1", {"x-forwarded-for": "192.0.2.7"}, False),
        ("127.0.0.1", {"x-forwarded-for": "127.0.0.1"}, False),
        ("127.0.0.1", {"x-forwarded-proto": "https"}, False),
        ("127.0.0.1", {"forwarded": "for=127.0.0.1"}, False),
        ("192.0.2.7", {"authorization": f"Bearer {TOKEN}"}, True),
        ("127.0.0.1", {"authorization": f"Bearer {TOKEN}", "x-forwarded-for": "192.0.2.7"}, True),
        ("192.0.2.7", {"authorization": f"bearer {TOKEN}"}, False),
        ("192.0.2.7", {"authorization": f"Bearer {TOKEN}x"}, False),
        ("192.0.2.7", {"authorization": "Bearer "}, False),
        ("192.0.2.7", {"authorization": "Bearer é"}, False),
        ("192.0.2.7", {"authorization": TOKEN}, False),
    ],
)
@pytest.mark.django_db
def test_counts_are_for_this_machine_and_who_has_the_token(
    client: Client, settings: Any, address: str, headers: dict[str, str], may: bool
) -> None:
    """A proxy on this machine has its address too: what came through one is from anywhere."""
    settings.METRICS_TOKEN = TOKEN
    response = client.get("/metrics", headers=headers, REMOTE_ADDR=address)
    assert (response.status_code, b"tesela_moves" in response.content) == ((200, True) if may else (404, False))


@pytest.mark.django_db
def test_without_a_token_no_token_opens_anything(client: Client, settings: Any) -> None:
    assert settings.METRICS_TOKEN == ""
    for given in ("Bearer ", "Bearer", "", "Bearer None"):
        headers = {"authorization": given}
        assert client.get("/metrics", headers=headers, REMOTE_ADDR="192.0.2.7").status_code == 404


@pytest.mark.django_db
def test_whom_counts_are_not_for_finds_what_is_nowhere(client: Client) -> None:
    refused, nothing = (client.get(path, REMOTE_ADDR="192.0.2.7") for path in ("/metrics", "/nowhere"))
    assert without_tokens(refused) == without_tokens(nothing).replace("/nowhere", "/metrics")
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "X-Real-IP", "X-Client-IP", "CF-Connecting-IP", "True-Client-IP", "Forwarded", "Via"]
)
def test_whatever_a_proxy_adds_tells_that_there_is_one(client: Client, header: str) -> None:
    assert client.get("/metrics", headers={header: "127.0.0.1"}).status_code == 404


@pytest.mark.django_db
def test_networks_may_be_named(client: Client, settings: Any) -> None:
    settings.METRICS_NETWORKS = [ip_network("10.1.0.0/16")]
    assert client.get("/metrics", REMOTE_ADDR="10.1.2.3").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="127.0.0.1").status_code == 404


def test_counts_are_in_the_format_of_prometheus_and_kept_nowhere(client: Client) -> None:
    response = client.get("/metrics")
    assert response["Content-Type"].startswith("text/plain; version=")
    assert "no-store" in response["Cache-Control"]
    assert b"# TYPE tesela_push_seconds histogram" in response.content
