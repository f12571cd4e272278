"""What whoever watches the house asks: is the process there, can it work, and what has been counted.

These are answered before hosts, sessions and languages are looked at, since watchers ask each process by its own
address and have nothing of that. They pass no turnstile either (`config/door.py`): a house that is full is asked most.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache
from ipaddress import ip_address
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.cache import add_never_cache_headers
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from config.log import READY
from config.middleware import Respond
from games.matches import clock, metrics
from games.matches.closing import is_closing
from games.matches.models import Heartbeat
from games.matches.services.outages import DOWN_AFTER, THE_ONE

logger = logging.getLogger(__name__)

HEALTH, METRICS = "/healthz", "/metrics"

PATHS = frozenset({HEALTH, READY, METRICS})

ANSWERS_WITHIN_S = 1.5
"""Whatever does not answer within that time counts as away; all parts are asked at once."""

FORWARDED = (
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_FORWARDED_SERVER",
    "HTTP_X_FORWARDED",
    "HTTP_X_REAL_IP",
    "HTTP_X_CLIENT_IP",
    "HTTP_X_CLUSTER_CLIENT_IP",
    "HTTP_X_ORIGINAL_FORWARDED_FOR",
    "HTTP_CF_CONNECTING_IP",
    "HTTP_CF_RAY",
    "HTTP_TRUE_CLIENT_IP",
    "HTTP_FASTLY_CLIENT_IP",
    "HTTP_FORWARDED",
    "HTTP_VIA",
)
"""Whoever has one of these in a request came through a proxy, and the address we see is the proxy's."""


def signs_of_life(respond: Respond) -> Respond:
    """Answers the watchers; everything else goes on its way, and so do counts asked for by somebody else."""

    def middleware(request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if path not in PATHS or (path == METRICS and not may_read_metrics(request)):
            return respond(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        response = _ANSWERS[path]()
        add_never_cache_headers(response)
        return response

    return middleware


def health() -> HttpResponse:
    """The process is there: this touches nothing else."""
    return HttpResponse("ok\n", content_type="text/plain")


def readiness() -> HttpResponse:
    """200 if pages, sockets and matches can go on; else 503, with a line for each part that keeps them from it.

    Without the channel layer they go on, more slowly, in all processes alike: to take them out of service would close
    the house. It has a line all the same.
    """
    if is_closing():  # nothing is wrong, but nobody new should come
        return HttpResponse("process: about to end\n", status=503, content_type="text/plain")
    faults, lacks = async_to_sync(_look)()
    _tell_change(faults, lacks)
    lines = [*(faults or ["ok"]), *lacks]
    status = 503 if faults else 200
    return HttpResponse("".join(f"{line}\n" for line in lines), status=status, content_type="text/plain")


def counts() -> HttpResponse:
    """What this process has counted since it began."""
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


_ANSWERS = {HEALTH: health, READY: readiness, METRICS: counts}


def may_read_metrics(request: HttpRequest) -> bool:
    """Whether the counts are for whoever asks: by the token, or straight from one of the networks in the settings."""
    token = settings.METRICS_TOKEN
    if token:
        given = request.META.get("HTTP_AUTHORIZATION", "")
        if hmac.compare_digest(given.encode("utf-8", "surrogateescape"), f"Bearer {token}".encode()):
            return True
    if any(header in request.META for header in FORWARDED):
        return False
    try:
        address = ip_address(request.META.get("REMOTE_ADDR") or "")
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return any((mapped or address) in network for network in settings.METRICS_NETWORKS)


_told: list[str] = []
"""What the log was told last."""


def _tell_change(faults: list[str], lacks: list[str]) -> None:
    """A line when something fails, or works again, and none in between, however often somebody asks."""
    wrong = [*faults, *lacks]
    parts = [fault.partition(":")[0] for fault in wrong]
    if parts == _told:
        return
    _told[:] = parts
    if wrong:
        logger.warning("%s: %s", "not ready" if faults else "ready, though not with all", "; ".join(wrong))
    else:
        logger.warning("ready again")


async def _look() -> tuple[list[str], list[str]]:
    """What keeps the process from working, and what it works without, in a few words each; never why, which may name
    what is nobody's business.
    """
    fault, lack = await asyncio.gather(
        _in_time("database", _database_fault()), _in_time("channel layer", _layer_fault())
    )
    metrics.LAYER_AWAY.set(lack is not None)
    return [fault] if fault is not None else [], [lack] if lack is not None else []


async def _in_time(part: str, question: Coroutine[Any, Any, str | None]) -> str | None:
    try:
        return await asyncio.wait_for(question, ANSWERS_WITHIN_S)
    except TimeoutError:
        return f"{part}: no answer within {ANSWERS_WITHIN_S} s"
    except Exception:
        return f"{part}: away"


async def _database_fault() -> str | None:
    return await asyncio.get_running_loop().run_in_executor(_thread(), _ask_database)


def _ask_database() -> str | None:
    """One query, by the connections that pages use: the database answers, and has a fresh heartbeat of a keeper's."""
    try:
        clock.follow_database()
        beat_at = Heartbeat.objects.filter(pk=THE_ONE).values_list("beat_at", flat=True).first()
    finally:
        connection.close()
    if beat_at is None:
        return "keeper: none has run yet"
    silent = clock.now() - beat_at
    if silent > DOWN_AFTER:
        return f"keeper: last heard {silent // timedelta(seconds=1)} s ago"
    return None


async def _layer_fault() -> str | None:
    """A question to Redis by the layer's own connections, since the layer itself forgives whatever fails there; one in
    the memory of this process is always there.
    """
    ask = getattr(get_channel_layer(), "ask", None)
    if ask is not None:
        await ask()
    return None


@cache
def _thread() -> ThreadPoolExecutor:
    # One: while the database keeps it waiting, nobody else's question takes a connection, or waits in a thread.
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="readiness-db")
