"""The chat as people use it in tests: lines said and heard, by service, by form and over sockets."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from accounts.people.models import User
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.services.chat import send_line
from games.matches.talk import ChatLine
from tests.matches.browsing import HTMX, browser
from tests.matches.conftest import START
from tests.matches.wire import Socket, connected, do, match_path, session_of


def say(match: Match, user: User | None, text: str, *, room: str = "players", key: str = "", **caller: Any) -> ChatLine:
    """One line, by the service."""
    return send_line(slug=match.slug, caller=Caller(user, **caller), room=room, text=text, key=key, moment=START)


def post(user: User | None, match: Match, text: str, *, room: str = "players", htmx: bool = True, **form: str) -> Any:
    """The answer to the form of the chat."""
    fields = {"room": room, "text": text, **form}
    return browser(user).post(f"/matches/{match.slug}/chat/", fields, headers=HTMX if htmx else {})


def news(user: User | None, match: Match, **seen: str) -> Any:
    """The answer to the page's poll."""
    return browser(user).get(f"/matches/{match.slug}/chat/", seen, headers=HTMX)


def said_in(drawn: str) -> list[str]:
    """The lines in a page or a frame, in order."""
    return re.findall(r'<bdi class="chat-text" dir="auto">(.*?)</bdi>', drawn)


def numbers_in(drawn: str) -> list[str]:
    """Their rooms and numbers."""
    return re.findall(r'id="said-((?:players|spectators)-\d+)"', drawn)


def texts_of(match: Match, room: str = "players") -> list[str]:
    """What is stored, in order."""
    return list(ChatLine.objects.filter(match=match, room=room).order_by("number").values_list("text", flat=True))


@asynccontextmanager
async def listening(match: Match, user: User | None, *, heard: str, stage: str = "match") -> AsyncIterator[Socket]:
    """The open socket of a page that shows the match and has heard that much of its chat."""
    cookie = await do(session_of, user)
    async with connected(f"{match_path(match, stage=stage)}&heard={heard}", cookie) as socket:
        await socket.hear()
        yield socket
