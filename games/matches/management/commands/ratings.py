"""`manage.py ratings check|recompute GAME`: whether a game's ratings follow from its matches, and making them do so."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from games.matches import clock
from games.matches.ledger import RatingBook
from games.matches.services.ratings import ask_to_recompute
from games.matches.services.recompute import deviation, recompute

EXACT = 1e-9
"""Further than that from a replay is wrong."""


class Command(BaseCommand):
    help = "Checks the ratings of a game against its ledger, or recomputes them from zero."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="check|recompute")
        for action, words in (
            ("check", "replay the ledger, and compare; nothing is changed"),
            ("recompute", "write the ledger anew from the first match on"),
        ):
            actions.add_parser(action, help=words).add_argument("game", metavar="GAME")

    def handle(self, *args: Any, action: str, game: str, **options: Any) -> None:
        book = RatingBook.objects.filter(pk=game).first()
        if book is None:
            raise CommandError(f"No rated match of {game!r} has ended yet.")
        if action == "recompute":
            with transaction.atomic():
                ask_to_recompute(game=game, number=1, moment=clock.now())
            if not recompute(game=game):
                raise CommandError("A keeper is at it just now, and will begin anew.")
        elif book.stale_from is not None:
            raise CommandError(f"The ratings wait for a keeper to recompute them from match {book.stale_from} on.")
        far = deviation(game=game)
        self.stdout.write(f"{game}: {book.last_number} rated matches; off by {far:.3g} at most.")
        if far > EXACT:
            sys.exit(1)
