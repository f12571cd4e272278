"""Reads whole numbers out of addresses, forms and messages, which anybody may write."""

from __future__ import annotations


def whole_number(text: str, *, digits: int = 9) -> int | None:
    """The number that these digits write, at most so many of them; None for any other text.

    `int` alone takes signs, blanks, underscores and the digits of every script, and would read millions of them.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
