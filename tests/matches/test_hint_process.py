"""The process that thinks of hints: it knows what the seat may know, may fail and die, and leaves nothing behind."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from os import kill
from pathlib import Path
from random import Random

import pytest

from accounts.people.models import User
from games.contract import registry
from games.contract.registry import Game, all_games
from games.contract.rules import GivesHints
from games.contract.values import Hint
from games.matches import workers
from games.matches.callers import Caller
from games.matches.errors import NoHint
from games.matches.models import Match
from games.matches.services import hints
from games.matches.services.hints import give_hint
from games.matches.workers import Worker
from tests.matches.conftest import Clock, legal_texts
from tests.matches.pondering import children, pondered, wait_for
from tests.matches.test_hints import against_bots

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def adviser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, time: Clock) -> Iterator[Worker]:
    """One of the test's own, with bots of M that do what a file says."""
    monkeypatch.setitem(registry._added, "m", pondered())
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    before = children()
    held = Worker()
    monkeypatch.setattr(hints, "adviser", lambda: held)
    yield held
    held.close()
    assert children() == before


def hinted(match: Match, user: User) -> Hint:
    return give_hint(slug=match.slug, caller=Caller(user)).hint


@pytest.mark.parametrize("game", [game for game in all_games() if game.hints is not None], ids=lambda game: game.slug)
def test_a_hint_is_that_of_the_bot(adviser: Worker, game: Game) -> None:
    """Of every game: what it says comes through the process as it is. Without time both see the same."""
    bot, rules = game.bot, game.rules
    assert isinstance(bot, GivesHints)
    players = max(2, game.info.min_seats)
    options = rules.complete_options({}, players)
    position = rules.start(options, rules.deal(options, [""] * players, Random(3)), players)
    while not rules.to_move(position):
        due = rules.due(position)
        assert due is not None
        position, _ = rules.advance(position, due)
    view = rules.view(position, rules.to_move(position)[0])
    hint = bot.hint(view, Random("luck"))
    assert adviser.hint(bot=f"{game.package}.bot", view=view, seed="luck", seconds=0) == hint


def test_its_process_knows_no_house(alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No Django, no database, none of the passwords in the environment."""
    monkeypatch.setenv("SECRET_KEY", "not for bots")
    match = against_bots(alice)
    (tmp_path / "hints").write_text("nosy")
    assert hinted(match, alice).move in legal_texts(match)
    modules = (tmp_path / "modules").read_text().split()
    assert "games.m.bot" in modules
    assert not {"django", "channels", "psycopg", "sqlite3", "config", "redis", "games.matches.models"} & set(modules)
    environment = (tmp_path / "environment").read_text().split()
    assert not {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"} & set(environment)
    position = match.game.rules.load(match.position or {})
    assert (tmp_path / "view").read_text() == repr(match.game.rules.view(position, 0))


@pytest.mark.parametrize("level", ["dead", "endless", "broken"])
def test_one_that_fails_costs_one_hint(
    alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    """Whoever has asked is told; the next one is answered, by a fresh process where the old one has died."""
    monkeypatch.setattr(workers, "AT_MOST_CPU_S", 0.5)
    match = against_bots(alice)
    (tmp_path / "hints").write_text(level)
    with pytest.raises(NoHint) as refused:
        hinted(match, alice)
    assert refused.value.params["what"] == "failed"
    (tmp_path / "hints").unlink()
    assert hinted(match, alice).move in legal_texts(match)


def test_who_only_sleeps_is_given_up_too(alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the clock: somebody waits for the page."""
    monkeypatch.setattr(workers, "HINT_AT_MOST_S", 0.3)
    match = against_bots(alice)
    (tmp_path / "hints").write_text("held")
    with pytest.raises(NoHint):
        hinted(match, alice)


def test_one_that_has_died_meanwhile_is_no_matter(alice: User) -> None:
    match, another = against_bots(alice), against_bots(alice, bots=2)
    before = set(children())
    assert hinted(match, alice)
    (process,) = set(children()) - before
    kill(process, signal.SIGKILL)
    wait_for(lambda: process not in children())
    assert hinted(another, alice)


ASKS = """
import time
from games.matches.workers import NoAnswer, adviser

try:
    adviser().hint(bot="tests.pondered.bot", view=None, seed="", seconds=0)
except NoAnswer:
    print(adviser()._process.pid, flush=True)
"""
"""A program that asks for a hint of a bot that fails."""


@pytest.mark.parametrize("goes_on", [True, False])
def test_it_ends_with_who_asked(goes_on: bool) -> None:
    """Whether that ends by itself or is killed."""
    program = ASKS + "time.sleep(600)" * goes_on
    asked = subprocess.Popen([sys.executable, "-c", program], cwd=workers.ROOT, stdout=subprocess.PIPE)
    assert asked.stdout is not None
    process = int(asked.stdout.readline())
    if goes_on:
        assert process in children(asked.pid)
        asked.kill()
    asked.communicate()
    wait_for(lambda: not Path(f"/proc/{process}").exists())
