"""The words and numbers of a drawing, ready to stand in markup."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Any

from games.contract.rules import Say

drawn_once = lru_cache(maxsize=8192)
"""Keeps pieces of drawings by the values that they show and their words: most of a table is as it was a move ago."""


class Words:
    """Calls `say`, and escapes what it gives; `plain` is for text that is escaped later."""

    def __init__(self, say: Say) -> None:
        self.plain = say

    def __call__(self, code: str, **params: Any) -> str:
        return escape(self.plain(code, **params))


@lru_cache(maxsize=64)
def words_of(say: Say) -> Words:
    """Of one `say` always the same object: kept pieces are looked for by it, and it is compared by being the same."""
    return Words(say)


def signed(number: int) -> str:
    """The number with a true minus sign."""
    return f"−{-number}" if number < 0 else str(number)
