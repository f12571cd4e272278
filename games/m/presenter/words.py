"""The words and numbers of a drawing, ready to stand in markup."""

from __future__ import annotations

from html import escape
from typing import Any

from games.contract.rules import Say


class Words:
    """Calls `say`, and escapes what it gives; `plain` is for text that is escaped later."""

    def __init__(self, say: Say) -> None:
        self.plain = say

    def __call__(self, code: str, **params: Any) -> str:
        return escape(self.plain(code, **params))


def signed(number: int) -> str:
    """The number with a true minus sign."""
    return f"−{-number}" if number < 0 else str(number)
