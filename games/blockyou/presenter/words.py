"""The words of a drawing, ready to stand in markup, and the times and seats that it is made of."""

from __future__ import annotations

from html import escape
from typing import Any

from games.contract.rules import Say

SHOUT = "BlockYou!"
"""What is called out for a card that is placed; the game's name, the same in every language."""


class Words:
    """Calls `say`, and escapes what it gives."""

    def __init__(self, say: Say) -> None:
        self._say = say

    def __call__(self, code: str, **params: Any) -> str:
        return escape(self._say(code, **params))


def lasted(milliseconds: int) -> str:
    """A duration as minutes, seconds and tenths: 0:09.5."""
    tenths = milliseconds // 100
    return f"{tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10}"


def status_of(status: str, *, sits_out_next: bool) -> str:
    """What is said of a seat: who waits for the next round in order to sit it out does so already."""
    return "sitting out" if status == "idle" and sits_out_next else status
