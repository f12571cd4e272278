"""A person's page of one match, without a browser: its socket, and its forms by POST. Either may fail at any moment."""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import secrets
import select
import socket
import struct
import time
from contextlib import suppress
from urllib.parse import urlencode, urlsplit

PATIENCE_S = 20
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

FRESHNESS = re.compile(r'id="freshness" data-version="(\d+)" data-own="(\d+)"')
ANSWERED = re.compile(r"<!--answers ([A-Za-z0-9-]+)-->")


class Lost(Exception):
    """The connection was refused or broken: whether what was sent has been done is not known."""


class Page:
    """One person, logged in by a session that the server knows, at one match.

    `versions` are those that came over the present socket, in order; `answers` what was said to the moves that gave a
    key: None, or the code of the refusal.
    """

    takes_in: int | None = None
    """How many bytes this machine takes in for the page while it does not read; None: as many as it likes."""

    def __init__(self, address: str, slug: str, session: str) -> None:
        self.host = urlsplit(address).netloc
        self.slug = slug
        self.versions: list[int] = []
        self.answers: dict[str, str | None] = {}
        token = secrets.token_hex(16)
        self._headers = {
            "Cookie": f"sessionid={session}; csrftoken={token}",
            "X-CSRFToken": token,
            "HX-Request": "true",
        }
        self._socket: socket.socket | None = None
        self._heard = b""
        self.closed_with: int | None = None

    # By request

    def post(self, act: str, **form: str) -> tuple[int, str | None]:
        """Status and code of the refusal, if any. Raises `Lost`."""
        status, answer = self.request("POST", f"/matches/{self.slug}/act/{act}/", **form)
        return status, _refusal_in(answer)

    def live(self, **shown: str) -> tuple[int, str]:
        """What the page's poll brings: status and pieces; without what it shows, all of the match. Raises `Lost`."""
        query = urlencode({"version": "0", "own": "0", "stage": "match", **shown})
        return self.request("GET", f"/matches/{self.slug}/live/?{query}")

    def request(self, method: str, path: str, **form: str) -> tuple[int, str]:
        """Status and text of the answer. Raises `Lost`."""
        headers = {**self._headers, "Content-Type": "application/x-www-form-urlencoded"}
        line = http.client.HTTPConnection(self.host, timeout=PATIENCE_S)
        try:
            line.request(method, path, urlencode(form) if method == "POST" else None, headers)
            answer = line.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            raise Lost from error
        finally:
            line.close()

    # Over the socket

    def send(self, act: str, **fields: str) -> None:
        """Ask for an act; the answer is not waited for. Connects first, if need be. Raises `Lost`."""
        self._send(TEXT, json.dumps({"act": act, **fields, "HEADERS": {"HX-Request": "true"}}).encode())

    def hear(self) -> None:
        """Take in all that has come. A broken connection is forgotten; the next `send` makes another."""
        try:
            while self._socket is not None and select.select([self._socket], [], [], 0)[0]:
                self._receive()
        except OSError:
            self.hang_up()

    @property
    def is_open(self) -> bool:
        """Whether it has a socket, as far as it knows."""
        return self._socket is not None

    def open(self) -> None:
        """Connect. Raises `Lost`."""
        try:
            self._connect()
        except OSError as error:
            self.hang_up()
            raise Lost from error

    def wait_for_news(self, within_s: float) -> None:
        """Take in what comes within so long, until something has."""
        if self._socket is None:
            time.sleep(within_s)
            return
        select.select([self._socket], [], [], within_s)
        self.hear()

    def wait_to_be_closed(self, within_s: float) -> bool:
        """Whether the server closes the socket within so long."""
        deadline = time.monotonic() + within_s
        while self._socket is not None and (left := deadline - time.monotonic()) > 0:
            select.select([self._socket], [], [], left)
            self.hear()
        return self._socket is None

    def hang_up(self) -> None:
        """Forget the socket."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self._heard = None, b""

    def _shows(self) -> tuple[int, int]:
        """The version and own version that a socket is told when it connects."""
        return self.versions[-1] if self.versions else 0, 0

    def _send(self, kind: int, data: bytes) -> None:
        try:
            if self._socket is None:
                self._connect()
            assert self._socket is not None
            mask = os.urandom(4)
            length = (
                struct.pack("!BB", 0x80 | kind, 0x80 | len(data))
                if len(data) < 126
                else struct.pack("!BBH", 0x80 | kind, 0x80 | 126, len(data))
            )
            self._socket.sendall(length + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)))
        except OSError as error:
            self.hang_up()
            raise Lost from error

    def _connect(self) -> None:
        version, own = self._shows()
        self.versions = []
        name, _, port = self.host.partition(":")
        self._socket = socket.socket()
        self._socket.settimeout(PATIENCE_S)
        if self.takes_in is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.takes_in)
        self._socket.connect((name, int(port)))
        lines = [
            f"GET /ws/matches/{self.slug}/?{urlencode({'version': version, 'own': own, 'stage': 'match'})} HTTP/1.1",
            f"Host: {self.host}",
            f"Origin: http://{self.host}",
            f"Cookie: {self._headers['Cookie']}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
        ]
        self._socket.sendall("".join(f"{line}\r\n" for line in [*lines, ""]).encode())
        while b"\r\n\r\n" not in self._heard:
            self._read()
        head, _, self._heard = self._heard.partition(b"\r\n\r\n")
        if b" 101 " not in head.splitlines()[0]:
            raise ConnectionRefusedError(head.decode())

    def _read(self) -> None:
        assert self._socket is not None
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionResetError
        self._heard += data

    def _receive(self) -> None:
        self._read()
        while (frame := self._next_frame()) is not None:
            kind, data = frame
            if kind == PING:
                with suppress(Lost):
                    self._send(PONG, data)
            elif kind == CLOSE:
                self.closed_with = int.from_bytes(data[:2], "big")
                raise ConnectionResetError
            else:
                self._take_in(data.decode())

    def _take_in(self, frame: str) -> None:
        if frame.startswith("{"):
            with suppress(Lost):
                self.send("pong", token=str(json.loads(frame).get("ping", "")))
            return
        if found := FRESHNESS.search(frame):
            self.versions.append(int(found[1]))
        if answered := ANSWERED.search(frame):
            self.answers[answered[1]] = _refusal_in(frame)

    def _next_frame(self) -> tuple[int, bytes] | None:
        """The next frame that has come whole; servers send them unmasked."""
        if len(self._heard) < 2:
            return None
        size, start = self._heard[1] & 0x7F, 2
        if size == 126:
            start = 4
        elif size == 127:
            start = 10
        if len(self._heard) < start:
            return None
        if start > 2:
            size = int.from_bytes(self._heard[2:start], "big")
        if len(self._heard) < start + size:
            return None
        kind, data = self._heard[0] & 0x0F, self._heard[start : start + size]
        self._heard = self._heard[start + size :]
        return kind, data


def _refusal_in(answer: str) -> str | None:
    found = re.search(r'id="notice"[^>]*>.*?data-code="([^"]+)"', answer, re.DOTALL)
    return found[1] if found else None
