"""Sockets whose browser does not read what is sent: told nothing more, and closed before they cost the others anything.

The server writes without waiting, so nobody waits for a slow reader; but what is not read piles up. A page that was
shed comes back, if it is still there, and is brought up to date by one drawing.
"""

from __future__ import annotations

# Twisted wants its reactor chosen before anything else of it is imported, and daphne.server chooses it.
from daphne.server import Server as _Server  # noqa: F401 isort: skip

import socket
from typing import Any

from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import reactor as _reactor

from games.matches import metrics

reactor: Any = _reactor

SYSTEM_HOLDS_BYTES = 128 * 1024
"""What the system may hold for one line; by itself it takes megabytes, and the server would not learn of it."""

PILE_BYTES = 1024 * 1024
"""What may wait for a reader, beyond what the systems on both sides hold for a line: some dozens of drawings."""

STALLED_S = 20.0
"""How long a pile may wait (Twisted calls it one from 64 KiB on) before its socket is closed, however small it is."""


class SheddingProtocol(WebSocketProtocol):  # type: ignore[misc]
    """Daphne's socket, which knows how much its reader is behind. Twisted tells it as a producer of bytes."""

    _piled: int | None = None
    _alarm: Any = None

    def onOpen(self) -> None:  # noqa: N802
        super().onOpen()
        self.transport.getHandle().setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_HOLDS_BYTES)
        self.transport.unregisterProducer()  # the request's, of which this socket was made
        self.transport.registerProducer(self, True)

    def pauseProducing(self) -> None:  # noqa: N802
        """More than a little is not read yet. Neither is anything read from there until it is."""
        if self._piled is None:
            self._piled = 0
            self.transport.pauseProducing()
            self._alarm = reactor.callLater(STALLED_S, self._shed)

    def resumeProducing(self) -> None:  # noqa: N802
        """All that was sent is on its way."""
        if self._piled is not None:
            self._end_alarm()
            self.transport.resumeProducing()

    def stopProducing(self) -> None:  # noqa: N802
        """The line is lost."""
        self._end_alarm()

    def sendData(self, data: bytes, *args: Any, **kwargs: Any) -> None:  # noqa: N802
        if self._piled is not None:
            self._piled += len(data)
            if self._piled > PILE_BYTES:
                self._shed()
                return
        super().sendData(data, *args, **kwargs)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        self._end_alarm()
        super().connectionLost(reason)

    def _shed(self) -> None:
        """Without a farewell, which would only join the pile."""
        self._end_alarm()
        metrics.SHED.inc()
        self.wasClean = False
        self.wasNotCleanReason = "what was sent was not read"
        self.dropConnection(abort=True)

    def _end_alarm(self) -> None:
        self._piled = None
        if self._alarm is not None and self._alarm.active():
            self._alarm.cancel()
        self._alarm = None
