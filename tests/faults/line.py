"""A page's socket that waits for what comes: over TLS too, and with the code with which it is closed."""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import ssl
import struct
from contextlib import suppress
from urllib.parse import urlsplit

PATIENCE_S = 30
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

_VERSION = re.compile(rb'id="freshness" data-version="(\d+)"')
_ANSWER = re.compile(rb"<!--answers ([A-Za-z0-9-]+)-->")


class Closed(Exception):
    """The socket was refused, closed or broken. `code` is the server's; None if it said none."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


class Line:
    """One person's open socket at one match. `version` is the newest that has come."""

    def __init__(self, address: str, slug: str, session: str, *, version: int = 0) -> None:
        self.version = version
        self._heard = b""
        self._socket: socket.socket | None = None
        target = urlsplit(address)
        assert target.hostname is not None
        try:
            line = self._socket = socket.create_connection((target.hostname, target.port or 443), timeout=PATIENCE_S)
            if target.scheme == "https":
                line = self._socket = ssl._create_unverified_context().wrap_socket(line)
            lines = [
                f"GET /ws/matches/{slug}/?version={version}&stage=match HTTP/1.1",
                f"Host: {target.netloc}",
                f"Origin: {target.scheme}://{target.netloc}",
                f"Cookie: sessionid={session}",
                "Upgrade: websocket",
                "Connection: Upgrade",
                f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
                "Sec-WebSocket-Version: 13",
            ]
            line.sendall("".join(f"{text}\r\n" for text in [*lines, ""]).encode())
            while b"\r\n\r\n" not in self._heard:
                self._read()
        except OSError as error:
            self.hang_up()
            raise Closed(None) from error
        head, _, self._heard = self._heard.partition(b"\r\n\r\n")
        if b" 101 " not in head.splitlines()[0]:
            self.hang_up()
            raise Closed(None)

    def send(self, act: str, **fields: str) -> None:
        """Ask for an act; the answer is not waited for. Raises `Closed`."""
        self._send(TEXT, json.dumps({"act": act, **fields, "HEADERS": {"HX-Request": "true"}}).encode())

    def wait_until_taken_in(self) -> None:
        """Until the server has read all that was sent, whether it has done it or not. Raises `Closed`."""
        self._send(PING, b"")
        while self._frame()[0] != PONG:
            pass

    def hear(self) -> str:
        """Wait for the next message; the key of what it answers, or "". Raises `Closed`."""
        while True:
            kind, data = self._frame()
            if kind == TEXT:
                if found := _VERSION.search(data):
                    self.version = int(found[1])
                answered = _ANSWER.search(data)
                return answered[1].decode() if answered else ""

    def hear_answer(self, key: str) -> None:
        """Wait for the answer to what was sent with that key. Raises `Closed`."""
        while self.hear() != key:
            pass

    def hear_the_end(self) -> int | None:
        """Wait until it is closed; with which code."""
        try:
            while True:
                self.hear()
        except Closed as closed:
            return closed.code

    def hang_up(self) -> None:
        """Break the connection."""
        if self._socket is not None:
            self._socket.close()

    def _send(self, kind: int, data: bytes) -> None:
        mask = os.urandom(4)
        length = struct.pack("!BB", 0x80 | kind, 0x80 | len(data)) if len(data) < 126 else None
        length = length or struct.pack("!BBH", 0x80 | kind, 0xFE, len(data))
        assert self._socket is not None
        try:
            self._socket.sendall(length + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)))
        except OSError as error:
            raise Closed(self._code_left()) from error

    def _code_left(self) -> int | None:
        """The code in what was still on its way when the line broke."""
        try:
            while True:
                self._frame()
        except Closed as closed:
            return closed.code

    def _frame(self) -> tuple[int, bytes]:
        """The next frame; pings are answered, and the server's close is `Closed`."""
        try:
            while (frame := self._cut()) is None:
                self._read()
        except OSError as error:
            raise Closed(None) from error
        kind, data = frame
        if kind == CLOSE:
            with suppress(Closed, OSError):
                self._send(CLOSE, data[:2])
            self.hang_up()
            raise Closed(int.from_bytes(data[:2], "big") if data else None)
        if kind == PING:
            self._send(PONG, data)
        return kind, data

    def _cut(self) -> tuple[int, bytes] | None:
        """Take the first frame off what has come, if it is there whole; servers send them unmasked."""
        if len(self._heard) < 2:
            return None
        short = self._heard[1] & 0x7F
        start = {126: 4, 127: 10}.get(short, 2)
        if len(self._heard) < start:
            return None
        size = short if start == 2 else int.from_bytes(self._heard[2:start], "big")
        if len(self._heard) < start + size:
            return None
        kind, data = self._heard[0] & 0x0F, self._heard[start : start + size]
        self._heard = self._heard[start + size :]
        return kind, data

    def _read(self) -> None:
        assert self._socket is not None
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionResetError
        self._heard += data
