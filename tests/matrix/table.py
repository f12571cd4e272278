"""Reads docs/permissions.md: who gets which answer, as people read it there and the test holds the house to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "permissions.md"

ROLES = (
    "player",
    "opponent",
    "spectator",
    "outsider",
    "guest",
    "muted",
    "suspended",
    "banned",
    "moderator",
    "superuser",
)

WORDS = ("yes", "nothing", "elsewhere", "log in", "no", "refused", "hidden")


@dataclass(frozen=True)
class Row:
    """One line of the table: what is asked for (several things that are answered alike), and each role's answer."""

    area: str
    said: str
    asked: tuple[str, ...]
    cells: dict[str, str]


def rows() -> tuple[Row, ...]:
    """All of the table. Raises `ValueError` for a line that is not as the others are."""
    return tuple(_rows(PAGE.read_text()))


def words_explained() -> set[str]:
    """The words that the page explains at its top."""
    return _explained("answer")


def roles_explained() -> set[str]:
    """The roles that the page explains."""
    return _explained("who")


def _explained(what: str) -> set[str]:
    _, _, rest = PAGE.read_text().partition(f"| {what} |")
    return set(re.findall(r"^\| \*\*([a-z ]+)\*\* \|", rest.partition("\n\n")[0], re.M))


def _rows(text: str) -> Iterator[Row]:
    area, in_table = "", False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            area = line.removeprefix("## ")
        if not line.startswith("|"):
            in_table = False
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[2:] == list(ROLES):
            in_table = True
        elif in_table and not set(line) <= set("|-"):
            yield _row(area, cells, number)


def _row(area: str, cells: list[str], number: int) -> Row:
    said, asked, *answers = cells
    keys = tuple(re.findall(r"`([^`]+)`", asked))
    if not keys or len(answers) != len(ROLES) or not set(answers) <= set(WORDS):
        raise ValueError(f"line {number} of {PAGE.name} is no row of the table: {cells}")
    return Row(area=area, said=said, asked=keys, cells=dict(zip(ROLES, answers, strict=True)))
