"""A Redis cache of the tests' own: what is not theirs stays, were it another worker's or somebody else's."""

from __future__ import annotations

from typing import Any

from redis.exceptions import RedisError

from config.cache import ForgivingRedisCache


class OwnKeysRedisCache(ForgivingRedisCache):
    """Clearing takes away the keys with our prefix; Django's empties the whole database of Redis."""

    def clear(self) -> None:
        self._own.clear()
        client: Any = self._cache.get_client(write=True)
        try:
            if keys := list(client.scan_iter(match=f"{self.key_prefix}:*", count=1000)):
                client.delete(*keys)
        except RedisError:
            return
