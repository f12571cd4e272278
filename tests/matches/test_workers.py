"""How bots that wait for the same processes share the time that there is, and give way to all else."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.matches import thinker, workers
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
    assert searched(Workers(4), [0.8] * 4, monkeypatch)[0] == pytest.approx(0.8), "there is one for each"
    assert searched(Workers(4), [0.8] * 8, monkeypatch)[0] == pytest.approx(0.4)


def test_time_that_is_up_is_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert searched(Workers(1), [-1.0, 0.8], monkeypatch)[0] == 0.0


def test_the_kernel_is_asked_again_to_let_the_session_stand_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several that start at once it hears one."""
    asked: list[str] = []

    def write(path: Path, text: str) -> None:
        asked.append(f"{path} {text}")
        if len(asked) < 3:
            raise BlockingIOError

    monkeypatch.setattr(Path, "write_text", write)
    monkeypatch.setattr(thinker, "sleep", lambda seconds: None)
    thinker._let_the_session_stand_back()
    assert asked == [f"/proc/self/autogroup {thinker.NICENESS}"] * 3


def test_where_sessions_have_no_share_nothing_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def write(path: Path, text: str) -> None:
        asked.append(text)
        raise FileNotFoundError

    monkeypatch.setattr(Path, "write_text", write)
    thinker._let_the_session_stand_back()
    assert len(asked) == 1
