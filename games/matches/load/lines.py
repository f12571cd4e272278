"""One page's socket, as cheap as it can be: it reads no more of what comes than its version and what it answers."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from time import perf_counter
from urllib.parse import urlencode, urlsplit

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.typing import Origin
from websockets.uri import parse_uri

STAMP_WITHIN = 600
"""Characters at the beginning of a push that hold its version."""

_STAMP = re.compile(rb'id="freshness" data-version="(\d+)" data-own="\d+"(?: data-turn="(\d)")?')
_STATUS = re.compile(rb'data-status="(\w+)"')
_TURN_KEY = re.compile(rb'id="turn-key" value="([^"]*)"')
_ANSWERS = re.compile(rb"<!--answers ([A-Za-z0-9-]+)-->")
_REFUSAL = re.compile(rb'id="notice".*?data-code="([^"]+)"', re.DOTALL)


class Line(asyncio.Protocol):
    """A websocket of a match's page. `told` is called with it after each message that brings something.

    `version` is the newest that has come, `heard_at` the moment at which it came, by `perf_counter`; `answered` the key
    of the last answer, `refusal` the code of the last refusal, `closed_with` the close code once the line has ended.
    With `reads_turns` it also knows whether the player may act, by which turn key, and what has become of the match.
    """

    def __init__(
        self, address: str, slug: str, session: str, *, version: int, cookie: str, reads_turns: bool = False
    ) -> None:
        self.slug = slug
        self.version = version
        self.heard_at = 0.0
        self.answered = ""
        self.answered_at = 0.0
        self.refusal = ""
        self.closed_with: int | None = None
        self.pushes = self.received = 0
        self.reads_turns = reads_turns
        self.may_act, self.turn_key, self.status = False, "", ""
        self.told: Callable[[Line], None] | None = None
        parts = urlsplit(address)
        query = urlencode({"version": max(0, version - 1), "stage": "match"})
        self.uri = f"ws{'s' if parts.scheme == 'https' else ''}://{parts.netloc}/ws/matches/{slug}/?{query}"
        self._protocol = ClientProtocol(
            parse_uri(self.uri), origin=Origin(f"{parts.scheme}://{parts.netloc}"), max_size=1 << 20
        )
        self._cookie = f"{cookie}={session}"
        self._transport: asyncio.Transport | None = None
        self.ended = asyncio.get_running_loop().create_future()
        self.served = asyncio.get_running_loop().create_future()

    def send(self, **fields: str) -> None:
        """One act. A line that has ended takes it silently: whoever waits for the answer notices."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_text(json.dumps(fields).encode())
            self._flush()

    def hang_up(self) -> None:
        """Drop it as a broken line does: without a word."""
        if self._transport is not None:
            self._transport.abort()

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        request = self._protocol.connect()
        request.headers["Cookie"] = self._cookie
        self._protocol.send_request(request)
        self._flush()

    def data_received(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        self._flush()
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                if event.opcode is Opcode.TEXT:
                    self._hear(bytes(event.data))
            elif isinstance(event, Response) and event.status_code != 101:
                self.closed_with = event.status_code

    def eof_received(self) -> None:
        self._protocol.receive_eof()
        self._flush()

    def connection_lost(self, error: Exception | None) -> None:
        if self.closed_with is None:
            # 1006: broken without a word (RFC 6455, 7.1.5).
            self.closed_with = self._protocol.close_rcvd.code if self._protocol.close_rcvd is not None else 1006
        if not self.ended.done():
            self.ended.set_result(None)
        if not self.served.done():
            self.served.set_result(False)
        if self.told is not None:
            self.told(self)

    def _flush(self) -> None:
        assert self._transport is not None
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()

    def _hear(self, data: bytes) -> None:
        self.received += len(data)
        if data.startswith(b"{"):
            self._answer_ping(data)
            return
        now = perf_counter()
        stamp = _STAMP.search(data, 0, STAMP_WITHIN)
        if stamp is not None:
            self.pushes += 1
            if (version := int(stamp[1])) > self.version or not self.served.done():
                self.version, self.heard_at = version, now
            if self.reads_turns:
                self._read_turn(data, may_act=stamp[2] == b"1")
            if not self.served.done():
                self.served.set_result(True)
        if (answer := _ANSWERS.search(data, max(0, len(data) - 100))) is not None:
            self.answered, self.answered_at = answer[1].decode(), now
        if b'id="notice"' in data and (refusal := _REFUSAL.search(data)) is not None:
            self.refusal = refusal[1].decode()
        if self.told is not None:
            self.told(self)

    def _read_turn(self, data: bytes, *, may_act: bool) -> None:
        self.may_act = may_act
        if (status := _STATUS.search(data, 0, STAMP_WITHIN)) is not None:
            self.status = status[1].decode()
        if (key := _TURN_KEY.search(data)) is not None:
            self.turn_key = key[1].decode()

    def _answer_ping(self, data: bytes) -> None:
        token = json.loads(data).get("ping")
        if isinstance(token, str):
            self.send(act="pong", token=token)


async def open_line(
    address: str, slug: str, session: str, *, cookie: str, version: int = 0, reads_turns: bool = False
) -> Line:
    """A line to that match's page. Raises `OSError` if nobody listens there."""
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    _, line = await asyncio.get_running_loop().create_connection(
        lambda: Line(address, slug, session, version=version, cookie=cookie, reads_turns=reads_turns),
        parts.hostname or "",
        port,
        ssl=True if parts.scheme == "https" else None,
    )
    return line
