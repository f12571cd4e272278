"""Tells a keeper in this process that something may be due earlier than it thought."""

from __future__ import annotations

import threading

_woken = threading.Event()


def wake() -> None:
    """A due time was committed."""
    _woken.set()


def wait(seconds: float) -> None:
    """Sleep until woken, or until that time has passed."""
    _woken.wait(seconds)
    _woken.clear()
