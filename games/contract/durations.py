"""Durations as figures, the same in every language."""

from __future__ import annotations


def to_the_millisecond(duration: int) -> str:
    """So many ms, never negative, as minutes, seconds and milliseconds: 3:12.480."""
    seconds, milliseconds = divmod(duration, 1000)
    return f"{seconds // 60}:{seconds % 60:02}.{milliseconds:03}"
