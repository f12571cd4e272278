"""How often somebody may do something: one limiter for all processes, counted in the shared cache.

The limits are those of `ACCOUNT_RATE_LIMITS`, as allauth writes them: "5/10s/user,100/h/ip"; docs/decisions/0005
has their reasons.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

# Its public face counts by requests alone, and a socket has none.
from allauth.core.internal import ratelimit
from allauth.core.internal.ratelimit import Rate
from django.core.cache import cache

if TYPE_CHECKING:
    from accounts.people.models import User

APP = "allauth.account"

AT_LEAST = timedelta(seconds=1)


def within_limit(*, action: str, user: User | None = None, address: str | None = None) -> bool:
    """Count one more of these acts of that person, or from that address; whether it is within the limits.

    Limits by what is not given are left out; an action without any is always within.
    """
    return wait_for(action=action, user=user, address=address) is None


def wait_for(*, action: str, user: User | None = None, address: str | None = None) -> timedelta | None:
    """The same: None if it is within the limits; otherwise for how long they say no."""
    for rate, key in _counted(action, user, address):
        config = {action: f"{rate.amount}/{rate.duration}s/key"}
        if ratelimit.consume(None, app=APP, action=action, config=config, key=key, limit_get=True) is None:
            return _wait(action, rate, key)
    return None


def _counted(action: str, user: User | None, address: str | None) -> Iterator[tuple[Rate, str]]:
    whom = {"user": None if user is None else f"user:{user.pk}", "ip": f"ip:{address}" if address else None}
    for rate in ratelimit.get_rates(app=APP, action=action):
        key = whom.get(rate.per)
        if key is not None:
            # As it is read again from the text that is made of it: whole or not, it is one limit.
            yield replace(rate, per="key", duration=float(rate.duration)), key


def _wait(action: str, rate: Rate, key: str) -> timedelta:
    """Until the oldest of those that count is old enough."""
    cache_key = ratelimit.get_cache_key(None, app=APP, action=action, rate=rate, key=key)
    history: list[float] = cache.get(cache_key, [])
    if len(history) < rate.amount:  # it would be within by now, or too many asked at once
        return AT_LEAST
    free_at = history[rate.amount - 1] + rate.duration
    return max(AT_LEAST, timedelta(seconds=free_at - time.time()))
