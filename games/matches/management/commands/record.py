"""`manage.py record check|trace|simulate`: match records from the command line, without the database."""

from __future__ import annotations

import json
import logging
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.contract.errors import BadOption
from games.contract.record import RecordError, read_record
from games.contract.registry import Game, UnknownGame, all_games, get_game
from games.contract.replay import check_record, trace_lines
from games.contract.simulate import STYLES, simulate_match
from games.contract.strict_json import MAX_BYTES
from games.contract.values import Json, OptionValue, Outcome
from games.matches.record_texts import record_error

logger = logging.getLogger(__name__)

USAGE_ERROR = 2


class Command(BaseCommand):
    help = "Checks, traces and simulates match records (docs/rules/records.md)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="check|trace|simulate")
        check = actions.add_parser("check", help="replay records; one JSON line a file")
        check.add_argument("files", nargs="+", metavar="FILE")
        trace = actions.add_parser("trace", help="print the position after each move; one JSON line each")
        trace.add_argument("file", metavar="FILE")
        simulate = actions.add_parser("simulate", help="play matches and write their records")
        simulate.add_argument("game", metavar="GAME")
        simulate.add_argument("--players", type=int, required=True, metavar="N")
        simulate.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", dest="chosen")
        simulate.add_argument("--seed", type=int, metavar="S", help="the same seed gives the same matches")
        simulate.add_argument("--count", type=int, default=1, metavar="K")
        simulate.add_argument("--style", choices=STYLES, default="random", help="random legal moves, or the bots'")
        simulate.add_argument("--out", type=Path, metavar="DIR", help="one file a record, instead of one line")

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        try:
            sound = getattr(self, f"_{action}")(**options)
            self.stdout.flush()
        except BrokenPipeError:
            # Who read our lines has seen enough; nothing may be written any more, not even on the way out.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sound = False
        if not sound:
            sys.exit(1)

    def _check(self, *, files: list[str], **_: Any) -> bool:
        results = [self._print_check(path) for path in files]
        return all(results)

    def _print_check(self, path: str) -> bool:
        try:
            plies, outcome = check_record(read_file(path))
        except Exception as error:
            self._print_error(path, error)
            return False
        self._print({"file": path, "ok": True, "plies": plies, "outcome": as_json(outcome)})
        return True

    def _trace(self, *, file: str, **_: Any) -> bool:
        try:
            for line in trace_lines(read_record(read_file(file))):
                self._print(line)
        except BrokenPipeError:
            raise
        except Exception as error:
            self._print_error(file, error)
            return False
        return True

    def _simulate(
        self,
        *,
        game: str,
        players: int,
        chosen: list[str],
        seed: int | None,
        count: int,
        style: str,
        out: Path | None,
        **_: Any,
    ) -> bool:
        played = find_game(game)
        if not played.info.allows(players):
            raise usage_error(f"{played.info.title} is for {played.info.min_seats} to {played.info.max_seats} players.")
        if count < 1:
            raise usage_error("--count must be at least 1.")
        options = read_options(played, chosen)
        seed = secrets.randbelow(10**9) if seed is None else seed
        name = "-".join([played.slug, f"{players}p", *map(str, options.values()), style, f"seed{seed}"])
        try:
            for number in range(1, count + 1):
                rng = Random(f"{seed}/{number}")
                record = simulate_match(played, players=players, options=options, rng=rng, style=style)
                if out is None:
                    self._print(record)
                else:
                    out.mkdir(parents=True, exist_ok=True)
                    (out / f"{name}-{number:04}.json").write_text(json.dumps(record) + "\n", encoding="ascii")
        except BadOption as error:
            raise usage_error(played.texts.refusal(error.code, error.params)) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            raise usage_error(f"{out}: {error.strerror}") from None
        return True

    def _print_error(self, path: str, error: Exception) -> None:
        if not isinstance(error, RecordError):
            # One record on which the program fails must not keep the others from being checked.
            logger.error("%a could not be checked", path, exc_info=error)
            error = RecordError(0, "internal")
        self._print({"file": path, "ok": False, "ply": error.ply, "error": record_error(error)})

    def _print(self, line: dict[str, Json]) -> None:
        # ASCII only: paths and names may have what no terminal and no encoding can show.
        self.stdout.write(json.dumps(line))


def as_json(outcome: Outcome | None) -> Json:
    """The rules' outcome as a record has it."""
    return None if outcome is None else outcome.as_json()


def read_file(path: str) -> bytes:
    """The bytes of a regular file, one more than a record may have at most. Raises `RecordError` for ply 0."""
    try:
        # Looked at before it is opened, since opening a device may do something; opened without waiting, since it
        # may have become a pipe in between.
        check_regular(os.stat(path))
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            check_regular(os.fstat(descriptor))
            return b"".join(read_blocks(descriptor, MAX_BYTES + 1))
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        raise RecordError(0, "no-file") from None
    except (OSError, ValueError):  # ValueError: a zero byte in the path
        raise RecordError(0, "unreadable-file") from None


def check_regular(found: os.stat_result) -> None:
    """Raises `RecordError` for anything but a regular file."""
    if not stat.S_ISREG(found.st_mode):
        raise RecordError(0, "not-a-file")


def read_blocks(descriptor: int, limit: int) -> Iterator[bytes]:
    """What can be read, up to `limit` bytes."""
    while limit and (block := os.read(descriptor, limit)):
        limit -= len(block)
        yield block


def find_game(slug: str) -> Game:
    """The game of that slug, or a usage error that names all."""
    try:
        return get_game(slug)
    except UnknownGame:
        known = ", ".join(game.slug for game in all_games())
        raise usage_error(f"There is no game {slug!a}. Games: {known}.") from None


def read_options(game: Game, chosen: list[str]) -> dict[str, OptionValue]:
    """The table options of `KEY=VALUE` arguments; numbers where the game has numbers. Wrong ones stay as they are."""
    options: dict[str, OptionValue] = {}
    for text in chosen:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise usage_error(f"--option {text!a}: write KEY=VALUE.")
        if key in options:
            raise usage_error(f"--option {key}: given twice.")
        allowed = [option.values for option in game.info.options if option.key == key]
        options[key] = next((known for values in allowed for known in values if str(known) == value), value)
    return options


def usage_error(message: str) -> CommandError:
    """An error in how the command was called."""
    return CommandError(message, returncode=USAGE_ERROR)
