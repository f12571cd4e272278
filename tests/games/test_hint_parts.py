"""The parts of hints are joined by commas and "and", so they have none of their own, in no language."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, ngettext

FILES = sorted(Path("games").glob("*/texts/hints.py"))
COMMAS = ",，、"


def calls(file: Path) -> list[list[str]]:
    """The text of each call that translates, and the one for several, where it counts."""
    found = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext"):
            found.append([str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)])
    return found


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.parent.name)
def test_no_part_has_a_comma_of_its_own(file: Path, language: str) -> None:
    with translation.override(language):
        said = []
        for one, *several in calls(file):
            said += [ngettext(one, several[0], number) for number in (1, 2)] if several else [gettext(one)]
    assert said, "the file has parts"
    assert [part for part in said if any(comma in part for comma in COMMAS)] == []
