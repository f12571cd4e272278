"""Runs a keeper as a process of its own; any number may run beside the web servers."""

from __future__ import annotations

import signal
from typing import Any

from django.core.management.base import BaseCommand

from games.matches.keeper import Keeper


class Command(BaseCommand):
    help = "Does what is due by time alone (bots' moves, idle tables), until it is told to stop."

    def handle(self, *args: Any, **options: Any) -> None:
        keeper = Keeper()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: keeper.ask_to_stop())
        self.stdout.write("The keeper looks after the matches (Ctrl-C ends it).")
        keeper.run()
