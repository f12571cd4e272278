"""The words of a drawing, ready to stand in markup, and the numbers and names that it is made of."""

from __future__ import annotations

from html import escape
from typing import Any

from games.block_buster.modes import COLOURS
from games.contract.rules import Say


def _braced(*names: str) -> dict[str, str]:
    return {name: f"{{{name}}}" for name in names}


SAID_BY_THE_SCRIPT = {
    "say-free": _braced("cell"),
    "say-taken": _braced("cell", "colour"),
    "say-point": _braced("cell", "ring"),
    "say-place": _braced("block", "cell"),
    "say-joined": _braced(),
    "say-first": _braced(),
    "say-jump": _braced("gap", "cost"),
    "say-too-far": _braced("gap", "cost", "reach"),
    "say-covers-point": _braced("cell"),
    "say-covers-block": _braced("cell"),
    "say-leads": _braced("point", "colour", "lead"),
    "say-nobody": _braced("point"),
    "say-acquired": _braced("point", "colour"),
    "say-nowhere": _braced("block"),
}
"""Sentences that the page's script completes by itself."""

PARAMETERS = SAID_BY_THE_SCRIPT | {
    "ring-leads": _braced("point", "colour", "lead", "free"),
    "ring-nobody": _braced("point", "free"),
    "ring-acquired": _braced("point", "colour"),
    **{colour: _braced() for colour in COLOURS},
}
"""By code, the parameters of each sentence that is looked up once and completed many times."""


class Words:
    """Calls `say`, and escapes what it gives."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._sentences: dict[str, str] = {}

    def __call__(self, code: str, **params: Any) -> str:
        return escape(self._say(code, **params))

    def sentence(self, code: str) -> str:
        """The sentence with the names of its parameters in braces, to be completed later; looked up once a drawing."""
        found = self._sentences.get(code)
        if found is None:
            found = self._sentences[code] = self(code, **PARAMETERS[code])
        return found


def signed(number: int) -> str:
    """The number with a true minus sign."""
    return f"−{-number}" if number < 0 else str(number)
