"""Tells everybody who looks that a match has changed: the match, its version, and nothing secret."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

from accounts.people.announcer import hand_over, person_group, tell
from games.matches import clock

LOBBY = "lobby"
"""The group of all who look at the lobby."""

HOUSE = "house"
"""The group of all who look at any match."""


def match_group(slug: str) -> str:
    """The group of all sockets that show this match."""
    return f"match.{slug}"


@dataclass(frozen=True, slots=True)
class Change:
    """A match has changed. `people` have a seat there; `in_lobby` if the open tables look different now.

    Where the version is the same as before for all but a few, `alone` are these, and nobody else hears of it.
    """

    slug: str
    version: int
    people: tuple[int, ...]
    in_lobby: bool
    alone: tuple[int, ...] | None = None


def announce(change: Change) -> None:
    """Send word of a committed change. Never raises: the move stands, and a slow poll repairs what nobody heard."""
    hand_over(_send(change, committed_at=clock.now().timestamp()))


def announce_resumed() -> None:
    """Send word that the house is open again, and the match time of every match has stood still. Never raises."""
    hand_over(tell(HOUSE, {"type": "house.resumed"}))


def announce_line(*, slug: str, room: str) -> None:
    """Send word that somebody has said something in that room of the match; not what, nor who. Never raises."""
    hand_over(tell(match_group(slug), {"type": "chat.heard", "slug": slug, "room": room}))


def announce_hidden_line(*, slug: str, room: str, number: int) -> None:
    """Send word that a line is shown to nobody any more. Never raises: pages that are loaded later don't have it."""
    hand_over(tell(match_group(slug), {"type": "chat.hidden", "slug": slug, "room": room, "number": number}))


def announce_attendance(slug: str) -> None:
    """Send word that somebody has come to a match at which they were not. Never raises: every page looks by itself."""
    hand_over(tell(match_group(slug), {"type": "attendance.changed", "slug": slug}))


async def _send(change: Change, *, committed_at: float | None = None) -> None:
    """The moment goes along so that whoever pushes the change can tell how long that took."""
    message = {"slug": change.slug, "version": change.version, "committed_at": committed_at}
    for group, kind in _groups(change):
        if not await tell(group, {"type": kind, **message}):
            return
    if change.alone is None:
        for user_id in change.people:
            await _tell_person(user_id, {"type": "match.changed", **message})


def _groups(change: Change) -> Iterable[tuple[str, str]]:
    """The groups that hear of it, and as what: the type names the consumer's handler."""
    if change.alone is not None:
        yield from ((person_group(user_id), "own.changed") for user_id in change.alone)
        return
    yield match_group(change.slug), "match.changed"
    if change.in_lobby:
        yield LOBBY, "lobby.changed"


REST_S = 0.5
"""The other pages of a person hear of each of their matches this often at the most."""

FORGOTTEN_AT_ONCE = 3


class _Told:
    """When who was last told of which match, on one event loop; what comes too soon after it is told a little later."""

    def __init__(self) -> None:
        self.at: dict[tuple[int, str], float] = {}
        self.waiting: dict[tuple[int, str], dict[str, Any]] = {}

    def note(self, key: tuple[int, str], moment: float) -> None:
        """Who was told long ago need not be known, and is the first in the order."""
        self.at.pop(key, None)
        self.at[key] = moment
        for old in [old for old, told_at in islice(self.at.items(), FORGOTTEN_AT_ONCE) if told_at + REST_S < moment]:
            del self.at[old]


_told: WeakKeyDictionary[asyncio.AbstractEventLoop, _Told] = WeakKeyDictionary()


async def _tell_person(user_id: int, message: dict[str, Any]) -> None:
    loop = asyncio.get_running_loop()
    told, key = _told.setdefault(loop, _Told()), (user_id, message["slug"])
    if key in told.waiting:
        told.waiting[key] = message
        return
    if (rest := told.at.get(key, -REST_S) + REST_S - loop.time()) > 0:
        told.waiting[key] = message
        loop.call_later(rest, lambda: loop.create_task(_tell_late(told, key)))
        return
    told.note(key, loop.time())
    await tell(person_group(user_id), message)


async def _tell_late(told: _Told, key: tuple[int, str]) -> None:
    told.note(key, asyncio.get_running_loop().time())
    await tell(person_group(key[0]), told.waiting.pop(key))
