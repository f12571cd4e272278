"""The processes that think for bots, from the side of who asks: a few of them, each with a thread that waits for it.

They are started when there is something to think about, and again when they have died. Nothing of theirs is believed
but the text of a move, which the rules judge as anybody's; and the reasons of a hint, which are sentences of the game.

A keeper has some of them, for bots' moves; each process of pages has one, for hints.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Any

from games.contract.registry import all_games
from games.contract.values import Hint
from games.matches.thinker import Question, read, write

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]

UP_WITHIN_S = 30.0
"""A process that has not come up by then never will."""

AT_MOST_CPU_S = 4.0
"""Whoever has computed for so long without an answer does not look at its budget, and is given up with its process. It
is no time by the clock: that a machine has none is no fault of the bot."""

AT_MOST_S = 30.0
"""By the clock it is given up all the same."""

HINT_AT_MOST_S = 10.0
"""The same for a hint: there somebody waits for the page."""

ENDS_WITHIN_S = 2.0

KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR")


class NoAnswer(Exception):
    """The bot failed, or its process did not live to answer; the text says how, and nothing of what it knew."""


@dataclass(frozen=True)
class Task:
    """Something to think about. `view` gives what the seat may know; `until` is when to stop searching at the latest,
    in `time.monotonic()`. `then` hears what came of it: the text of a move (None: no move), or why there is none."""

    bot: str
    level: str
    view: Callable[[], Any]
    seed: int
    until: float
    then: Callable[[str | None, NoAnswer | None], None]


class Worker:
    """One process; for one thread, but for `end`."""

    def __init__(self, modules: Sequence[str] = ()) -> None:
        self._modules = modules
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False

    def think(self, task: Task, *, until: float) -> str | None:
        """The text of its move, or None for none. Raises `NoAnswer`; the next task has a fresh process then."""
        found = self._find(
            lambda: Question(task.bot, task.level, task.seed, until, AT_MOST_CPU_S, AT_MOST_S, task.view())
        )
        move: str | None = found["move"]
        return move

    def hint(self, *, bot: str, view: Any, seed: str, seconds: float) -> Hint | None:
        """What that bot suggests in the view's seat, after so long a search at most, for which no start of a process
        counts; None if there is nothing. Raises `NoAnswer`, and the next one has a fresh process then."""
        self._be_up()
        until = monotonic() + seconds
        found = self._find(lambda: Question(bot, None, seed, until, AT_MOST_CPU_S, HINT_AT_MOST_S, view))
        if found["move"] is None:
            return None
        return Hint(found["move"], tuple((code, _as_params(params)) for code, params in found["why"]))

    def end(self) -> None:
        """Kill it, wherever it is; from now on there is none. From any thread."""
        self._ended = True
        process = self._process
        if process is not None:
            process.kill()
            process.wait()

    def close(self) -> None:
        """Leave nothing of it."""
        self.end()
        if self._process is not None:
            self._process.communicate()

    def _find(self, question: Callable[[], Question]) -> dict[str, Any]:
        """Its answer. Raises `NoAnswer`."""
        try:
            asked = question()
            message = pickle.dumps(tuple(asked))
        except Exception as error:
            raise NoAnswer(f"what its seat sees could not be told ({type(error).__name__})") from error
        self._be_up()
        # By then it has ended by itself, unless somebody has stopped it.
        found = self._ask(message, asked.at_most_s + 1)
        if "error" in found:
            raise NoAnswer(found["error"])
        return found

    def _be_up(self) -> None:
        """Start it if it is not there (any more). Raises `NoAnswer`."""
        if self._process is not None and self._process.poll() is None:
            return
        if self._process is not None:
            self._process.communicate()
        command = [sys.executable, "-m", "games.matches.thinker", *self._modules]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - ourselves
                command, cwd=ROOT, env=_around(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise NoAnswer(f"no process could be started ({error.strerror})") from None
        if self._ended:
            self._process.kill()
        self._ask(None, UP_WITHIN_S)

    def _ask(self, message: bytes | None, within_s: float) -> dict[str, Any]:
        """What it says next, after that message. Raises `NoAnswer` if it does not live to say it."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        # Neither reading nor writing can hang for longer than it lives.
        alarm = threading.Timer(within_s, process.kill)
        alarm.start()
        said: bytes | None = None
        try:
            if message is not None:
                write(process.stdin, message)
            said = read(process.stdout)
        except OSError:
            pass
        finally:
            alarm.cancel()
        if said is None:
            process.kill()
            raise NoAnswer(f"its process has ended (status {process.wait()})")
        found: dict[str, Any] = json.loads(said)
        return found


def _around() -> dict[str, str]:
    """What such a process is told of the world: no passwords; and the same sets have the same order in all of them, so
    that the same seed gives the same move."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {**kept, "PYTHONHASHSEED": "0"}


def _as_params(found: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a reason, of which JSON has made lists where they were tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in found.items()}


@cache
def adviser() -> Worker:
    """The one of this process that thinks of hints, for one thread at a time. It ends with us, however that is."""
    worker = Worker([f"{game.package}.bot" for game in all_games()])
    atexit.register(worker.end)
    return worker


class Workers:
    """So many processes. `modules` are bots that they should have at hand."""

    def __init__(self, number: int, modules: Sequence[str] = ()) -> None:
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._workers = [Worker(modules) for _ in range(number)]
        self._threads: list[threading.Thread] = []
        self._stopping = threading.Event()

    def ask(self, task: Task) -> None:
        """Have it thought about, in its turn; from one thread alone. `task.then` is called from another one."""
        if not self._threads:
            self._threads = [
                threading.Thread(target=self._run, args=[worker], name="bots", daemon=True) for worker in self._workers
            ]
            for thread in self._threads:
                thread.start()
        self._tasks.put(task)

    def stop(self) -> None:
        """End all of it, wherever it is: no task is answered any more."""
        self._stopping.set()
        for _ in self._threads:
            self._tasks.put(None)
        for worker in self._workers:
            worker.end()
        deadline = monotonic() + ENDS_WITHIN_S
        for thread in self._threads:
            thread.join(timeout=max(0.0, deadline - monotonic()))

    def _run(self, worker: Worker) -> None:
        while (task := self._tasks.get()) is not None and not self._stopping.is_set():
            move: str | None = None
            why: NoAnswer | None = None
            try:
                move = worker.think(task, until=self._until(task))
            except NoAnswer as error:
                why = error
            except Exception as error:  # a fault of ours must not leave a turn without an answer
                logger.exception("a bot could not be asked")
                why = NoAnswer(type(error).__name__)
            if not self._stopping.is_set():
                task.then(move, why)
        worker.close()

    def _until(self, task: Task) -> float:
        """Those that wait have their share of the time. If the first took all of it, the others would have none; and
        all their moves, and the turns after them, would come at once for ever."""
        now, for_each = monotonic(), (1 + self._tasks.qsize()) / len(self._workers)
        return now + max(0.0, task.until - now) / max(1.0, for_each)
