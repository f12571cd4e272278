"""Whether this process has been told to end: watchers hear of it, so that nobody new is sent here."""

from __future__ import annotations

import threading

_begun = threading.Event()


def begin_closing() -> None:
    """From now on this process only finishes what is under way."""
    _begun.set()


def is_closing() -> bool:
    """Whether it does."""
    return _begun.is_set()
