"""What has been drawn of a match: pieces that look the same as one version before are not drawn again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar, cast

T = TypeVar("T")

MOST_DRAWN, MOST_PIECES = 100, 400
"""Drawings, and pieces of them, kept of one version: all there are for a full table in some languages. By what readers
choose, as their time zone, and by who comes and goes, there may be any number, and a match may stand for weeks.
"""

_lock = Lock()


class Drawn(dict[Hashable, Any]):
    """What has been drawn of one version, by what it depends on; of more than so many the oldest are forgotten."""

    def __init__(self, most: int = MOST_DRAWN) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: Hashable, drawn: Any) -> None:
        with _lock:
            if len(self) >= self._most and key not in self:
                del self[next(iter(self))]
            super().__setitem__(key, drawn)


class Pieces:
    """Of one version; those of the version before are at hand as long as this one lives.

    A key has to hold everything on which its piece depends. `checked` has every piece drawn all the same, and fails if
    it is not the one that was kept: tests run so.
    """

    checked = False

    def __init__(self, before: Pieces | None = None) -> None:
        self._drawn = Drawn(MOST_PIECES)
        self._before = before._drawn if before is not None else Drawn(MOST_PIECES)

    def piece(self, key: Hashable, draw: Callable[[], T]) -> T:
        """The piece of that key, drawn if it was not there in this version or the one before."""
        found = self._drawn.get(key)
        if found is None:
            found = self._before.get(key)
        elif not self.checked:
            return cast(T, found)
        if found is None:
            found = draw()
        elif self.checked:
            assert found == draw(), f"the key {key!r} does not hold all that its piece depends on"
        self._drawn[key] = found
        return cast(T, found)
