"""The words of a drawing, ready to stand in markup."""

from __future__ import annotations

from html import escape
from typing import Any

from games.contract.rules import Say


class Words:
    """Calls `say`, and escapes what it gives; the same label is asked for once a drawing."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._said: dict[tuple[Any, ...], str] = {}

    def __call__(self, code: str, **params: Any) -> str:
        return escape(self.plain(code, **params))

    def plain(self, code: str, **params: Any) -> str:
        """The label as it is, for text that is escaped later."""
        key = (code, *params.values())
        said = self._said.get(key)
        if said is None:
            said = self._said[key] = self._say(code, **params)
        return said
