"""The sockets: a door for acts, and the way on which every change comes to whoever looks."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from games.matches import clock, events
from games.matches.callers import Caller, caller_of, person_now
from games.matches.errors import BadInput, Failed, NotFound, Refused
from games.matches.fragments.lobby import draw_own_half, draw_public_half
from games.matches.fragments.match import draw_notice, draw_update, stage_kind
from games.matches.models import Match
from games.matches.selectors import Snapshot, snapshot
from games.matches.services.acts import perform_act
from games.matches.threads import in_db_thread, in_lobby_thread

if TYPE_CHECKING:
    from datetime import datetime

    from accounts.people.models import User

logger = logging.getLogger(__name__)

FLOOD = 1008
"""Close code: the page sends far more than a person does."""

NOT_HERE = 4404
"""Close code: there is no such match, or it is not open to this person. The page does not try again."""

MAX_MESSAGE = 4096
"""Characters in one message."""

ACTS_PER_10_S = 60
"""Messages of one socket that are looked at; a person needs a few."""

KNOWN_FOR_S = 30.0
"""After so long, a push first looks whether the person is still logged in; an act always does."""

LONGEST_SLUG = Match._meta.get_field("slug").max_length or 0

LOBBY_REST_S = 0.5
"""A busy lobby is redrawn this often at the most."""


class _Socket(AsyncWebsocketConsumer):  # type: ignore[misc]
    """What both kinds of socket share: the person, the language, and a database thread to work in."""

    user: User | None
    invited = False
    language: str

    def _meet(self) -> None:
        events.remember_server_loop()
        user = self.scope.get("user")
        self.user = user if user is not None and user.is_authenticated else None
        self._known_at = monotonic()
        self._heard: deque[float] = deque()
        self.language = _asked_language(self.query.get("lang", ""))

    def _meet_again(self, *, known_for: float = KNOWN_FOR_S) -> None:
        """Somebody who has logged out, or was switched off, is a guest from now on. Runs in a database thread."""
        if self.user is not None and monotonic() - self._known_at >= known_for:
            self.user = person_now(self.user, self.scope["session"].session_key)
            self.invited = self.invited and self.user is not None
            self._known_at = monotonic()

    def _is_flood(self) -> bool:
        """Count one more message; whether these are more than a person sends."""
        now = monotonic()
        while self._heard and now - self._heard[0] >= 10:
            self._heard.popleft()
        self._heard.append(now)
        return len(self._heard) > ACTS_PER_10_S

    async def _end_flood(self) -> None:
        """Say why, once, and close: answers that nobody reads would pile up here, and the database is left alone."""
        if len(self._heard) == ACTS_PER_10_S + 1:
            with translation.override(self.language):
                await self.send(text_data=draw_notice(BadInput(what="rate")))
            await self.close(code=FLOOD)

    @property
    def query(self) -> dict[str, str]:
        fields = parse_qsl(self.scope.get("query_string", b"")[:500].decode("latin-1"))
        return dict(fields)


class MatchSocket(_Socket):
    """One page that shows one match.

    `shown` is the newest version sent to this page and `stage` what it shows of it; the page says both when it
    connects, so a reconnect brings just what was missed.
    """

    shown = 0
    stage = ""

    async def connect(self) -> None:
        self._meet()
        self.slug: str = self.scope["url_route"]["kwargs"]["slug"]
        self.shown = _whole_number(self.query.get("version", ""))
        self.stage = self.query.get("stage", "")
        await self.accept()
        if len(self.slug) > LONGEST_SLUG:  # no such match, and too long for the name of a group
            await self.close(code=NOT_HERE)
            return
        self.group = events.match_group(self.slug)
        session, user = self.scope["session"], self.scope["user"]
        self.invited = (await in_db_thread(caller_of, user=user, session=session, slug=self.slug)).invited
        # First the group, then the look: a change between the two comes by announcement.
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self._push(at_least=None)

    async def disconnect(self, code: int) -> None:
        if self.channel_layer is not None and hasattr(self, "group"):
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """An act of the person: do it, and answer with the match as it stands then, and with the reason if refused."""
        arrived = clock.now()
        if self._is_flood():
            await self._end_flood()
            return
        refusal: Refused | None = None
        try:
            await in_db_thread(self._perform, _read(text_data), arrived)
        except Refused as error:
            refusal = error
        except Exception:
            logger.exception("an act at match %s failed", self.slug)
            refusal = Failed()
        await self._push(at_least=None, refusal=refusal, answers=True)

    def _perform(self, data: dict[str, str], arrived: datetime) -> None:
        self._meet_again(known_for=0)
        act = data.get("act", "move")
        perform_act(act=act, slug=self.slug, caller=self._caller(), data=data, arrived=arrived)

    def _caller(self) -> Caller:
        return Caller(user=self.user, invited=self.invited)

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
        self._meet_again()
        current = snapshot(slug=self.slug, caller=self._caller(), at_least=at_least)
        with translation.override(self.language):
            drawn = draw_update(current, self.user, shown=self.stage)
            return current, drawn + draw_notice(refusal) if refusal is not None else drawn


class LobbySocket(_Socket):
    """One page that shows the lobby: its person's half, and the half that is the same for all."""

    async def connect(self) -> None:
        self._meet()
        self._own: asyncio.Task[None] | None = None
        self._public: asyncio.Task[None] | None = None
        self._sent = ""
        self.groups_joined = [events.LOBBY]
        if self.user is not None:
            self.groups_joined.append(events.person_group(self.user.pk))
        await self.accept()
        for group in self.groups_joined:
            await self.channel_layer.group_add(group, self.channel_name)
        await self._send_own()
        await self._send_public(_public_half(self.language, rest=0))

    async def disconnect(self, code: int) -> None:
        for task in (self._own, self._public):
            if task is not None:
                task.cancel()
        for group in self.groups_joined:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is done over this socket."""
        if self._is_flood():
            await self._end_flood()

    async def match_changed(self, event: dict[str, Any]) -> None:
        """A match of this person's: draw their half a little later, once for all that changes until then."""
        if self._own is None or self._own.done():
            self._own = asyncio.create_task(self._own_soon())

    async def lobby_changed(self, event: dict[str, Any]) -> None:
        """The public half: drawn once for all pages of this process that wait for it."""
        drawing = _public_half(self.language, rest=LOBBY_REST_S)
        if self._public is None or self._public.done() or self._public.get_name() != drawing.get_name():
            self._public = asyncio.create_task(self._send_public(drawing), name=drawing.get_name())

    async def _own_soon(self) -> None:
        await asyncio.sleep(LOBBY_REST_S)
        self._own = None
        await self._send_own()

    async def _send_own(self) -> None:
        try:
            await self.send(text_data=await in_lobby_thread(self._draw_own))
        except Exception:
            logger.exception("the lobby could not be redrawn")  # the next change tries again

    async def _send_public(self, drawing: asyncio.Task[str]) -> None:
        try:
            drawn = await asyncio.shield(drawing)
        except Exception:
            logger.exception("the lobby could not be redrawn")
            return
        if self.user is not None and monotonic() - self._known_at >= KNOWN_FOR_S:
            await self._send_own()
        if drawn != self._sent:
            self._sent = drawn
            await self.send(text_data=drawn)

    def _draw_own(self) -> str:
        self._meet_again()
        with translation.override(self.language):
            return draw_own_half(self.user, pushed=True)


# By loop and language: the drawing of the public half that has not begun yet, for all who wait for it.
_drawings: dict[tuple[asyncio.AbstractEventLoop, str], asyncio.Task[str]] = {}


def _public_half(language: str, *, rest: float) -> asyncio.Task[str]:
    """The next drawing of the public half. What changes while one is being drawn is for the one after."""
    key = (asyncio.get_running_loop(), language)

    def draw() -> str:
        with translation.override(language):
            return draw_public_half(pushed=True)

    async def draw_soon() -> str:
        await asyncio.sleep(rest)
        _drawings.pop(key, None)
        return await in_lobby_thread(draw)

    if key not in _drawings:
        _drawings[key] = asyncio.create_task(draw_soon())
    return _drawings[key]


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
