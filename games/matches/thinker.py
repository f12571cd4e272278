"""A process that thinks for bots and does nothing else: it is given views, and answers with moves, or with hints.

Run by `workers.py` as `python -m games.matches.thinker MODULE ...`, with the modules of bots to have at hand. It knows
no database, no layer, no settings and no Django: only what a seat may know, and for how long. It gives way to all else
on the machine, ends when nobody is there to ask, and, should a bot never come back, by itself.

Each question and each answer is a length of 4 bytes and so much more: a pickled `Question`, and JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from random import Random, uniform
from time import monotonic, sleep
from typing import IO, Any, NamedTuple

NICENESS = 19
"""People's moves go first."""

TRIES = 100
"""To have the session stand back; many thinkers may start at once."""

MEMORY_BYTES = 1 << 30
"""A bot that takes more has failed, and not the machine."""

READY = b"{}"


class Question(NamedTuple):
    """What to think about: the bot by its module, its level, the chance it has, and what its seat may know. Without a
    level it is asked for a hint.

    It stops searching at `until` (`time.monotonic()`, which is one for the machine). After `cpu_s` of computing, or
    `at_most_s` by the clock, the process is gone.
    """

    bot: str
    level: str | None
    seed: int | str
    until: float
    cpu_s: float
    at_most_s: float
    view: Any


def write(stream: IO[bytes], message: bytes) -> None:
    """One message. Raises `OSError` if nobody reads it."""
    stream.write(len(message).to_bytes(4, "big") + message)
    stream.flush()


def read(stream: IO[bytes]) -> bytes | None:
    """The next message; None at the end, also in the middle of one."""
    head = stream.read(4)
    length = int.from_bytes(head, "big")
    message = stream.read(length) if len(head) == 4 else b""
    return message if len(head) == 4 and len(message) == length else None


def answer(question: Question) -> dict[str, Any]:
    """The bot's move as `{"move": text}`, or its hint as `{"move": text, "why": [[code, params], ...]}`; or `{"error":
    where it failed}`, without a word of what it knew."""
    try:
        bot = importlib.import_module(question.bot)
        rng, until = Random(question.seed), question.until

        def budget() -> bool:
            return monotonic() < until

        if question.level is not None:
            return {"move": bot.choose(question.view, question.level, rng, budget)}
        hint = bot.hint(question.view, rng, budget)
        if hint is None:
            return {"move": None, "why": []}
        return {"move": hint.move, "why": [(code, dict(params)) for code, params in hint.why]}
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return {"error": f"{type(error).__name__} in {os.path.basename(last.filename)}, line {last.lineno}"}


def serve(questions: IO[bytes], answers: IO[bytes], modules: Iterable[str]) -> None:
    """Answer until there is nobody who asks."""
    for module in modules:
        with suppress(Exception):  # whoever asks that bot is told
            importlib.import_module(module)
    write(answers, READY)
    while (asked := read(questions)) is not None:
        question = Question(*pickle.loads(asked))  # noqa: S301 - from the house
        _end_after(cpu_s=question.cpu_s, at_most_s=question.at_most_s)
        found = answer(question)
        _end_after(cpu_s=0, at_most_s=0)
        write(answers, json.dumps(found).encode())


def _end_after(*, cpu_s: float, at_most_s: float) -> None:
    """The default of these signals is the end, wherever the bot is; 0 means never."""
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    signal.setitimer(signal.ITIMER_REAL, at_most_s)


def _let_the_session_stand_back() -> None:
    """Where the kernel shares the processor by sessions first, niceness counts for nothing beyond one.

    From all who have no privileges it takes one such wish in a tenth of a second.
    """
    for _ in range(TRIES):
        try:
            Path("/proc/self/autogroup").write_text(str(NICENESS))
        except BlockingIOError:
            sleep(uniform(0.05, 0.2))
        except OSError:  # it does not share so
            return
        else:
            return


def main() -> None:
    """Over stdin and stdout, which a bot that prints must not get hold of."""
    # Ctrl-C is for who asks, and they end this.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    threading.Thread(target=_let_the_session_stand_back, daemon=True).start()
    with suppress(ValueError, OSError):  # not every system has such a limit
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    with suppress(BrokenPipeError):
        serve(questions, answers, sys.argv[1:])


if __name__ == "__main__":
    main()
