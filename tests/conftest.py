"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _fresh_cache() -> Iterator[None]:
    """Rate limits count in the cache: what one test did must not limit the next."""
    cache.clear()
    yield
    cache.clear()
