"""The channel layer on Redis, whose failure is a delay: sockets live on while Redis is away, and hear it again after.

While it is away, what is announced reaches the sockets of the same process, and each process looks by itself now and
then for what the others have committed (games/matches/lookout.py).
"""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisSingleShardConnection
from redis.exceptions import RedisError

from games.matches import metrics

logger = logging.getLogger(__name__)

LOOK_AGAIN_S = 1.0
"""How long Redis is left alone after a failure, so that not every socket waits for a timeout."""

FAILURES = (RedisError, OSError, asyncio.TimeoutError)


class ForgivingLayer(RedisPubSubChannelLayer):  # type: ignore[misc]
    """Redis; and while it does not answer, this process."""

    async def ask(self) -> None:
        """Whether it is there: each Redis has to answer. Raises one of `FAILURES`; how long to wait is the asker's."""
        for line in self._get_layer()._shards:
            await line.ping()

    def _get_layer(self) -> Any:
        layer = super()._get_layer()
        if not all(isinstance(shard, Line) for shard in layer._shards):
            layer._shards = [Line(shard.host, layer) for shard in layer._shards]
        return layer


class Line(RedisSingleShardConnection):  # type: ignore[misc]
    """The connection to one Redis. What cannot be subscribed to now is, as soon as it answers."""

    def __init__(self, host: Any, channel_layer: Any) -> None:
        super().__init__(host, channel_layer)
        self._missing: set[str] = set()
        self._away_until = 0.0
        self._is_away = False

    async def ping(self) -> None:
        """One question to Redis, over the connections by which it is told things."""
        self._ensure_redis()
        await self._redis.ping()

    async def publish(self, channel: str, message: bytes) -> None:
        if not self._is_left_alone():
            try:
                await super().publish(channel, message)
            except FAILURES as error:
                self._lost(error)
            else:
                self._found()
                return
        self._receive_message({"channel": channel, "data": message})

    async def subscribe(self, channel: str) -> None:
        if not self._is_left_alone():
            try:
                await super().subscribe(channel)
            except FAILURES as error:
                self._lost(error)
            else:
                return
        self._missing.add(channel)
        self._ensure_redis()
        self._ensure_receiver()

    async def unsubscribe(self, channel: str) -> None:
        self._missing.discard(channel)
        if not self._is_left_alone():
            try:
                await super().unsubscribe(channel)
            except FAILURES as error:
                self._lost(error)
            else:
                return
        # Not again either, once it is back.
        self._subscribed_to.discard(channel)
        if self._pubsub is not None:
            self._pubsub.channels.pop(channel.encode(), None)
            self._pubsub.channels.pop(channel, None)

    async def _do_receiving(self) -> None:
        while True:
            try:
                if self._is_left_alone():
                    await asyncio.sleep(LOOK_AGAIN_S / 4)
                    continue
                if self._missing:
                    await self._catch_up()
                if self._pubsub is not None and self._pubsub.subscribed:
                    # The first reading after a loss connects anew, and subscribes to all that was subscribed to.
                    message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=0.1)
                    self._found()
                    self._receive_message(message)
                else:
                    await asyncio.sleep(0.1)
            except FAILURES as error:
                self._lost(error)
            except Exception:
                logger.exception("could not take in what Redis brought")
                await asyncio.sleep(LOOK_AGAIN_S)

    async def _catch_up(self) -> None:
        for channel in list(self._missing):
            if channel not in self._missing:  # nobody is there any more who missed it
                continue
            await super().subscribe(channel)
            if channel in self._missing:
                self._missing.discard(channel)
            else:
                await super().unsubscribe(channel)

    def _is_left_alone(self) -> bool:
        return monotonic() < self._away_until

    def _lost(self, error: BaseException) -> None:
        self._away_until = monotonic() + LOOK_AGAIN_S
        if not self._is_away:
            self._is_away = True
            metrics.LAYER_AWAY.set(1)
            logger.warning("Redis is away, and other processes are not heard: %s", " ".join(str(error).split()))

    def _found(self) -> None:
        if self._is_away:
            self._is_away = False
            metrics.LAYER_AWAY.set(0)
            logger.warning("Redis is back")
