"""Plays at a running site over real sockets, as many people would, and reports how quick it is and what it costs."""

from __future__ import annotations

import asyncio
import json
from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from games.contract.registry import Game, UnknownGame, get_game
from games.matches import texts
from games.matches.errors import Refused
from games.matches.load.arranging import Arrangement, clear_away
from games.matches.load.report import in_words
from games.matches.load.scripts import Watched
from games.matches.load.stores import Stores

NEEDS = "The load test needs the package `websockets`: pip install -r requirements-dev.txt"


class Command(BaseCommand):
    help = (
        "Plays at a running site over real sockets and reports times, moves a second and what they cost. "
        "The database and Redis are those of the environment, and must be those of the site."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        positive, some = _whole(1), _whole(0)
        parser.add_argument(
            "--address",
            default="http://127.0.0.1:8000",
            help="where the site listens; several with commas between: the matches are spread over them",
        )
        parser.add_argument("--apart", action="store_true", help="the seats of a match at different addresses")
        parser.add_argument("--game", default="m", help="slug of the game (default m)")
        parser.add_argument("--seats", type=positive, default=2, help="players of a match (default 2)")
        parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="of the game's table")
        parser.add_argument("--matches", type=positive, default=10, help="matches at the same time (default 10)")
        parser.add_argument(
            "--prepared",
            type=positive,
            help="matches made in advance (default: as many as the warm-up shows to be needed)",
        )
        parser.add_argument("--think", type=_seconds, default=0.0, help="seconds of thought before a move (default 0)")
        parser.add_argument("--seconds", type=_seconds, default=10.0, help="how long is measured (default 10)")
        parser.add_argument("--warm-up", type=_seconds, default=2.0, help="seconds before that (default 2)")
        parser.add_argument("--idle", type=some, default=0, help="sockets besides that only listen (default 0)")
        parser.add_argument("--storm", type=some, default=0, help="sockets that drop and come back at once (default 0)")
        parser.add_argument("--bots", type=some, default=0, help="matches besides, of the strongest bots (default 0)")
        parser.add_argument("--seed", type=some, default=1, help="the same luck plays the same (default 1)")
        parser.add_argument(
            "--processes",
            default="",
            metavar="NAME=PID,...",
            help="processes besides whose processor time is reported; those at the addresses are found by themselves",
        )
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")
        parser.add_argument("--keep", action="store_true", help="leave people and matches there")
        parser.add_argument("--clear", action="store_true", help="only take away what earlier load tests have left")
        parser.add_argument("--i-know", action="store_true", help="also with the settings of production")

    def handle(self, *args: Any, **given: Any) -> None:
        if settings.SETTINGS_MODULE.endswith(".prod") and not given["i_know"]:
            raise CommandError(
                "These are the settings of production, and a load test makes people and matches there that others see, "
                "and keeps the machines busy. If that is what you want, say --i-know."
            )
        if given["clear"]:
            people, matches = clear_away()
            self.stdout.write(f"Taken away: {people} people and {matches} matches of load tests.")
            return
        try:
            from games.matches.load import runs
        except ImportError as error:
            raise CommandError(NEEDS) from error
        plan = runs.Plan(
            addresses=_addresses(given["address"]),
            matches=given["matches"],
            think=given["think"],
            seconds=given["seconds"],
            warm_up=given["warm_up"],
            idle=given["idle"],
            storm=given["storm"],
            bots=given["bots"],
            seed=given["seed"],
            apart=given["apart"],
            processes=_processes(given["processes"]),
        )
        arrangement = Arrangement(
            game=_game(given["game"], given["seats"]),
            seats=given["seats"],
            options=_options(given["option"]),
            seed=given["seed"],
        )
        runs.allow_many_sockets()
        try:
            # In real time a match does not wait for its players.
            needed = plan.matches if arrangement.game.info.real_time else plan.prepared
            arrangement.add_matches(given["prepared"] or needed)
            arrangement.add_onlookers(max(given["idle"], given["storm"]))
            figures = asyncio.run(
                runs.run(
                    plan,
                    arrangement,
                    cookie=settings.SESSION_COOKIE_NAME,
                    stores=Stores(database=settings.DATABASE_URL, redis=settings.REDIS_URL),
                    more=None if given["prepared"] else lambda number: _beside(lambda: arrangement.add_matches(number)),
                    parlour=_Parlour(arrangement),
                )
            )
        except Refused as error:
            raise CommandError(texts.refusal(error)) from error
        except runs.RunError as error:
            raise CommandError(str(error)) from error
        finally:
            if not given["keep"]:
                clear_away(name=arrangement.name)
        self.stdout.write(json.dumps(figures) if given["json"] else in_words(figures))


T = TypeVar("T")


async def _beside(ask: Callable[[], T]) -> T:
    """In a thread, since players have lines to look after, and with a connection that ends with it."""

    def ask_and_close() -> T:
        try:
            return ask()
        finally:
            connections.close_all()

    return await asyncio.to_thread(ask_and_close)


class _Parlour:
    """The matches of bots of this arrangement."""

    def __init__(self, arrangement: Arrangement) -> None:
        self._arrangement = arrangement

    async def add(self, number: int) -> list[Watched]:
        return await _beside(lambda: self._arrangement.add_bots(number))

    async def count(self) -> tuple[int, int]:
        return await _beside(self._arrangement.count_bots)

    async def end(self) -> None:
        await _beside(self._arrangement.end_bots)


def _game(slug: str, seats: int) -> Game:
    try:
        game = get_game(slug)
    except UnknownGame:
        raise CommandError(f"There is no game {slug!r}.") from None
    if not game.info.allows(seats):
        raise CommandError(f"{game.info.title} is not played by {seats}.")
    return game


def _whole(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text) >= least):
            raise ArgumentTypeError(f"a whole number from {least} on, not {text!r}")
        return int(text)

    return read


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 86_400:
        raise ArgumentTypeError(f"seconds, at most a day, not {text!r}")
    return seconds


def _addresses(text: str) -> list[str]:
    found = [part.strip().rstrip("/") for part in text.split(",") if part.strip()]
    for address in found:
        parts = urlsplit(address)
        try:
            wrong = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0 or parts.path
        except ValueError:
            wrong = True
        if wrong:
            raise CommandError(f"An address is like http://127.0.0.1:8000, not {address!r}.")
    if not found:
        raise CommandError("Say at which address the site is.")
    return found


def _options(given: list[str]) -> dict[str, Any]:
    pairs = [text.partition("=") for text in given]
    if not all(key and value for key, _, value in pairs):
        raise CommandError("An option of the game is like KEY=VALUE.")
    return {key: int(value) if value.isdigit() else value for key, _, value in pairs}


def _processes(text: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for part in filter(None, text.split(",")):
        name, _, pid = part.partition("=")
        if not name or not pid.isdigit():
            raise CommandError(f"Processes are like NAME=PID,NAME=PID, not {text!r}.")
        found.setdefault(name, []).append(int(pid))
    return found
