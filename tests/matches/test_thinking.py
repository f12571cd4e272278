"""Bots that think in processes of their own: which do nothing else, may fail and die, and leave nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from accounts.people.models import User
from games.contract import registry
from games.matches import clock, thinking, wakeup, workers
from games.matches.keeper import Keeper
from games.matches.models import Match, Seat
from games.matches.services.due import settle_due
from games.matches.services.thoughts import TAKEN_FOR, play_thought
from games.matches.thinker import NICENESS
from games.matches.thinking import Thinking
from tests.matches.conftest import START, Clock, move_form, to_move
from tests.matches.playing import play_form
from tests.matches.pondering import (
    PAUSED,
    bots_moves,
    bots_turn,
    children,
    keep_on,
    pondered,
    taken,
    wait_for,
)
from tests.matches.timekeeping import log_of
from tests.pondered.bot import ENOUGH
from tests.soundness import assert_sound

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _bots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(registry._added, "m", pondered())
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(settings, "BOT_WORKERS", 1)


@pytest.fixture
def keeper(time: Clock) -> Iterator[Thinking]:
    """What a keeper has of it, in the hand of the test; nothing of it is left at the end."""
    wakeup.forget()
    held = Thinking()
    yield held
    held.stop()
    assert children() == []


ASKS = """
import time
from games.matches import workers
from games.matches.workers import Task, Workers

workers.AT_MOST_CPU_S, workers.AT_MOST_S = 1.0, 15.0
pool = Workers(2)


def ask(level):
    pool.ask(Task("tests.pondered.bot", level, lambda: None, 1, 0.0, lambda *_: ask(level)))


ask("endless")
ask("held")
time.sleep(600)
"""
"""A program whose bots never come back, and are asked again and again."""


def moved(match: Match, times: int = 1) -> bool:
    return bots_moves(match) >= times


# As it should be


def test_a_bot_moves(alice: User, keeper: Thinking) -> None:
    match = bots_turn(alice, level="normal")
    keep_on(keeper, START + PAUSED, until=lambda: moved(match))
    assert match.moves.get(kind=Seat.Kind.BOT).at == PAUSED // timedelta(milliseconds=1)
    assert_sound(match)


@pytest.mark.parametrize(("seconds", "searched"), [(600.0, ENOUGH), (0.0, 0)])
def test_it_searches_until_its_time_is_up(
    alice: User,
    keeper: Thinking,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    searched: int,
) -> None:
    """Which began when its turn was taken on: where it has waited for so long, it plays what it knows."""
    monkeypatch.setattr(thinking, "SEARCHES_FOR_S", seconds)
    match = bots_turn(alice, level="hard")
    keep_on(keeper, START + PAUSED, until=lambda: moved(match))
    assert (tmp_path / "searched").read_text() == str(searched)


def test_what_is_found_waits_for_the_end_of_the_pause(alice: User, keeper: Thinking) -> None:
    match = bots_turn(alice, level="normal")
    keep_on(keeper, START, until=lambda: keeper.next_at is not None)
    at = keeper.next_at
    assert at is not None
    keeper.play(lambda: at - timedelta(milliseconds=1))
    assert bots_moves(match) == 0
    keeper.play(lambda: at)
    assert match.moves.get(kind=Seat.Kind.BOT).at == match.milliseconds(at)


def test_its_process_knows_no_house_and_gives_way(
    alice: User, keeper: Thinking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No Django, no database, none of the passwords in the environment; and it is niced."""
    monkeypatch.setenv("SECRET_KEY", "not for bots")
    match = bots_turn(alice, level="nosy")
    keep_on(keeper, START + PAUSED, until=lambda: moved(match))
    modules = (tmp_path / "modules").read_text().split()
    assert "games.m.bot" in modules
    for name in ("django", "channels", "psycopg", "sqlite3", "config", "redis", "games.matches.models"):
        assert name not in modules
    environment = (tmp_path / "environment").read_text().split()
    assert not {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"} & set(environment)
    (process,) = children()
    assert os.getpriority(os.PRIO_PROCESS, process) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)


def test_its_process_is_told_what_the_seat_may_know(alice: User, keeper: Thinking, tmp_path: Path) -> None:
    """Not a word of the other hands, nor of the stack."""
    match = bots_turn(alice, level="nosy")
    position = match.game.rules.load(match.position or {})
    keep_on(keeper, START + PAUSED, until=lambda: moved(match))
    assert (tmp_path / "view").read_text() == repr(match.game.rules.view(position, 1))


def test_who_is_long_at_it_keeps_it(alice: User, keeper: Thinking, tmp_path: Path) -> None:
    """A move that takes long is taken on again by the same keeper, and thought about once."""
    match = bots_turn(alice, level="held")
    keep_on(keeper, START, until=lambda: bool(list(tmp_path.glob("asked-*"))))
    settle_due(moment=START + TAKEN_FOR, think=keeper.take)
    assert taken(START + TAKEN_FOR) == []
    (tmp_path / "go").touch()
    keep_on(keeper, START + TAKEN_FOR + PAUSED, until=lambda: moved(match))
    assert len(list(tmp_path.glob("asked-*"))) == 1
    assert_sound(match)


def test_many_matches_are_played_by_few_processes(alice: User, keeper: Thinking) -> None:
    matches = [bots_turn(alice, level="normal", bots=2) for _ in range(4)]
    keep_on(keeper, START + PAUSED, until=lambda: all(map(moved, matches)))
    assert len(children()) == 1


# When it fails


@pytest.mark.parametrize("level", ["broken", "silent", "wrong", "dead", "endless"])
def test_a_bot_that_fails_is_asked_again_and_then_an_easy_one_plays_on(
    alice: User,
    keeper: Thinking,
    level: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(workers, "AT_MOST_CPU_S", 0.5)
    match = bots_turn(alice, level=level)
    keep_on(keeper, START + PAUSED, until=lambda: match.seats.get(index=1).level == "easy")
    assert bots_moves(match) == 0
    assert [code for code, _at, _seat in log_of(match)] == ["eased"]
    told = [record for record in caplog.records if record.name == thinking.__name__]
    assert [record.levelname for record in told] == ["WARNING", "ERROR"]
    assert all(match.slug in record.getMessage() for record in told)
    assert "knew" not in caplog.text, "nothing of what it knew gets into the log"
    keep_on(keeper, START + 2 * PAUSED, until=lambda: moved(match))
    assert_sound(match)


def test_a_killed_process_costs_a_try_and_no_move(
    alice: User, keeper: Thinking, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is killed in the middle of thinking: another one thinks it again."""
    match = bots_turn(alice, level="held")
    keep_on(keeper, START, until=lambda: bool(list(tmp_path.glob("asked-*"))))
    (process,) = children()
    os.kill(process, signal.SIGKILL)
    keep_on(keeper, START, until=lambda: len(list(tmp_path.glob("asked-*"))) == 2)
    (tmp_path / "go").touch()
    keep_on(keeper, START + PAUSED, until=lambda: moved(match))
    assert match.seats.get(index=1).level == "held"
    assert [record.levelname for record in caplog.records if record.name == thinking.__name__] == ["WARNING"]


def test_a_process_that_died_between_two_moves_costs_nothing(
    alice: User, keeper: Thinking, caplog: pytest.LogCaptureFixture
) -> None:
    match = bots_turn(alice, level="normal")
    keep_on(keeper, START + PAUSED, until=lambda: moved(match))
    (process,) = children()
    os.kill(process, signal.SIGKILL)
    wait_for(lambda: children() == [])
    while to_move(match) == 0:
        play_form(match, alice, move_form(match), seconds=1)
    times = bots_moves(match) + 1
    keep_on(keeper, START + 3 * PAUSED, until=lambda: moved(match, times))
    assert not [record for record in caplog.records if record.name == thinking.__name__]


def test_where_no_process_can_be_started_an_easy_bot_plays_in_the_keeper(
    alice: User, keeper: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*args: Any, **kwargs: Any) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr("games.matches.workers.subprocess.Popen", fails)
    match = bots_turn(alice, level="hard")
    keep_on(keeper, START + PAUSED, until=lambda: match.seats.get(index=1).level == "easy")
    keep_on(keeper, START + 2 * PAUSED, until=lambda: moved(match))


def test_an_accident_as_it_is_played_is_told_and_it_is_taken_on_again(
    alice: User, keeper: Thinking, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = bots_turn(alice, level="normal")
    accidents = [RuntimeError("a bad moment")]

    def plays(*args: Any, **kwargs: Any) -> Any:
        if accidents:
            raise accidents.pop()
        return play_thought(*args, **kwargs)

    monkeypatch.setattr(thinking, "play_thought", plays)
    keep_on(keeper, START + PAUSED, until=lambda: not accidents)
    assert "could not play a bot's move" in caplog.text
    assert bots_moves(match) == 0
    keep_on(keeper, START + TAKEN_FOR + 2 * PAUSED, until=lambda: moved(match))


def test_with_very_many_moves_at_once_all_else_has_its_turn(
    alice: User, bob: User, keeper: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left is played the next time; whoever looks is told since when each could have been."""
    matches = [bots_turn(person, level="normal") for person in (alice, bob)]
    keep_on(keeper, START, until=lambda: all(job.is_ready for job in keeper._jobs.values()) and len(keeper._jobs) == 2)
    ready_at = sorted(job.plays_at for job in keeper._jobs.values())
    monkeypatch.setattr(thinking, "PLAYS_FOR_S", -1.0)
    told: list[datetime] = []
    keeper.play(lambda: START + PAUSED, after_each=told.append)
    assert told == []
    monkeypatch.setattr(thinking, "PLAYS_FOR_S", 60.0)
    keeper.play(lambda: START + PAUSED, after_each=told.append)
    assert told == ready_at
    assert [bots_moves(match) for match in matches] == [1, 1]


# The end


def test_stopping_ends_it_in_the_middle_and_a_successor_takes_it_on(
    alice: User, keeper: Thinking, tmp_path: Path
) -> None:
    """The move of a keeper that goes is its successor's."""
    match = bots_turn(alice, level="held")
    keep_on(keeper, START, until=lambda: bool(list(tmp_path.glob("asked-*"))))
    keeper.stop()
    assert children() == []
    (tmp_path / "go").touch()
    successor = Thinking()
    try:
        keep_on(successor, START + TAKEN_FOR, until=lambda: successor.next_at is not None)
        keep_on(successor, START + TAKEN_FOR + PAUSED, until=lambda: moved(match))
    finally:
        successor.stop()
    assert_sound(match)


def test_nothing_is_left_of_who_is_killed(tmp_path: Path) -> None:
    """Its processes end by themselves, also those that would think for ever."""
    killed = subprocess.Popen([sys.executable, "-c", ASKS], cwd=workers.ROOT)
    try:
        wait_for(lambda: bool(list(tmp_path.glob("asked-*"))) and len(children(killed.pid)) == 2)
        orphans = children(killed.pid)
    finally:
        killed.kill()
        killed.wait()
    wait_for(lambda: not any(Path(f"/proc/{orphan}").exists() for orphan in orphans))


@pytest.mark.django_db(transaction=True)
def test_keepers_at_work_play_for_bots(alice: User) -> None:
    """The whole of it, by the true clock: two keepers, and bots that move one after the other."""
    match = bots_turn(alice, level="hard", bots=3, moment=clock.now())
    keepers = [Keeper(), Keeper()]
    for one in keepers:
        one.start()
    try:
        wait_for(lambda: to_move(match) == 0)
    finally:
        for one in keepers:
            one.stop()
    assert children() == []
    assert bots_moves(match) > 0
    assert match.seats.filter(level="hard").count() == 3
    assert_sound(match)
