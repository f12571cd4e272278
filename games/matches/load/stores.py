"""What the database and Redis have taken of the processors, where they are on this machine."""

from __future__ import annotations

from urllib.parse import urlsplit

import psycopg
from redis import Redis, RedisError

from games.matches.load.figures import cpu_of_all

DATABASE, REDIS = "database", "redis"


class Stores:
    """Looked at from a thread: what is asked waits for an answer. Any URL may be empty, or of something else."""

    def __init__(self, *, database: str = "", redis: str = "") -> None:
        self._database = database if _is_here(database) and database.startswith("postgres") else ""
        self._redis = Redis.from_url(redis) if redis and _is_here(redis) else None

    def look(self) -> dict[str, dict[int, float]]:
        """Seconds of processor time so far: of each backend of this database, and of Redis as a whole."""
        found = {}
        if self._database:
            found[DATABASE] = cpu_of_all(self._backends())
        if self._redis is not None and (spent := self._redis_seconds()) is not None:
            found[REDIS] = {0: spent}
        return found

    def _backends(self) -> list[int]:
        with psycopg.connect(self._database) as connection:
            rows = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            return [pid for (pid,) in rows.fetchall()]

    def _redis_seconds(self) -> float | None:
        assert self._redis is not None
        try:
            info = self._redis.info("cpu")
        except RedisError:
            return None
        assert isinstance(info, dict)
        return float(info["used_cpu_user"]) + float(info["used_cpu_sys"])


def _is_here(url: str) -> bool:
    return urlsplit(url).hostname in (None, "localhost", "127.0.0.1", "::1")
