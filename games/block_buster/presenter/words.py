"""The words of a drawing, ready to stand in markup, and the numbers and names that it is made of."""

from __future__ import annotations

from html import escape
from typing import Any

from games.contract.rules import Say


class Words:
    """Calls `say`, and escapes what it gives."""

    def __init__(self, say: Say) -> None:
        self._say = say

    def __call__(self, code: str, **params: Any) -> str:
        return escape(self._say(code, **params))


def signed(number: int) -> str:
    """The number with a true minus sign."""
    return f"−{-number}" if number < 0 else str(number)
