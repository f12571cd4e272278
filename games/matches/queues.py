"""At one match one act after the other: they would wait for its row anyway, each in a thread that others need."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

_queues: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()


def queue_at(slug: str) -> asyncio.Lock:
    """The queue of this match in the running loop. What waits in it was stamped when it arrived."""
    key = id(asyncio.get_running_loop()), slug
    queue = _queues.get(key)
    if queue is None:
        queue = _queues[key] = asyncio.Lock()
    return queue
