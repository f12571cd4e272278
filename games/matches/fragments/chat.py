"""The chat as a match's page shows it, and what brings an open page up to date.

Not an out-of-band swap as everything else: lines are added to those that stand there, each once (`chat.js`), and what
the reader is typing is never drawn anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.people.sanctioning import Kind, sanction_in_force
from games.matches import clock, texts
from games.matches.conversations import Conversation, heard_text
from games.matches.errors import Refused
from games.matches.models import Match
from games.matches.rooms import Rights
from games.matches.talk import LINE_LENGTH, Room

if TYPE_CHECKING:
    from accounts.people.models import User


def draw_chat(spoken: Conversation, match: Match, user: User | None) -> SafeString:
    """The panel of the match's page; nothing where nobody can be talked with."""
    if not spoken.rights.reads:
        return SafeString()
    context = {
        **_context(spoken, user),
        "match": match,
        "rooms": [_room(room, spoken) for room in Room],
        "writes": spoken.rights.writes_now,
        "muted": muted_note(spoken.rights, user),
        "longest": str(LINE_LENGTH),
        "may_join": user is None,
    }
    return render_to_string("matches/part_chat.html", context)


def draw_said(spoken: Conversation, user: User | None) -> SafeString:
    """What was said at a match that is over, to be read beside its replay; nothing where nobody said anything."""
    if spoken.is_silent:
        return SafeString()
    rooms = [_room(room, spoken) for room, lines in spoken.lines.items() if lines]
    return render_to_string("matches/part_said.html", {**_context(spoken, user), "rooms": rooms})


def draw_news(spoken: Conversation, user: User | None, *, key: str = "", refusal: Refused | None = None) -> SafeString:
    """What the page has not heard yet, and what it may do now. `key` is that of the line which is answered by it."""
    context = {
        **_context(spoken, user),
        "rooms": [_room(room, spoken) for room in spoken.lines],
        "reads": rooms_text(spoken.rights),
        "writes": spoken.rights.writes_now,
        "muted": muted_note(spoken.rights, user),
        "key": key,
        "refusal": texts.refusal(refusal) if refusal is not None else "",
        "code": refusal.code if refusal is not None else "",
    }
    return render_to_string("matches/chat_news.html", context)


def muted_note(rights: Rights, user: User | None) -> str:
    """Why one can't write for now, until when, and how to appeal; "" for who is not kept from it."""
    if not rights.muted or user is None:
        return ""
    return texts.muted(sanction_in_force(user=user, kinds=(Kind.MUTE,), moment=clock.now()))


def draw_gone(room: str, number: int) -> SafeString:
    """What takes a line that was hidden away from an open page."""
    return format_html('<div data-chat-news data-gone="said-{}-{}"></div>', room, str(number))


def rooms_text(rights: Rights) -> str:
    """The rooms that may be read, as the page has them in its attributes."""
    return " ".join(room.value for room in rights.reads)


def _context(spoken: Conversation, user: User | None) -> dict[str, Any]:
    reader = user.pk if user is not None else None
    given = {"heard": heard_text(spoken.heard), "reader": reader, "slug": spoken.slug}
    return {**given, "stays": spoken.is_live_now}


def _room(room: Room, spoken: Conversation) -> dict[str, Any]:
    return {
        "name": room.value,
        "title": texts.room_title(room),
        "lines": spoken.lines.get(room, ()),
        "open": room in spoken.rights.reads,
    }
