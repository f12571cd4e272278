"""Serves the whole site from one process: pages, sockets, and the keeper beside them."""

from __future__ import annotations

# Twisted wants its reactor chosen before anything else of it is imported, and daphne.server chooses it.
from daphne.server import Server, twisted_loop  # isort: skip

import os
import signal
import threading
from typing import Any

from channels.routing import get_default_application
from django.core.management.base import BaseCommand, CommandError, CommandParser
from twisted.internet import reactor as _reactor
from twisted.internet.error import CannotListenError

from games.matches.keeper import start_keeper_thread

reactor: Any = _reactor

MAX_MESSAGE_BYTES = 64 * 1024
"""A longer message closes its socket before anything of ours is asked; the consumers answer shorter ones."""

GRACE_S = 4.0
"""How long requests and sockets under way may go on after the signal to stop."""


class SiteServer(Server):  # type: ignore[misc]
    """Daphne's server, which says where it listens, why it does not, and ends in time."""

    def __init__(self, *args: Any, address: str, out: Any, **kwargs: Any) -> None:
        self.connections: dict[Any, dict[str, Any]] = {}
        super().__init__(*args, signal_handlers=False, ready_callable=self._heed_signals, **kwargs)
        self.address = address
        self.out = out
        self.refusal: str | None = None

    def listen_success(self, port: Any) -> None:
        host = port.getHost()
        shown = f"[{host.host}]" if ":" in host.host else host.host
        self.out.write(f"Tesela is open at http://{shown}:{host.port}/ (Ctrl-C closes it)")
        self.out.flush()
        super().listen_success(port)

    def listen_error(self, failure: Any) -> None:
        if failure.check(CannotListenError):
            self.refusal = f"Cannot listen on {self.address}: {os.strerror(failure.value.socketError.errno)}."
        else:
            self.refusal = f"Cannot listen on {self.address}: {failure.getErrorMessage()}"
        self.stop()

    def kill_all_applications(self) -> Any:
        # Connections between two requests have no application; the parent's loop would stumble over them.
        for protocol, details in list(self.connections.items()):
            if "application_instance" not in details:
                del self.connections[protocol]
        return super().kill_all_applications()

    def _heed_signals(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            twisted_loop.add_signal_handler(number, self._leave)

    def _leave(self) -> None:
        # A socket that is never read, or a request that hangs, must not keep the process: what is committed is safe.
        last = threading.Timer(GRACE_S, os._exit, [0])
        last.daemon = True
        last.start()
        if reactor.running:
            reactor.stop()


class Command(BaseCommand):
    help = "Serves the whole site from one process."
    requires_migrations_checks = True

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default 127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="the port to listen on (default 8000; 0: any free)")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        # In Twisted's descriptions of endpoints a colon separates, also one of an IPv6 address.
        interface = host.replace(":", "\\:")
        server = SiteServer(
            get_default_application(),
            endpoints=[f"tcp:port={port}:interface={interface}"],
            address=f"{host}:{port}",
            out=self.stdout,
            websocket_handshake_timeout=20,
            websocket_max_message_size=MAX_MESSAGE_BYTES,
            websocket_max_frame_size=MAX_MESSAGE_BYTES,
            server_name="tesela",
        )
        keeper = start_keeper_thread()
        try:
            server.run()
        finally:
            keeper.stop()
        if server.refusal is not None:
            raise CommandError(f"{server.refusal} Is Tesela open there already? Choose another with --port.")
