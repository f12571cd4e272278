"""The reading side of the chat: what somebody is shown, from the line on that they have heard last."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from accounts.people.selectors import hidden_speakers
from games.matches import rows
from games.matches.callers import Caller
from games.matches.models import Match, Seat
from games.matches.rooms import Rights, rights_at
from games.matches.talk import ChatLine, Room

MOST_LINES = 300
"""Of a room, shown at once: the last ones."""

Heard = Mapping[Room, int]
"""By room, the number of the line that was heard last."""

_HEARD = re.compile(r"(players|spectators):([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Conversation:
    """What is new in the rooms that somebody may read, oldest first, without those whom they don't want to hear."""

    slug: str
    rights: Rights
    lines: Mapping[Room, Sequence[ChatLine]]
    heard: Heard
    is_live_now: bool = False

    @property
    def is_silent(self) -> bool:
        return not any(self.lines.values())


def conversation(*, match: Match, seats: Sequence[Seat], caller: Caller, heard: Heard | None = None) -> Conversation:
    """What the caller may read and has not heard yet. A query a room, and one for those whom they don't hear."""
    rights = rights_at(match, seats, caller)
    found = {room: _lines_after(match, room, (heard or {}).get(room, 0)) for room in rights.reads}
    up_to = {room: lines[-1].number if lines else (heard or {}).get(room, 0) for room, lines in found.items()}
    unwanted = hidden_speakers(user=caller.user) if any(found.values()) else frozenset()
    shown = {
        room: [line for line in lines if not line.hidden and line.user_id not in unwanted]
        for room, lines in found.items()
    }
    return Conversation(slug=match.slug, rights=rights, lines=shown, heard=up_to, is_live_now=match.is_live_now)


def _lines_after(match: Match, room: Room, number: int) -> list[ChatLine]:
    newest = ChatLine.objects.filter(match=match, room=room, number__gt=number).select_related("user")
    return list(reversed(newest.order_by("-number")[:MOST_LINES]))


def newest_lines(match: Match) -> dict[Room, int]:
    """By room the number of the last line there, hidden or not; rooms in which nothing was said are left out."""
    return {Room(room): number for room, number in rows.ask(_NEWEST_LINES, [match.pk]).fetchall()}


_NEWEST_LINES = f"SELECT room, MAX(number) FROM {ChatLine._meta.db_table} WHERE match_id = %s GROUP BY room"  # noqa: S608


def as_heard(text: str) -> dict[Room, int]:
    """What a page says that it has heard, as `heard_text` writes it; what makes no sense counts as nothing."""
    return {Room(room): int(number) for room, number in _HEARD.findall(text[:100])}


def heard_text(heard: Heard) -> str:
    """For the page to say it again: "players:12,spectators:3"."""
    return ",".join(f"{room.value}:{number}" for room, number in heard.items())
