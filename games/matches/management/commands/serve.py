"""Serves the whole site from one process: pages, sockets, and the keeper beside them."""

from __future__ import annotations

# Twisted wants its reactor chosen before anything else of it is imported, and daphne.server chooses it.
from daphne.server import Server, twisted_loop  # isort: skip

import errno
import os
import signal
import socket
import threading
from contextlib import closing
from ipaddress import ip_address
from typing import Any

from channels.routing import get_default_application
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections
from twisted.internet import reactor as _reactor
from twisted.internet.error import CannotListenError

from games.matches.keeper import start_keeper_thread

reactor: Any = _reactor

MAX_MESSAGE_BYTES = 64 * 1024
"""A longer message closes its socket before anything of ours is asked; the consumers answer shorter ones."""

ANSWER_WITHIN_S = 60
"""A page that takes longer is given up with a 503; sockets may stay."""

GRACE_S = 4.0
"""How long requests and sockets under way may go on after the signal to stop."""

LAST_PORT = 65_535


class SiteServer(Server):  # type: ignore[misc]
    """Daphne's server, which says where it listens, why it does not, and ends in time."""

    def __init__(self, *args: Any, out: Any, **kwargs: Any) -> None:
        self.connections: dict[Any, dict[str, Any]] = {}
        super().__init__(*args, signal_handlers=False, ready_callable=self._heed_signals, **kwargs)
        self.out = out
        self.refusal: OSError | None = None

    def listen_success(self, port: Any) -> None:
        host = port.getHost()
        if ip_address(host.host).is_unspecified:
            others = f" on this machine, to others at {_link(_own_address(), host.port)}"
            self.out.write(f"Tesela is open at {_link('127.0.0.1', host.port)}{others} (Ctrl-C closes it)")
        else:
            self.out.write(f"Tesela is open at {_link(host.host, host.port)} (Ctrl-C closes it)")
        if settings.EMAIL_BACKEND == "django.core.mail.backends.console.EmailBackend":
            self.out.write(f"Mail is not sent but printed here; what is kept lies in {settings.VAR_DIR}.")
        self.out.flush()
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

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default 127.0.0.1)")
        parser.add_argument("--port", default="8000", help="the port to listen on (default 8000; 0: any free)")
        parser.add_argument(
            "--prepare",
            action="store_true",
            help="first bring the database up to date and gather the static files, as `make play` does",
        )

    def handle(self, *args: Any, host: str, port: str, prepare: bool, **options: Any) -> None:
        number = _port_number(port)
        another = f"{'make play PORT=' if prepare else 'serve --port '}{8002 if number == 8001 else 8001}"
        _try_to_listen(host, number, another)
        if prepare:
            call_command("migrate", verbosity=0)
            call_command("collectstatic", interactive=False, verbosity=0)
            connections.close_all()
        else:
            self.check_migrations()
        # In Twisted's descriptions of endpoints a colon separates, also one of an IPv6 address.
        interface = host.replace(":", "\\:")
        server = SiteServer(
            get_default_application(),
            endpoints=[f"tcp:port={number}:interface={interface}"],
            out=self.stdout,
            http_timeout=ANSWER_WITHIN_S,
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
            raise _no_listening(host, number, server.refusal, another)


def _port_number(text: str) -> int:
    """Raises `CommandError` for what is no port."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(LAST_PORT)) and int(text) <= LAST_PORT):
        raise CommandError(f"The port is a number from 1 to {LAST_PORT}, or 0 for any that is free; not {text!r}.")
    return int(text)


def _try_to_listen(host: str, port: int, another: str) -> None:
    """Raises `CommandError` if nobody can listen there now: to be told before anything is changed."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with closing(socket.socket(family, kind, protocol)) as probe:
            # As the server will: connections of one that has just ended are in nobody's way.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen()
    except OSError as error:
        raise _no_listening(host, port, error, another) from None


def _no_listening(host: str, port: int, error: OSError, another: str) -> CommandError:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return CommandError(f"{host!r} is no address of this machine.")
    reason = error.strerror or str(error)
    if error.errno == errno.EADDRINUSE:
        reason = "something listens there already, perhaps Tesela itself"
    return CommandError(f"Cannot listen on {host}:{port}: {reason}. Another port: {another}")


def _own_address() -> str:
    """The address by which others probably reach this machine."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as way_out:
        try:
            way_out.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the interface
        except OSError:
            return socket.gethostname()
        return str(way_out.getsockname()[0])


def _link(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
