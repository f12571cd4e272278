"""`manage.py record`: arguments, files of all kinds, lines, exit statuses, and nothing that makes it crash or hang."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.contract.registry import get_game
from games.contract.values import Outcome
from games.matches.management.commands.record import Command
from tests.contract.documents import as_bytes, changed, m_record, running, toy_record
from tests.contract.sampled import GAMES

ROOT = Path(__file__).parent.parent.parent
FILE_PROBLEM = {"ok": False, "ply": 0}


def run(*arguments: object) -> tuple[int, list[dict[str, Any]]]:
    """The exit status of the tool and its lines."""
    out, status = io.StringIO(), 0
    try:
        call_command("record", *map(str, arguments), stdout=out)
    except SystemExit as ended:
        status = int(ended.code or 0)
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


def usage_error(*arguments: object) -> str:
    """What is said to a call that cannot be understood; its exit status is 2."""
    with pytest.raises(CommandError) as refused:
        call_command("record", *map(str, arguments), stdout=io.StringIO())
    assert refused.value.returncode == 2 or "Error:" in str(refused.value)
    return str(refused.value)


def in_a_process(*arguments: str | bytes, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """The tool as people call it."""
    command = [sys.executable, "manage.py", "record", *arguments]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.test", **options.pop("env", {})}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=180, check=False, **options)


def written(folder: Path, name: str, data: bytes) -> Path:
    """A file with these bytes."""
    path = folder / name
    path.write_bytes(data)
    return path


# --- check -------------------------------------------------------------------------------------------------------


def test_check_prints_a_line_a_file_in_order_and_fails_if_one_is_wrong(tmp_path: Path) -> None:
    finished, unfinished = m_record(), running(toy_record())
    good = written(tmp_path, "good.json", as_bytes(finished))
    open_ended = written(tmp_path, "running.json", as_bytes(unfinished))
    bad = written(tmp_path, "bad.json", as_bytes(changed(finished, 3, seat=7)))
    first = {"file": str(good), "ok": True, "plies": len(finished["moves"]), "outcome": finished["outcome"]}
    second = {"file": str(open_ended), "ok": True, "plies": 3, "outcome": None}
    third = {"file": str(bad), "ok": False, "ply": 3, "error": "There is no seat 7: seats are numbered from 0 to 1."}
    assert run("check", good, open_ended) == (0, [first, second])
    assert run("check", bad, good, bad, open_ended) == (1, [third, first, third, second])


def test_an_outcome_from_outside_is_not_what_the_rules_say(tmp_path: Path) -> None:
    record = {**running(m_record()), "outcome": {"reason": "resigned", "places": [2, 1]}}
    assert run("check", written(tmp_path, "a.json", as_bytes(record)))[1][0]["outcome"] is None


def test_anything_but_a_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    """Reading a pipe would wait for a writer, and a device may never end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe, Path("/dev/zero"), Path("/dev/null"), Path("/dev/tty")):
        status, [line] = run("check", path)
        assert status == 1
        assert line.items() >= {"file": str(path), **FILE_PROBLEM}.items()
        assert "ordinary file" in line["error"]


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    paths = ["", "no such file", str(tmp_path / "x" / "y"), str(loop), "a" * 5000, "zero\0byte", f"{__file__}/x"]
    status, lines = run("check", *paths)
    assert status == 1
    assert [line["file"] for line in lines] == paths
    assert all(line.items() >= FILE_PROBLEM.items() and line["error"] for line in lines)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "secret.json", as_bytes(m_record()))
    path.chmod(0)
    assert run("check", path)[1][0].items() >= FILE_PROBLEM.items()


def test_a_link_to_a_record_is_read_and_named_as_given(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(written(tmp_path, "a.json", as_bytes(m_record())))
    status, [line] = run("check", link)
    assert (status, line["file"]) == (0, str(link))


def test_a_file_that_is_too_large_is_refused_however_large(tmp_path: Path) -> None:
    """No more than the bound is read: this one has a terabyte of holes."""
    large = written(tmp_path, "large.json", b"{")
    os.truncate(large, 2**40)
    status, [line] = run("check", large)
    assert status == 1
    assert line["ply"] == 0
    assert "4000000" in line["error"]


def test_hostile_texts_are_printed_harmlessly(tmp_path: Path) -> None:
    """What a file says may be long, have half of a surrogate pair, or turn the writing round."""
    for record in (
        {**m_record(), "game": "\ud800" * 500_000},
        {**m_record(), "options": {"\udfff\u202e": 1}},
        {**m_record(), "outcome": {"reason": "\ud800"}},
        changed(m_record(), 1, move="\ud800"),
    ):
        status, [line] = run("check", written(tmp_path, "a.json", as_bytes(record)))
        assert status == 1
        assert len(line["error"]) < 500
        assert line["error"].encode()


def test_a_record_on_which_the_program_fails_does_not_keep_others_from_being_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The mistake is logged with its place."""
    toy, m = written(tmp_path, "toy.json", as_bytes(toy_record())), written(tmp_path, "m.json", as_bytes(m_record()))

    def fail(position: object) -> Outcome | None:
        raise ZeroDivisionError("a slip in the rules")

    monkeypatch.setattr(get_game("toy").rules, "outcome", fail)
    status, lines = run("check", toy, m)
    assert status == 1
    assert [line["ok"] for line in lines] == [False, True]
    assert lines[0]["ply"] == 0
    assert "a slip in the rules" in caplog.text


def test_a_game_that_lacks_a_sentence_still_has_its_record_refused_at_the_right_ply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tests.toy.texts._REFUSALS", {})
    bad = written(tmp_path, "bad.json", as_bytes(changed(toy_record(), 2, move="bid 99")))
    status, [line] = run("check", bad)
    assert (status, line["ply"]) == (1, 2)
    assert "not-in-hand" in line["error"]
    assert "no sentence" in caplog.text


# --- trace -------------------------------------------------------------------------------------------------------


def test_trace_prints_every_position_from_the_start(tmp_path: Path) -> None:
    record = m_record()
    status, lines = run("trace", written(tmp_path, "m.json", as_bytes(record)))
    assert status == 0
    assert [line["ply"] for line in lines] == list(range(len(record["moves"]) + 1))
    assert lines[0]["phase"] == "play"
    assert lines[-1]["phase"] == "over"


def test_trace_in_real_time_ends_with_the_position_at_until(tmp_path: Path) -> None:
    record = toy_record()
    status, lines = run("trace", written(tmp_path, "toy.json", as_bytes(record)))
    assert status == 0
    assert [line["ply"] for line in lines] == list(range(len(record["moves"]) + 2))
    assert lines[-1]["at"] == record["until"]
    assert [line["at"] for line in lines[1:-1]] == [entry["at"] for entry in record["moves"]]


def test_trace_prints_what_comes_before_a_mistake_and_then_the_mistake(tmp_path: Path) -> None:
    """None for ply 0; for a wrong outcome all."""
    record = toy_record()
    plies = len(record["moves"])
    for broken, lines_before in (
        ({**record, "format": ""}, 0),
        (changed(record, 1, at=None), 1),
        (changed(record, plies, move="bid 0"), plies),
        ({**record, "outcome": None}, plies + 2),
        ({**m_record(), "outcome": None}, len(m_record()["moves"]) + 1),
    ):
        path = written(tmp_path, "a.json", as_bytes(broken))
        status, lines = run("trace", path)
        assert status == 1
        assert [line["ply"] for line in lines[:-1]] == list(range(lines_before))
        assert lines[-1:] == run("check", path)[1]


def test_trace_of_no_file_is_an_error_line() -> None:
    status, [line] = run("trace", "no such file")
    assert status == 1
    assert line.items() >= {"file": "no such file", **FILE_PROBLEM}.items()


# --- calls that cannot be understood -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "check|trace|simulate"),
        (["judge"], "judge"),
        (["check"], "FILE"),
        (["trace"], "FILE"),
        (["trace", "a", "b"], "b"),
        (["simulate"], "GAME"),
        (["simulate", "m"], "--players"),
        (["simulate", "m", "--players", "two"], "two"),
        (
            ["simulate", "chess", "--players", "2"],
            f"There is no game 'chess'. Games: {', '.join(sorted(game.slug for game in GAMES))}.",
        ),
        (["simulate", "m", "--players", "1"], "2 to 6"),
        (["simulate", "m", "--players", "-2"], "2 to 6"),
        (["simulate", "m", "--players", "7"], "2 to 6"),
        (["simulate", "m", "--players", "2", "--count", "0"], "--count"),
        (["simulate", "m", "--players", "2", "--seed", "x"], "--seed"),
        (["simulate", "m", "--players", "2", "--style", "wise"], "wise"),
        (["simulate", "m", "--players", "2", "--option", "start"], "KEY=VALUE"),
        (["simulate", "m", "--players", "2", "--option", "=arch"], "KEY=VALUE"),
        (["simulate", "m", "--players", "2", "--option", "start=arch", "--option", "start=arch"], "twice"),
        (["simulate", "toy", "--players", "2", "--option", "rounds=4"], "rounds"),
        (["simulate", "toy", "--players", "1", "--option", "rounds=2"], "Alone, three rounds are played."),
        (["simulate", "m", "--players", "2", "--out", __file__], "test_record_tool.py"),
    ],
    ids=" ".join,
)
def test_a_call_that_cannot_be_understood_is_told_so(arguments: list[str], said: str) -> None:
    assert said in usage_error(*arguments)


# --- as a process ------------------------------------------------------------------------------------------------


def test_the_tool_needs_neither_a_database_nor_an_input(tmp_path: Path) -> None:
    """Nor a path that is a text: this one has a byte that no UTF-8 has, and is printed all the same."""
    path = os.fsencode(tmp_path) + b"/\xff\n.json"
    Path(os.fsdecode(path)).write_bytes(as_bytes(m_record()))
    nowhere = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing", "LC_ALL": "C", "PYTHONUTF8": "0"}
    done = in_a_process(b"check", path, b"no-such-\xfe", stdin=subprocess.DEVNULL, env=nowhere)
    assert done.returncode == 1, done.stderr
    first, second = map(json.loads, done.stdout.splitlines())
    assert os.fsencode(first["file"]) == path
    assert (first["ok"], second["ok"]) == (True, False)
    assert Command.requires_system_checks == []


def test_exit_statuses_of_a_process(tmp_path: Path) -> None:
    path = written(tmp_path, "m.json", as_bytes(m_record()))
    closed = f"exec {sys.executable} manage.py record check {path} <&-"
    assert subprocess.run(closed, shell=True, cwd=ROOT, capture_output=True, timeout=180, check=False).returncode == 0
    usage = in_a_process("simulate", "m", "--players", "99")
    assert (usage.returncode, usage.stdout) == (2, b"")
    assert b"Traceback" not in usage.stderr
    assert in_a_process("check").returncode == 2


def test_a_reader_that_goes_away_is_no_mistake() -> None:
    """`record simulate ... | head -1` ends without a word."""
    command = f"{sys.executable} manage.py record simulate m --players 2 --count 100 | head -c 10"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, timeout=180, check=False)
    assert done.stdout == b'{"format":'
    assert done.stderr == b""
