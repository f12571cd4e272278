"""The socket of the lobby: pushes what changes there, and does nothing."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from django.utils import translation

from accounts.people.selectors import kept_apart
from games.matches import events
from games.matches.away import tell_of
from games.matches.fragments.lobby import PublicHalf, draw_own, draw_public_half
from games.matches.fragments.your_turn import draw_your_turn
from games.matches.sockets import PersonSocket
from games.matches.threads import in_lobby_thread

logger = logging.getLogger(__name__)

LOBBY_REST_S = 0.5
"""A busy lobby is redrawn this often at the most."""


class LobbySocket(PersonSocket):
    """One page that shows the lobby: its person's half, and the half that is the same for all."""

    kind = "lobby"

    async def connect(self) -> None:
        self._meet()
        self._own: asyncio.Task[None] | None = None
        self._public: asyncio.Task[None] | None = None
        self._sent = ""
        self._mine: frozenset[str] = frozenset()
        self._half: PublicHalf | None = None
        self._apart: frozenset[int] = frozenset()
        await self.accept()
        if not await self._has_room():
            return
        self.groups_joined = [events.LOBBY, *self._own_groups()]
        await self._join_groups()
        await self._send_own()
        await self._send_public(_public_half(self.language, self._apart, rest=0))

    async def disconnect(self, code: int) -> None:
        for task in (self._own, self._public):
            if task is not None:
                task.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is done over this socket."""
        if self._is_flood():
            await self._end_flood()

    async def match_changed(self, event: dict[str, Any]) -> None:
        """A match of this person's: draw their half a little later, once for all that changes until then."""
        if self._own is None or self._own.done():
            self._own = asyncio.create_task(self._own_soon())

    async def own_changed(self, event: dict[str, Any]) -> None:
        """What only one seat sees has changed: its match's page shows it."""

    async def lobby_changed(self, event: dict[str, Any]) -> None:
        """The public half: drawn once for all pages of this process that wait for it."""
        drawing = _public_half(self.language, self._apart, rest=LOBBY_REST_S)
        if self._public is None or self._public.done() or self._public.get_name() != drawing.get_name():
            self._public = asyncio.create_task(self._send_public(drawing), name=drawing.get_name())

    async def _own_soon(self) -> None:
        await asyncio.sleep(LOBBY_REST_S)
        self._own = None
        await self._send_own()

    async def _send_own(self) -> None:
        before = self._mine
        try:
            await self.send(text_data=await in_lobby_thread(self._draw_own))
        except Exception as error:
            tell_of(logger, error, "the lobby could not be redrawn")  # the next change tries again
        # Drawn by a task of its own, not on hearing something.
        await self._end_if_parted()
        if self._mine != before:
            await self._send_half()

    async def _send_public(self, drawing: asyncio.Task[PublicHalf]) -> None:
        try:
            self._half = await asyncio.shield(drawing)
        except Exception as error:
            tell_of(logger, error, "the lobby could not be redrawn")
            return
        if self._known_long_ago():
            await self._send_own()
        await self._send_half()

    async def _send_half(self) -> None:
        """The public half without the person's own matches, where that is not what the page shows."""
        if self._half is None:
            return
        with translation.override(self.language):
            drawn = self._half.without(self._mine)
        if drawn != self._sent:
            self._sent = drawn
            await self.send(text_data=drawn)

    def _draw_own(self) -> str:
        self._meet_again()
        # Looked up with the own half, so a little late: sitting down is refused at once.
        self._apart = kept_apart(user=self.user)
        drawn, self._mine = self._for_reader(draw_own, self.user, pushed=True)
        return drawn + self._for_reader(draw_your_turn, self.user, pushed=True)


# By loop, language and who is kept apart from whoever looks (from most people nobody is): the drawing of the public
# half that has not begun yet, for all who wait for it.
_drawings: dict[tuple[asyncio.AbstractEventLoop, str, frozenset[int]], asyncio.Task[PublicHalf]] = {}


def _public_half(language: str, apart: frozenset[int], *, rest: float) -> asyncio.Task[PublicHalf]:
    """The next drawing of the public half. What changes while one is being drawn is for the one after."""
    key = (asyncio.get_running_loop(), language, apart)

    def draw() -> PublicHalf:
        with translation.override(language):
            return draw_public_half(apart=apart, pushed=True)

    async def draw_soon() -> PublicHalf:
        await asyncio.sleep(rest)
        _drawings.pop(key, None)
        return await in_lobby_thread(draw)

    if key not in _drawings:
        _drawings[key] = asyncio.create_task(draw_soon())
    return _drawings[key]
