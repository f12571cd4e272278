"""The shared cache: while Redis is away nothing fails, and limits are stricter."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from config import cache as house_cache
from config.cache import ForgivingRedisCache, Limits


class FakeRedis:
    """Stands for the client that Django's backend talks to."""

    def __init__(self) -> None:
        self.away = False
        self.values: dict[str, Any] = {}
        self.asked = 0

    def _ask(self) -> None:
        self.asked += 1
        if self.away:
            raise RedisConnectionError

    def get(self, key: str, default: Any) -> Any:
        self._ask()
        return self.values.get(key, default)

    def set(self, key: str, value: Any, timeout: Any) -> None:
        self._ask()
        self.values[key] = value

    def add(self, key: str, value: Any, timeout: Any) -> bool:
        self._ask()
        return self.values.setdefault(key, value) is value

    def delete(self, key: str) -> bool:
        self._ask()
        return self.values.pop(key, None) is not None


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(house_cache, "time", clock)
    return clock


@pytest.fixture
def redis() -> FakeRedis:
    return FakeRedis()


@pytest.fixture
def shared(redis: FakeRedis, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> ForgivingRedisCache:
    monkeypatch.setattr(ForgivingRedisCache, "_away_until", {})
    shared = ForgivingRedisCache("redis://nowhere.example", {})
    shared.__dict__["_cache"] = redis
    shared._own.clear()
    return shared


def test_redis_is_used_while_it_answers(shared: ForgivingRedisCache, redis: FakeRedis) -> None:
    shared.set("a", 1)
    assert shared.get("a") == 1
    assert redis.values == {":1:a": 1}
    assert not shared.is_alone


def test_its_failure_is_a_miss_and_the_process_remembers_for_itself(
    shared: ForgivingRedisCache, redis: FakeRedis
) -> None:
    shared.set("a", 1)
    redis.away = True
    assert shared.get("a") is None
    assert shared.is_alone
    shared.set("a", 2)
    assert shared.get("a") == 2
    assert shared.add("a", 3) is False
    assert shared.delete("a") is True


def test_it_is_left_alone_for_a_while_then_asked_again(
    shared: ForgivingRedisCache, redis: FakeRedis, clock: Clock
) -> None:
    redis.away = True
    for _ in range(10):
        shared.get("a")
    assert redis.asked == 1
    redis.away = False
    shared.set("a", "remembered alone")
    clock.now += house_cache.LOOK_AGAIN_S + 0.1
    assert shared.get("a") is None
    assert not shared.is_alone


def test_what_was_remembered_alone_is_forgotten_when_redis_is_back(
    shared: ForgivingRedisCache, redis: FakeRedis, clock: Clock
) -> None:
    redis.away = True
    shared.set("a", "old")
    redis.away = False
    clock.now += house_cache.LOOK_AGAIN_S + 0.1
    shared.get("a")
    redis.away = True
    assert shared.get("a") is None


def test_limits_are_stricter_while_each_process_counts_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits({"login": "30/m/ip", "login_failed": "10/m/ip,5/5m/key", "confirm": "1/3m/key"})
    assert dict(limits) == {"login": "30/m/ip", "login_failed": "10/m/ip,5/5m/key", "confirm": "1/3m/key"}
    monkeypatch.setattr(type(cache._connections["default"]), "is_alone", True, raising=False)  # type: ignore[attr-defined]
    assert dict(limits) == {"login": "10/m/ip", "login_failed": "3/m/ip,1/5m/key", "confirm": "1/3m/key"}


def test_allauth_asks_these_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    from allauth.account import app_settings

    assert app_settings.RATE_LIMITS["login_failed"] == "10/m/ip,30/h/ip,50/h/key"
    monkeypatch.setattr(type(cache._connections["default"]), "is_alone", True, raising=False)  # type: ignore[attr-defined]
    assert app_settings.RATE_LIMITS["login_failed"] == "3/m/ip,10/h/ip,16/h/key"


@pytest.mark.redis
def test_the_real_redis_keeps_what_it_is_told() -> None:
    cache.set("a", {"b": [1]}, 10)
    assert cache.get("a") == {"b": [1]}
    assert cache.add("a", 1) is False
    assert cache.get_many(["a", "c"]) == {"a": {"b": [1]}}
    assert cache.delete("a") is True
    cache.set("n", 1)
    assert cache.incr("n") == 2


@pytest.mark.redis
def test_tests_clear_their_own_keys_and_no_others() -> None:
    """Processes clear the cache around each test, all on one Redis, which may be somebody's."""
    client = Redis.from_url(settings.REDIS_URL)
    client.set("somebody:else", "kept", ex=60)
    try:
        cache.set("a", 1, 10)
        cache.clear()
        assert cache.get("a") is None
        assert client.get("somebody:else") == b"kept"
    finally:
        client.delete("somebody:else")
        client.close()
