"""A shared cache whose failure is a miss: no page fails because Redis does."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

LOOK_AGAIN_S = 2.0
"""How long Redis is left alone after a failure, so that not every page waits for a timeout."""

SHARE_WHEN_ALONE = 3
"""By how much limits shrink while each process counts for itself."""


class ForgivingRedisCache(RedisCache):
    """Redis; and while it does not answer, the memory of this process."""

    # By address and for the whole process: Django makes a cache object for every thread.
    _away_until: ClassVar[dict[str, float]] = {}

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._address = str(server)
        self._own = LocMemCache(f"own:{server}", params)

    @property
    def is_alone(self) -> bool:
        """Whether Redis failed a moment ago."""
        return time.monotonic() < self._away_until.get(self._address, 0.0)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._do("add", *args, **kwargs))

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._do("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._do("set", *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._do("touch", *args, **kwargs))

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._do("delete", *args, **kwargs))

    def get_many(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        found: dict[Any, Any] = self._do("get_many", *args, **kwargs)
        return found

    def has_key(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._do("has_key", *args, **kwargs))

    def incr(self, *args: Any, **kwargs: Any) -> int:
        return int(self._do("incr", *args, **kwargs))

    def set_many(self, *args: Any, **kwargs: Any) -> list[Any]:
        failed: list[Any] = self._do("set_many", *args, **kwargs)
        return failed

    def delete_many(self, *args: Any, **kwargs: Any) -> None:
        self._do("delete_many", *args, **kwargs)

    def clear(self) -> None:
        self._own.clear()
        self._do("clear")

    def _do(self, act: str, *args: Any, **kwargs: Any) -> Any:
        if not self.is_alone:
            try:
                answer = getattr(super(), act)(*args, **kwargs)
            except RedisError:
                self._away_until[self._address] = time.monotonic() + LOOK_AGAIN_S
            else:
                if self._away_until.pop(self._address, None) is not None:
                    # What was remembered alone is stale by the next time Redis fails.
                    self._own.clear()
                return answer
        return getattr(self._own, act)(*args, **kwargs)


class Limits(Mapping[str, str]):
    """Rate limits as allauth writes them ("5/m/ip,2/h/key"); stricter while each process counts for itself."""

    def __init__(self, limits: Mapping[str, str]) -> None:
        self._limits = dict(limits)

    def __getitem__(self, action: str) -> str:
        limit = self._limits[action]
        return _shrunk(limit) if getattr(cache, "is_alone", False) else limit

    def __iter__(self) -> Iterator[str]:
        return iter(self._limits)

    def __len__(self) -> int:
        return len(self._limits)


def _shrunk(limit: str) -> str:
    rates = (rate.split("/", 1) for rate in limit.split(","))
    return ",".join(f"{max(1, int(amount) // SHARE_WHEN_ALONE)}/{per}" for amount, per in rates)
