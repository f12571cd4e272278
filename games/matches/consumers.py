"""The sockets: a door for acts, and the way on which every change comes to whoever looks."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from games.matches import clock, events
from games.matches.callers import Caller, caller_of
from games.matches.errors import BadInput, NotFound, Refused
from games.matches.fragments.lobby import draw_lobby
from games.matches.fragments.match import draw_notice, draw_update, stage_kind
from games.matches.selectors import Snapshot, snapshot
from games.matches.services.acts import perform_act
from games.matches.threads import in_db_thread

if TYPE_CHECKING:
    from accounts.people.models import User

NOT_HERE = 4404
"""Close code: there is no such match, or it is not open to this person. The page does not try again."""

MAX_MESSAGE = 4096
"""Characters in one message."""

ACTS_PER_10_S = 60
"""Acts that one socket may ask for; a person needs a few."""

LOBBY_REST_S = 0.5
"""A busy lobby is redrawn this often at the most."""


class _Socket(AsyncWebsocketConsumer):  # type: ignore[misc]
    """What both kinds of socket share: the person, the language, and a database thread to work in."""

    user: User | None
    language: str

    def _meet(self) -> None:
        events.remember_server_loop()
        user = self.scope.get("user")
        self.user = user if user is not None and user.is_authenticated else None
        self.language = _asked_language(self.query.get("lang", ""))

    @property
    def query(self) -> dict[str, str]:
        fields = parse_qsl(self.scope.get("query_string", b"")[:500].decode("latin-1"))
        return dict(fields)


class MatchSocket(_Socket):
    """One page that shows one match.

    `shown` is the newest version sent to this page and `stage` what it shows of it; the page says both when it
    connects, so a reconnect brings just what was missed.
    """

    caller: Caller
    shown = 0
    stage = ""

    async def connect(self) -> None:
        self._meet()
        self.slug: str = self.scope["url_route"]["kwargs"]["slug"]
        self.shown = _whole_number(self.query.get("version", ""))
        self.stage = self.query.get("stage", "")
        self._acts: list[float] = []
        self.group = events.match_group(self.slug)
        await self.accept()
        session, user = self.scope["session"], self.scope["user"]
        self.caller = await in_db_thread(caller_of, user=user, session=session, slug=self.slug)
        # First the group, then the look: a change between the two comes by announcement.
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self._push(at_least=None)

    async def disconnect(self, code: int) -> None:
        if self.channel_layer is not None and hasattr(self, "group"):
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """An act of the person: do it, and answer with the match as it stands then, and with the reason if refused."""
        arrived = clock.now()
        refusal: Refused | None = None
        try:
            data = _read(text_data)
            self._count()
            act = data.get("act", "move")
            await in_db_thread(perform_act, act=act, slug=self.slug, caller=self.caller, data=data, arrived=arrived)
        except Refused as error:
            refusal = error
        await self._push(at_least=None, refusal=refusal, answers=True)

    async def match_changed(self, event: dict[str, Any]) -> None:
        """An announcement. They may come doubled, late or out of order: only a newer version is drawn."""
        if event["version"] > self.shown:
            await self._push(at_least=event["version"])

    async def _push(self, *, at_least: int | None, refusal: Refused | None = None, answers: bool = False) -> None:
        """Send the match as it stands if it is newer than what the page shows, or if the page waits for an answer."""
        try:
            current, drawn = await in_db_thread(self._draw, at_least, refusal)
        except NotFound:
            await self.close(code=NOT_HERE)
            return
        if answers or current.version > self.shown:
            self.shown = current.version
            self.stage = stage_kind(current)
            await self.send(text_data=drawn)

    def _draw(self, at_least: int | None, refusal: Refused | None) -> tuple[Snapshot, str]:
        current = snapshot(slug=self.slug, caller=self.caller, at_least=at_least)
        with translation.override(self.language):
            drawn = draw_update(current, self.user, shown=self.stage)
            return current, drawn + draw_notice(refusal) if refusal is not None else drawn

    def _count(self) -> None:
        now = time.monotonic()
        self._acts = [*(then for then in self._acts if now - then < 10), now]
        if len(self._acts) > ACTS_PER_10_S:
            raise BadInput(what="rate")


class LobbySocket(_Socket):
    """One page that shows the lobby, redrawn for its person when tables or their matches change."""

    async def connect(self) -> None:
        self._meet()
        self._redrawing: asyncio.Task[None] | None = None
        self.groups_joined = [events.LOBBY]
        if self.user is not None:
            self.groups_joined.append(events.person_group(self.user.pk))
        await self.accept()
        for group in self.groups_joined:
            await self.channel_layer.group_add(group, self.channel_name)
        await self._redraw()

    async def disconnect(self, code: int) -> None:
        if self._redrawing is not None:
            self._redrawing.cancel()
        for group in self.groups_joined:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is done over this socket."""

    async def match_changed(self, event: dict[str, Any]) -> None:
        """Redraw a little later, once for all that changes until then."""
        if self._redrawing is None or self._redrawing.done():
            self._redrawing = asyncio.create_task(self._redraw_soon())

    async def _redraw_soon(self) -> None:
        await asyncio.sleep(LOBBY_REST_S)
        self._redrawing = None
        await self._redraw()

    async def _redraw(self) -> None:
        await self.send(text_data=await in_db_thread(self._draw))

    def _draw(self) -> str:
        with translation.override(self.language):
            return draw_lobby(self.user, pushed=True)


def _read(text: str | None) -> dict[str, str]:
    """A message as a form's fields. Raises `BadInput` for anything else."""
    if text is None or len(text) > MAX_MESSAGE:
        raise BadInput(what="message")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput(what="message") from None
    if not isinstance(data, dict):
        raise BadInput(what="message")
    fields = {name: value for name, value in data.items() if name != "HEADERS"}
    if not all(isinstance(value, str) for value in fields.values()):
        raise BadInput(what="message")
    return fields


def _whole_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _asked_language(code: str) -> str:
    return code if code in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
