"""`manage.py` under a Python without Django: it finds the environment that `make` set up, or says what to do."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with nothing but `manage.py`, as a fresh clone is seen by a Python without Django."""
    shutil.copy(ROOT / "manage.py", tmp_path)
    return tmp_path


def bare(manage: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """`manage.py` as a Python without any packages runs it."""
    command = [sys.executable, "-S", str(manage), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=180, check=False)


def test_without_an_environment_it_says_what_to_do(clone: Path) -> None:
    answer = bare(clone / "manage.py", "record", "check", "a.json", cwd=clone)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr.count("\n") == 1
    assert "make play" in answer.stderr


def test_the_environment_takes_over_with_the_same_words_in_the_same_folder(clone: Path, tmp_path: Path) -> None:
    python = clone / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nprintf "%s|" "$PWD" "$@"\nexit 3\n')
    python.chmod(0o755)
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    answer = bare(Path("../manage.py"), "record", "check", "a b.json", cwd=elsewhere)
    assert answer.stdout == f"{elsewhere}|../manage.py|record|check|a b.json|"
    assert (answer.returncode, answer.stderr) == (3, "")


def test_an_environment_that_was_left_half_made_is_no_endless_loop(clone: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(clone / ".venv")], check=True, timeout=180)
    answer = bare(clone / "manage.py", "check", cwd=clone)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert "make play" in answer.stderr
