"""The golden records: whole matches and broken ones, with what the tool must say of each (`expected.json`)."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games.contract.registry import all_games
from tests.contract.sampled import TOY

RECORDS = Path(__file__).parent.parent / "records"
FOLDERS = sorted(path for path in RECORDS.iterdir() if path.is_dir())


def expected(folder: Path) -> dict[str, dict[str, Any]]:
    """What the tool must say, by file name."""
    found: dict[str, dict[str, Any]] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    return found


def run(action: str, *files: Path) -> tuple[int, list[dict[str, Any]]]:
    """The exit status of the tool and its lines."""
    out, status = io.StringIO(), 0
    try:
        call_command("record", action, *map(str, files), stdout=out)
    except SystemExit as ended:
        status = int(ended.code or 0)
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


ALL = [(folder / name, wanted) for folder in FOLDERS for name, wanted in expected(folder).items()]
TRACES = [path for folder in FOLDERS for path in sorted(folder.glob("*.trace.jsonl"))]


@pytest.mark.parametrize(("slug", "records", "traces"), [("block_buster", 38, 6), ("blockyou", 43, 10), ("m", 53, 3)])
def test_golden_records_are_here(slug: str, records: int, traces: int) -> None:
    """Nothing below may pass because it found no files."""
    assert RECORDS / slug in FOLDERS
    assert len([path for path, _ in ALL if path.parent.name == slug]) == records
    assert len([path for path in TRACES if path.parent.name == slug]) == traces


def test_every_game_has_golden_records() -> None:
    assert {folder.name for folder in FOLDERS} == {game.slug for game in all_games() if game.slug != TOY.slug}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_record_has_an_expectation_and_every_expectation_a_record(folder: Path) -> None:
    files = {path.name for path in folder.glob("*.json")} - {"expected.json"}
    assert files == set(expected(folder))


@pytest.mark.parametrize(("path", "wanted"), ALL, ids=[f"{path.parent.name}/{path.stem}" for path, _ in ALL])
def test_the_tool_says_what_is_expected(path: Path, wanted: dict[str, Any]) -> None:
    status, [line] = run("check", path)
    assert line["file"] == str(path)
    if wanted["ok"]:
        assert status == 0
        assert line == {"file": str(path), **wanted}
    else:
        assert status == 1
        assert (line["ok"], line["ply"]) == (False, wanted["ply"])
        assert line["error"].strip()
        assert set(line) == {"file", "ok", "ply", "error"}


@pytest.mark.parametrize("trace", TRACES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_traces_are_equal_line_by_line(trace: Path) -> None:
    record = trace.with_name(trace.name.replace(".trace.jsonl", ".json"))
    status, lines = run("trace", record)
    golden = trace.read_text(encoding="utf-8").splitlines()
    assert status == 0
    for line, wanted in zip(lines, golden, strict=True):
        assert line == json.loads(wanted)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_all_records_of_a_game_are_checked_in_one_go_in_the_order_given(folder: Path) -> None:
    files = sorted((folder / name for name in expected(folder)), reverse=True)
    status, lines = run("check", *files)
    assert status == 1
    assert [line["file"] for line in lines] == [str(path) for path in files]
    assert [line["ok"] for line in lines] == [expected(folder)[path.name]["ok"] for path in files]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_trace_prints_the_positions_before_the_mistake_and_then_the_error(folder: Path) -> None:
    for name, wanted in expected(folder).items():
        if not wanted["ok"]:
            status, lines = run("trace", folder / name)
            assert status == 1
            assert [line["ply"] for line in lines[:-1]] == list(range(len(lines) - 1))
            assert lines[-1] == run("check", folder / name)[1][0]
            # A wrong outcome is told after all positions, the one at `until` of a game in real time included.
            assert wanted["ply"] <= len(lines) - 1 + (wanted["ply"] == 0) <= wanted["ply"] + 1
