"""What one process hears of announcements, and hands to its own sockets.

Each group is listened to once, however many sockets here are in it. Sockets of the process that announces hear of it
directly; the channel layer carries it to the others.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import defaultdict
from typing import Any, Protocol
from weakref import WeakValueDictionary

from channels.layers import InMemoryChannelLayer, get_channel_layer

logger = logging.getLogger(__name__)

Message = dict[str, Any]

AGAIN_AFTER_S = 1.0


class Listener(Protocol):
    """A socket."""

    def hear(self, message: Message) -> None:
        """Take note of it, without waiting. Messages may come doubled, late, or out of order."""


class Hub:
    """Of one event loop."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)
        self._members: defaultdict[str, set[Listener]] = defaultdict(set)
        self._gates: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        # By group whether the layer has let us in, or we are on our way.
        self._listened: dict[str, bool] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self._channel = ""
        self._hearing: asyncio.Task[None] | None = None

    async def join(self, group: str, listener: Listener) -> None:
        """From now on the listener hears what is said to the group, by whatever process."""
        async with self._gate(group):
            self._members[group].add(listener)
            if not self._listened.get(group) and (layer := _layer()) is not None:
                if self._hearing is None:
                    self._channel = await layer.new_channel()
                    self._hearing = asyncio.create_task(self._hear(layer), name="hub")
                self._listened[group] = False
                await layer.group_add(group, self._channel)
                self._listened[group] = True

    def leave(self, group: str, listener: Listener) -> asyncio.Task[None]:
        """No more of it, from this moment on. Nothing happens for who is not there.

        The task, in which the layer learns of it, need not be awaited: who hangs up may be cut short while Redis is
        slow, and must be out of all groups all the same.
        """
        if (members := self._members.get(group)) is not None:
            members.discard(listener)
        task = asyncio.get_running_loop().create_task(self._let_go(group), name="leaving")
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)
        return task

    async def _let_go(self, group: str) -> None:
        """Listen to the group no longer, if nobody here is in it."""
        try:
            async with self._gate(group):
                if self._members.get(group):
                    return
                self._members.pop(group, None)
                if self._listened.pop(group, None) is not None and (layer := _layer()) is not None:
                    await layer.group_discard(group, self._channel)
        except Exception:
            logger.exception("a group could not be left")

    def deliver(self, group: str, message: Message) -> None:
        """Hand it to the sockets of this process."""
        for listener in tuple(self._members.get(group, ())):
            listener.hear(message)

    async def send(self, group: str, message: Message) -> None:
        """To the group's sockets in this process at once, and to those of the others by the layer."""
        self.deliver(group, message)
        if (layer := _layer()) is not None:
            await layer.group_send(group, {**message, "group": group, "hub": self.name})

    def groups(self) -> list[str]:
        """Those in which somebody is."""
        return [group for group, members in self._members.items() if members]

    def counts(self) -> tuple[int, int]:
        """How many groups are kept here, empty ones among them, and members in all of them. From any thread."""
        kept = list(self._members.values())
        return len(kept), sum(map(len, kept))

    def _gate(self, group: str) -> asyncio.Lock:
        # Whoever comes second waits until the group is listened to; and who comes as the last one leaves, for that.
        # It lives as long as somebody holds it or waits.
        gate = self._gates.get(group)
        if gate is None:
            gate = self._gates[group] = asyncio.Lock()
        return gate

    async def _hear(self, layer: Any) -> None:
        while True:
            try:
                message = await layer.receive(self._channel)
                if message.pop("hub", None) != self.name:
                    self.deliver(message.pop("group", ""), message)
            except Exception:
                logger.exception("an announcement was not understood")
                await asyncio.sleep(AGAIN_AFTER_S)


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def hub() -> Hub:
    """The one of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        for other in [other for other in _hubs if other.is_closed()]:
            del _hubs[other]
        _hubs[loop] = Hub()
    return _hubs[loop]


def counts() -> tuple[int, int]:
    """How many groups this process keeps, and how many members they have."""
    found = [one.counts() for one in list(_hubs.values())]
    return sum(groups for groups, _ in found), sum(members for _, members in found)


def _layer() -> Any:
    """What leads to other processes; None where there are none."""
    layer = get_channel_layer()
    return None if isinstance(layer, InMemoryChannelLayer) else layer
