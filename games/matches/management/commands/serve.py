"""Serves the site: pages and sockets, and the keeper beside them unless that is a process of its own."""

from __future__ import annotations

# First: Twisted wants its reactor chosen before anything else of it is imported.
from games.matches.management.server import ORDERLY, QUICK, SiteServer  # isort: skip

import errno
import logging
import socket
from contextlib import closing
from ipaddress import ip_address
from typing import Any

from channels.routing import get_default_application
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from games.matches.attendants import Attendant
from games.matches.away import AWAY, tell_of
from games.matches.bookkeeper import start_bookkeeper
from games.matches.keeper import Keeper, start_keeper_thread
from games.matches.management.memory import spare_the_collector
from games.matches.numbers import whole_number
from games.matches.postman import start_postman
from games.matches.sweeper import start_sweeper

logger = logging.getLogger(__name__)

MAX_MESSAGE_BYTES = 64 * 1024
"""A longer message closes its socket before anything of ours is asked; the consumers answer shorter ones."""

ANSWER_WITHIN_S = 60
"""A page that takes longer is given up with a 503; sockets may stay."""

PING_EVERY_S, PONG_WITHIN_S = 20, 30
"""A page that does not answer is not there any more, and its socket is closed."""

LAST_PORT = 65_535


class Command(BaseCommand):
    help = "Serves the whole site from one process, or pages and sockets beside other processes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default 127.0.0.1)")
        parser.add_argument("--port", default="8000", help="the port to listen on (default 8000; 0: any free)")
        parser.add_argument(
            "--prepare",
            action="store_true",
            help="first bring the database up to date and gather the static files, as `make play` does",
        )
        parser.add_argument(
            "--without-keeper",
            action="store_true",
            help="only pages and sockets, where `manage.py keeper` runs by itself; on SIGTERM its pages move over to"
            " other processes, which takes some seconds",
        )

    def handle(self, *args: Any, host: str, port: str, prepare: bool, without_keeper: bool, **options: Any) -> None:
        number = _port_number(port)
        another = f"{'make play PORT=' if prepare else 'serve --port '}{8002 if number == 8001 else 8001}"
        _try_to_listen(host, number, another)
        if prepare:
            call_command("migrate", verbosity=0)
            call_command("collectstatic", interactive=False, verbosity=0)
            connections.close_all()
        else:
            self._look_at_migrations(may_be_away=without_keeper)
        if number:  # the mails' thread may be quicker than the server
            _point_mails_to(host, number)
        # In Twisted's descriptions of endpoints a colon separates, also one of an IPv6 address.
        interface = host.replace(":", "\\:")
        server = SiteServer(
            get_default_application(),
            endpoints=[f"tcp:port={number}:interface={interface}"],
            listens=self._say_where,
            farewell=ORDERLY if without_keeper else QUICK,
            http_timeout=ANSWER_WITHIN_S,
            ping_interval=PING_EVERY_S,
            ping_timeout=PONG_WITHIN_S,
            websocket_handshake_timeout=20,
            websocket_max_message_size=MAX_MESSAGE_BYTES,
            websocket_max_frame_size=MAX_MESSAGE_BYTES,
            server_name="tesela",
        )
        beside: list[Keeper | Attendant] = (
            [] if without_keeper else [start_keeper_thread(), start_bookkeeper(), start_postman(), start_sweeper()]
        )
        spare_the_collector()
        try:
            server.run()
        finally:
            for one in beside:
                one.stop()
        if server.refusal is not None:
            raise _no_listening(host, number, server.refusal, another)

    def _look_at_migrations(self, *, may_be_away: bool) -> None:
        """Say what is not migrated. One of several processes opens also while the database is away, which its doors
        say to who comes: it may have been restarted at that very moment.
        """
        try:
            self.check_migrations()
        except AWAY as error:
            if not may_be_away:
                raise
            tell_of(logger, error, "could not look whether the database is up to date")

    def _say_where(self, host: str, port: int) -> None:
        _point_mails_to(host, port)
        if ip_address(host).is_unspecified:
            others = f" on this machine, to others at {_link(_own_address(), port)}"
            self.stdout.write(f"Tesela is open at {_link('127.0.0.1', port)}{others} (Ctrl-C closes it)")
        else:
            self.stdout.write(f"Tesela is open at {_link(host, port)} (Ctrl-C closes it)")
        if settings.EMAIL_BACKEND == "django.core.mail.backends.console.EmailBackend":
            self.stdout.write(f"Mail is not sent but printed here; what is kept lies in {settings.VAR_DIR}.")
        self.stdout.flush()


def _port_number(text: str) -> int:
    """Raises `CommandError` for what is no port."""
    port = whole_number(text, digits=len(str(LAST_PORT)))
    if port is None or port > LAST_PORT:
        raise CommandError(f"The port is a number from 1 to {LAST_PORT}, or 0 for any that is free; not {text!r}.")
    return port


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


def _point_mails_to(host: str, port: int) -> None:
    """Let mails link to where the site listens, if nobody has said where it is found."""
    if settings.SITE_URL_IS_WHERE_IT_LISTENS:
        settings.SITE_URL = _link(_own_address() if host in ("0.0.0.0", "::") else host, port).rstrip("/")  # noqa: S104


def _link(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
