"""Daphne's server as this site uses it: it says where it listens, why it does not, and sees everybody off."""

from __future__ import annotations

# Twisted wants its reactor chosen before anything else of it is imported, and daphne.server chooses it.
from daphne.server import Server, twisted_loop  # isort: skip

import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from random import shuffle
from typing import Any

import autobahn.websocket.protocol
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import reactor as _reactor
from twisted.internet.error import CannotListenError

from games.matches.closing import begin_closing
from games.matches.shedding import SheddingProtocol
from games.matches.sockets import CLOSE_SOON

reactor: Any = _reactor

LOOK_EVERY_S = 0.05

# For each connection Autobahn lays out all its settings in lines for a debugging log, whether or not anybody keeps one.
autobahn.websocket.protocol.pformat = str  # type: ignore[attr-defined, assignment]


@dataclass(frozen=True, slots=True)
class Farewell:
    """How a server ends. It stops listening at once; then its sockets are closed, evenly over `spread_s` seconds, and
    whatever is under way by then or comes over a connection that is open may go on, for `at_most_s` seconds in all.
    `grace_s` later, in which mails may still go out, the process is gone by force: what is committed is safe.
    """

    spread_s: float
    at_most_s: float
    grace_s: float


QUICK = Farewell(spread_s=0, at_most_s=1.0, grace_s=1.0)
"""For who waits at a keyboard."""

ORDERLY = Farewell(spread_s=3.0, at_most_s=7.0, grace_s=4.0)
"""For one process of several: its pages come back to the others, and not all at the same moment."""


class SiteSocket(SheddingProtocol):
    """Closes with any code. Autobahn takes only 1000 and an application's own from who calls it, and those that a
    server may send (1008, 1012) not.
    """

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802
        self.sendCloseFrame(code=code or 1000, isReply=False)


class SiteServer(Server):  # type: ignore[misc]
    """Takes `listens`, which is told host and port, and how it ends when asked to (SIGTERM; Ctrl-C is always quick).

    `refusal` is why it could not listen.
    """

    def __init__(self, *args: Any, listens: Callable[[str, int], None], farewell: Farewell, **kwargs: Any) -> None:
        self.connections: dict[Any, dict[str, Any]] = {}
        super().__init__(*args, signal_handlers=False, ready_callable=self._get_ready, **kwargs)
        self.refusal: OSError | None = None
        self._listens = listens
        self._farewell = farewell
        self._ports: list[Any] = []
        self._told: set[Any] = set()
        self._leaving = False
        self._ended = False

    def listen_success(self, port: Any) -> None:
        host = port.getHost()
        self._ports.append(port)
        self._listens(host.host, host.port)
        super().listen_success(port)

    def listen_error(self, failure: Any) -> None:
        if failure.check(CannotListenError):
            self.refusal = failure.value.socketError
        else:
            self.refusal = OSError(failure.getErrorMessage())
        self.stop()

    def kill_all_applications(self) -> Any:
        # Connections between two requests have no application; the parent's loop would stumble over them.
        for protocol, details in list(self.connections.items()):
            if "application_instance" not in details:
                del self.connections[protocol]
        return super().kill_all_applications()

    def _get_ready(self) -> None:
        self.ws_factory.protocol = SiteSocket
        for number, farewell in ((signal.SIGTERM, self._farewell), (signal.SIGINT, QUICK)):
            twisted_loop.add_signal_handler(number, self._leave, farewell)

    def _leave(self, farewell: Farewell) -> None:
        """Begin to end; asked again, end now."""
        if self._leaving:
            self._end()
            return
        self._leaving = True
        begin_closing()
        # A socket that is never read, or a request that hangs, must not keep the process.
        _be_gone_after(farewell.at_most_s + farewell.grace_s)
        for port in self._ports:
            port.doRead()  # whoever has knocked already is let in: closing the door would break their connections
            port.stopListening()
        sockets = self._sockets()
        shuffle(sockets)
        for number, protocol in enumerate(sockets):
            self._told.add(protocol)
            reactor.callLater(farewell.spread_s * number / len(sockets), self._send_away, protocol)
        reactor.callLater(farewell.at_most_s, self._end)
        self._see_off()

    def _see_off(self) -> None:
        """Look whether all have gone, now and again; sockets that have only just come are sent on at once."""
        for protocol in self._sockets():
            if protocol not in self._told:
                self._told.add(protocol)
                self._send_away(protocol)
        if self._is_busy():
            reactor.callLater(LOOK_EVERY_S, self._see_off)
        else:
            self._end()

    def _sockets(self) -> list[Any]:
        return [
            protocol
            for protocol, details in self.connections.items()
            if isinstance(protocol, WebSocketProtocol) and "disconnected" not in details
        ]

    def _is_busy(self) -> bool:
        """Whether anybody is connected with something to finish, or something goes on for who has gone."""
        return any(
            "disconnected" not in details
            or ("application_instance" in details and not details["application_instance"].done())
            for details in self.connections.values()
        )

    def _send_away(self, protocol: Any) -> None:
        """Have its consumer close the socket as the next thing that it does: acts that came before are answered."""
        queue = getattr(protocol, "application_queue", None)
        if queue is None:  # so new that it has no consumer yet
            reactor.callLater(LOOK_EVERY_S, self._told.discard, protocol)
        else:
            queue.put_nowait({"type": CLOSE_SOON})

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self.stop()


def _be_gone_after(seconds: float) -> None:
    last = threading.Timer(seconds, os._exit, [0])
    last.daemon = True
    last.start()
