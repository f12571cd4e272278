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
from games.matches.fragments.lobby import draw_lobby
from games.matches.fragments.match import draw_notice, draw_update, stage_kind
from games.matches.models import Match
from games.matches.selectors import Snapshot, snapshot
from games.matches.services.acts import perform_act
from games.matches.threads import in_db_thread

if TYPE_CHECKING:
    from datetime import datetime

    from accounts.people.models import User

logger = logging.getLogger(__name__)

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
        self.language = _asked_language(self.query.get("lang", ""))

    def _meet_again(self, *, known_for: float = KNOWN_FOR_S) -> None:
        """Somebody who has logged out, or was switched off, is a guest from now on. Runs in a database thread."""
        if self.user is not None and monotonic() - self._known_at >= known_for:
            self.user = person_now(self.user, self.scope["session"].session_key)
            self.invited = self.invited and self.user is not None
            self._known_at = monotonic()

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
        self._acts: deque[float] = deque()
        await self.accept()
        if len(self.slug) > LONGEST_SLUG:
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
        if not self._count():
            # Answered from what is kept: a flood must not reach the database.
            await self._push(at_least=self.shown, refusal=BadInput(what="rate"), answers=True)
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

    def _count(self) -> bool:
        """Whether one more message may be looked at."""
        now = monotonic()
        while self._acts and now - self._acts[0] >= 10:
            self._acts.popleft()
        if len(self._acts) >= ACTS_PER_10_S:
            return False
        self._acts.append(now)
        return True


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
        try:
            await self._redraw()
        except Exception:
            logger.exception("the lobby could not be redrawn")  # the next change tries again

    async def _redraw(self) -> None:
        await self.send(text_data=await in_db_thread(self._draw))

    def _draw(self) -> str:
        self._meet_again()
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
