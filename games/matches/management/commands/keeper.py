"""Runs a keeper as a process of its own; any number may run beside the web servers."""

from __future__ import annotations

import signal
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from prometheus_client import start_http_server

from games.matches.bookkeeper import start_bookkeeper
from games.matches.keeper import Keeper
from games.matches.management.memory import spare_the_collector
from games.matches.numbers import whole_number
from games.matches.postman import start_postman
from games.matches.sweeper import start_sweeper


class Command(BaseCommand):
    help = "Does what is due by time alone (rounds, clocks, bots' moves, idle tables), recomputes ratings, and mails."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--metrics-port",
            default="",
            help="serve what this keeper counts, for monitoring, at http://127.0.0.1:PORT/metrics",
        )

    def handle(self, *args: Any, metrics_port: str, **options: Any) -> None:
        if metrics_port:
            _serve_metrics(metrics_port)
        keeper = Keeper()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: keeper.ask_to_stop())
        self.stdout.write("The keeper looks after the matches (Ctrl-C ends it).")
        spare_the_collector()
        attendants = [start_bookkeeper(), start_postman(), start_sweeper()]
        keeper.run()
        for attendant in attendants:
            attendant.stop()


def _serve_metrics(text: str) -> None:
    """To this machine alone. Raises `CommandError` if nobody can listen there."""
    port = whole_number(text, digits=5)
    try:
        if port is None:
            raise OverflowError
        start_http_server(port, addr="127.0.0.1")
    except OverflowError:
        raise CommandError(f"The port is a number from 1 to 65535, not {text!r}.") from None
    except OSError as error:
        raise CommandError(f"Cannot listen on 127.0.0.1:{port}: {error.strerror or error}.") from None
