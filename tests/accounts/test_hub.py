"""Announcements within a process and between processes: each socket hears each once, also as others come and go."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from channels.layers import BaseChannelLayer

from accounts.people import hub as hubs
from accounts.people.hub import Hub, Message


class Ear:
    def __init__(self) -> None:
        self.heard: list[Message] = []

    def hear(self, message: Message) -> None:
        self.heard.append(message)


class Air(BaseChannelLayer):  # type: ignore[misc]
    """A layer between hubs of one loop, slow to let anybody in."""

    def __init__(self) -> None:
        super().__init__()
        self.queues: dict[str, asyncio.Queue[Message]] = {}
        self.joined: dict[str, list[str]] = {}
        self.entries: list[tuple[str, str]] = []

    async def new_channel(self, prefix: str = "") -> str:
        name = f"channel-{len(self.queues)}"
        self.queues[name] = asyncio.Queue()
        return name

    async def group_add(self, group: str, channel: str) -> None:
        await asyncio.sleep(0.01)
        self.entries.append(("add", group))
        self.joined.setdefault(group, []).append(channel)

    async def group_discard(self, group: str, channel: str) -> None:
        await asyncio.sleep(0.01)
        self.entries.append(("discard", group))
        self.joined[group].remove(channel)

    async def group_send(self, group: str, message: Message) -> None:
        for channel in self.joined.get(group, []):
            self.queues[channel].put_nowait(dict(message))

    async def receive(self, channel: str) -> Message:
        return await self.queues[channel].get()

    async def settle(self) -> None:
        """Until all that was sent has been taken."""
        while any(not queue.empty() for queue in self.queues.values()):
            await asyncio.sleep(0)
        await asyncio.sleep(0)


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Air:
    air = Air()
    monkeypatch.setattr(hubs, "_layer", lambda: air)
    return air


async def test_each_socket_hears_each_word_once_wherever_it_was_said(air: Air) -> None:
    here, there = Hub(), Hub()
    ears = [Ear(), Ear(), Ear()]
    await here.join("a", ears[0])
    await here.join("a", ears[1])
    await there.join("a", ears[2])
    await here.send("a", {"type": "x", "number": 1})
    assert [len(ear.heard) for ear in ears[:2]] == [1, 1], "at once, without the way over the layer"
    await air.settle()
    await there.send("a", {"type": "x", "number": 2})
    await air.settle()
    assert [[word["number"] for word in ear.heard] for ear in ears] == [[1, 2], [1, 2], [1, 2]]
    assert all(set(word) == {"type", "number"} for ear in ears for word in ear.heard)


async def test_group_is_listened_to_once_and_no_longer_than_somebody_is_there(air: Air) -> None:
    hub, ears = Hub(), [Ear() for _ in range(20)]
    await asyncio.gather(*(hub.join("a", ear) for ear in ears))
    assert air.entries == [("add", "a")]
    await asyncio.gather(*(hub.leave("a", ear) for ear in ears))
    assert air.entries == [("add", "a"), ("discard", "a")]
    assert (hub.groups(), len(hub._gates)) == ([], 0), "nothing is left behind"


async def test_who_hangs_up_while_the_layer_is_slow_is_out_at_once_and_leaves_nothing(
    air: Air, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server cuts a socket short that takes too long to end: nothing may depend on what it still awaits."""
    hub, ear, goes_on = Hub(), Ear(), asyncio.Event()
    await hub.join("a", ear)
    at_once = air.group_discard

    async def slow(group: str, channel: str) -> None:
        await goes_on.wait()
        await at_once(group, channel)

    monkeypatch.setattr(air, "group_discard", slow)
    leaving = hub.leave("a", ear)
    assert hub.groups() == []
    hub.deliver("a", {"type": "x"})
    assert ear.heard == []
    await asyncio.sleep(0)
    goes_on.set()
    await leaving
    assert (hub.counts(), len(hub._gates), len(hub._leaving), air.joined["a"]) == ((0, 0), 0, 0, [])


async def test_group_is_listened_to_though_the_first_was_cut_short_on_the_way_in(air: Air) -> None:
    here, there, first, second = Hub(), Hub(), Ear(), Ear()
    await here.join("b", first)  # so that it has a channel
    joining = asyncio.create_task(here.join("a", first))
    await asyncio.sleep(0)
    joining.cancel()
    await here.join("a", second)
    await there.send("a", {"type": "x"})
    await air.settle()
    assert len(second.heard) == 1


async def test_groups_and_members_are_counted(air: Air) -> None:
    hub, ears = Hub(), [Ear() for _ in range(3)]
    for ear in ears:
        await hub.join("a", ear)
    await hub.join("b", ears[0])
    assert hub.counts() == (2, 4)
    for ear in ears:
        await hub.leave("a", ear)
    await hub.leave("b", ears[0])
    await hub.leave("c", ears[0])
    assert hub.counts() == (0, 0)


async def test_who_joins_second_is_not_let_in_before_the_group_is_listened_to(air: Air) -> None:
    here, there = Hub(), Hub()
    first, second = Ear(), Ear()
    joining = asyncio.create_task(here.join("a", first))
    await asyncio.sleep(0)
    await here.join("a", second)
    await there.send("a", {"type": "x"})
    await air.settle()
    await joining
    assert (len(first.heard), len(second.heard)) == (1, 1)


async def test_comings_and_goings_in_any_order_leave_the_group_as_it_should_be(air: Air) -> None:
    here, there, stays = Hub(), Hub(), Ear()
    ears = [Ear() for _ in range(8)]

    async def visit(ear: Ear, pause: float) -> None:
        await asyncio.sleep(pause)
        await here.join("a", ear)
        await here.leave("a", ear)

    await asyncio.gather(*(visit(ear, 0.003 * number) for number, ear in enumerate(ears)))
    assert here.groups() == []
    await asyncio.gather(visit(ears[0], 0), here.join("a", stays), visit(ears[1], 0.005))
    await there.send("a", {"type": "x"})
    await air.settle()
    assert len(stays.heard) == 1


async def test_layer_that_is_away_keeps_nobody_here_from_hearing(air: Air, monkeypatch: pytest.MonkeyPatch) -> None:
    hub, ear = Hub(), Ear()
    await hub.join("a", ear)

    async def fail(*_: Any) -> None:
        raise ConnectionError("away")

    monkeypatch.setattr(air, "group_send", fail)
    with pytest.raises(ConnectionError):
        await hub.send("a", {"type": "x"})
    assert len(ear.heard) == 1


async def test_who_comes_after_somebody_who_was_not_let_in_is_let_in(air: Air, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there, ear = Hub(), Hub(), Ear()

    let_in = air.group_add

    async def fail_once(*_: Any) -> None:
        monkeypatch.setattr(air, "group_add", let_in)
        await asyncio.sleep(0.01)
        raise ConnectionError("away")

    monkeypatch.setattr(air, "group_add", fail_once)
    first = asyncio.create_task(here.join("a", Ear()))
    await asyncio.sleep(0)
    second = asyncio.create_task(here.join("a", ear))  # waits for the first
    with pytest.raises(ConnectionError):
        await first
    await second
    await there.send("a", {"type": "x"})
    await air.settle()
    assert len(ear.heard) == 1
