"""What a keeper has bots think about: it asks the processes for that, and plays their moves when it is time.

A bot that fails, or whose process dies or takes too long, is asked once more; then the weakest level plays its seat on,
in the keeper itself.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from queue import Empty, SimpleQueue
from time import monotonic

from django.conf import settings

from games.contract.errors import IllegalMove
from games.contract.registry import all_games
from games.matches import metrics, wakeup
from games.matches.away import tell_of
from games.matches.errors import NotFound
from games.matches.services.sitting import CHANCE
from games.matches.services.thoughts import TAKEN_FOR, Thought, ease_bot, play_thought
from games.matches.workers import NoAnswer, Task, Workers

logger = logging.getLogger(__name__)

SEARCHES_FOR_S = 0.8
"""Of the second that a move may take, counted from when it was taken on: where bots wait for each other they search for
less long. The rest is for an iteration under way, and for playing the move."""

TRIES = 2

PLAYS_FOR_S = 0.1
"""In one go; a move of a bot takes some 3 ms."""


@dataclass
class _Job:
    """A turn that was taken on: `asked` is when, in `time.monotonic()`, and `move` what was found, at `found_at`."""

    thought: Thought
    asked: float = field(default_factory=monotonic)
    tries: int = 1
    move: str | None = None
    failed: bool = False
    found_at: datetime | None = None

    @property
    def is_ready(self) -> bool:
        return self.failed or self.move is not None

    @property
    def plays_at(self) -> datetime:
        return max(self.thought.plays_at, self.found_at or self.thought.plays_at)


class Thinking:
    """Of one keeper, for its thread alone."""

    def __init__(self) -> None:
        self._workers = Workers(settings.BOT_WORKERS, [f"{game.package}.bot" for game in all_games()])
        self._jobs: dict[Hashable, _Job] = {}
        self._answers: SimpleQueue[tuple[_Job, str | None, NoAnswer | None]] = SimpleQueue()

    def take(self, thought: Thought) -> None:
        """Have it thought about, unless that is under way."""
        if thought.key not in self._jobs:
            job = self._jobs[thought.key] = _Job(thought)
            self._ask(job)

    def play(self, now: Callable[[], datetime], *, after_each: Callable[[datetime], None] | None = None) -> None:
        """Play the moves that have been found and whose time has come, those that have waited longest first.

        `after_each` is told since when the move just played could have been. After `PLAYS_FOR_S` the others wait for
        the next time: something else may be due as well.
        """
        self._hear(now())
        until = monotonic() + PLAYS_FOR_S
        for job in sorted((job for job in self._jobs.values() if job.is_ready), key=lambda job: job.plays_at):
            if job.plays_at > now() or monotonic() > until:
                return
            self._play(job, now())
            if after_each is not None and job.thought.key not in self._jobs:
                after_each(job.plays_at)

    @property
    def next_at(self) -> datetime | None:
        """When the next move that has been found is to be played; None if there is none."""
        return min((job.plays_at for job in self._jobs.values() if job.is_ready), default=None)

    def stop(self) -> None:
        """Think no more. Whoever finds these turns next takes them on anew."""
        self._workers.stop()
        self._jobs.clear()

    def _ask(self, job: _Job) -> None:
        def then(move: str | None, why: NoAnswer | None) -> None:
            self._answers.put((job, move, why))
            wakeup.rouse()

        thought = job.thought
        task = Task(
            bot=f"{thought.game.package}.bot",
            level=thought.level,
            view=lambda: thought.view,
            seed=CHANCE.getrandbits(64),
            until=job.asked + SEARCHES_FOR_S,
            then=then,
        )
        self._workers.ask(task)

    def _hear(self, moment: datetime) -> None:
        while True:
            try:
                job, move, why = self._answers.get_nowait()
            except Empty:
                return
            job.found_at = moment
            if move is not None:
                job.move = move
                metrics.time_thought(job.thought.game.slug, job.thought.level, monotonic() - job.asked)
            else:
                self._fail(job, str(why or "it gave no move"))

    def _play(self, job: _Job, moment: datetime) -> None:
        thoughts: Sequence[Thought] = ()
        try:
            if job.failed:
                ease_bot(job.thought, moment=moment)
            else:
                assert job.move is not None
                thoughts = play_thought(job.thought, move=job.move, moment=moment)
        except NotFound:  # somebody holds the match: so soon, or never, whoever sees to it then
            if moment < job.plays_at + TAKEN_FOR:
                return
        except IllegalMove as error:
            self._fail(job, f"its move was refused ({error.code})")
            return
        except Exception as error:
            tell_of(logger, error, "could not play a bot's move at match %s", job.thought.slug)
        del self._jobs[job.thought.key]
        for thought in thoughts:
            self.take(thought)

    def _fail(self, job: _Job, why: str) -> None:
        thought, job.move = job.thought, None
        where = (thought.level, thought.game.slug, thought.seat, thought.slug, why)
        if job.tries < TRIES:
            logger.warning("the bot (%s) of %s on seat %d of match %s failed and is asked again: %s", *where)
            metrics.BOT_FAILURES.labels(thought.game.slug, "tried again").inc()
            job.tries, job.asked = job.tries + 1, monotonic()
            self._ask(job)
        else:
            logger.error("the bot (%s) of %s on seat %d of match %s failed, and an easy one plays on: %s", *where)
            metrics.BOT_FAILURES.labels(thought.game.slug, "eased").inc()
            job.failed = True
