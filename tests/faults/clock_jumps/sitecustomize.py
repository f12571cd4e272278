"""Loaded by Python at its start where this folder is on the path: sets the system's clock wrong, for one process.

TESELA_CLOCK_JUMPS="0 180 -240" stands for: for a while right, then three minutes fast, then four minutes slow, and so
on; each for TESELA_CLOCK_JUMPS_EVERY seconds.
"""

from __future__ import annotations

import datetime
import os
import time

JUMPS = [float(part) for part in os.environ.get("TESELA_CLOCK_JUMPS", "0").split()]
EVERY_S = float(os.environ.get("TESELA_CLOCK_JUMPS_EVERY", "2"))

_right_time = time.time
_right_time_ns = time.time_ns
_Right = datetime.datetime


def _wrong_by() -> float:
    return JUMPS[int(time.monotonic() / EVERY_S) % len(JUMPS)]


class _AsIfRight(type):
    def __instancecheck__(cls, thing: object) -> bool:
        return isinstance(thing, _Right)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, _Right)


class _Wrong(_Right, metaclass=_AsIfRight):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:  # type: ignore[override]
        return _Right.now(tz) + datetime.timedelta(seconds=_wrong_by())

    @classmethod
    def utcnow(cls) -> datetime.datetime:  # type: ignore[override]
        return cls.now(datetime.UTC).replace(tzinfo=None)


time.time = lambda: _right_time() + _wrong_by()
time.time_ns = lambda: _right_time_ns() + int(_wrong_by() * 1e9)
datetime.datetime = _Wrong  # type: ignore[misc]
