"""How bots that wait for the same processes share the time that there is."""

from __future__ import annotations

import pytest

from games.matches import workers
from games.matches.workers import Task, Worker, Workers


def searched(pool: Workers, deadlines: list[float], monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long one worker searched for each of these tasks, one after the other, all asked at second 0."""
    seconds, found = [0.0], []

    def think(worker: Worker, task: Task, *, until: float) -> str:
        found.append(until - seconds[0])
        seconds[0] = until
        return "move"

    monkeypatch.setattr(workers, "monotonic", lambda: seconds[0])
    monkeypatch.setattr(Worker, "think", think)
    for left, deadline in reversed(list(enumerate(reversed(deadlines)))):
        then = (lambda *_: None) if left else (lambda *_: pool._tasks.put(None))
        pool._tasks.put(Task("bot", "hard", lambda: None, 1, deadline, then))
    pool._run(Worker())
    return found


def test_whoever_is_alone_has_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert searched(Workers(1), [0.8], monkeypatch) == pytest.approx([0.8])


def test_those_that_wait_have_as_much_as_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise they would have nothing, and all their moves would come at once."""
    found = searched(Workers(1), [0.8] * 20, monkeypatch)
    assert found == pytest.approx([0.8 / 20] * 20)


def test_several_processes_share_what_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    found = searched(Workers(4), [0.8] * 4, monkeypatch)
    assert found[0] == pytest.approx(0.8 / 1.75)


def test_time_that_is_up_is_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert searched(Workers(1), [-1.0, 0.8], monkeypatch)[0] == 0.0
