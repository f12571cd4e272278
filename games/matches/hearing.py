"""What one page's socket has heard of its match's chat, and what it is to be told next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.matches.callers import Caller
from games.matches.conversations import as_heard, conversation, newest_lines
from games.matches.errors import Refused
from games.matches.fragments.chat import draw_news
from games.matches.rooms import Rights, rights_at
from games.matches.services.chat import KEY
from games.matches.snapshots import Snapshot

if TYPE_CHECKING:
    from accounts.people.models import User


class Hearing:
    """One page's ear. It says what it has heard when it connects, by room; a page without a chat says nothing."""

    def __init__(self, said: str) -> None:
        self._has_chat = bool(said)
        self._heard = as_heard(said)
        self._reads = tuple(self._heard)
        self._rights: Rights | None = None

    def listens_to(self, room: str) -> bool:
        """Whether a line in that room may be news to this page."""
        return self._rights is None or room in self._rights.reads

    def reads(self, room: str) -> bool:
        """Whether this page is known to read that room."""
        return self._rights is not None and room in self._rights.reads

    def has_missed(self, current: Snapshot, caller: Caller, *, asked_at: float) -> bool:
        """Whether the page has to be told something at once; where it has just connected, what was said by now tells,
        for all pages of the match that asked by then. Runs in a database thread.
        """
        if self._rights is None:
            rights = rights_at(current.match, current.seats, caller)
            newest = current.lately("said", lambda: newest_lines(current.match), since=asked_at) if rights.reads else {}
            heard = {room: self._heard.get(room, 0) for room in rights.reads}
            has_other_rooms = self._has_chat and set(self._reads) != set(rights.reads)
            if has_other_rooms or any(newest.get(room, 0) > number for room, number in heard.items()):
                return True
            self._rights, self._heard = rights, heard
        return self.is_behind(current, caller)

    def is_behind(self, current: Snapshot, caller: Caller) -> bool:
        """The same without a look: whether it is not known what it has missed, or other rooms are open to it."""
        if self._rights is None:
            return True
        return self._has_chat and rights_at(current.match, current.seats, caller) != self._rights

    def draw_news(
        self,
        current: Snapshot,
        user: User | None,
        caller: Caller,
        *,
        key: str | None = None,
        refusal: Refused | None = None,
    ) -> str:
        """What to send now; "" if there is nothing. Runs in a database thread.

        With `key` it is the answer to a line of this page's, and never empty.
        """
        spoken = conversation(match=current.match, seats=current.seats, caller=caller, heard=self._heard)
        known = self._rights.reads if self._rights is not None else self._reads
        has_changed = self._has_chat and (
            set(known) != set(spoken.rights.reads) or self._rights not in (None, spoken.rights)
        )
        self._rights = spoken.rights
        # Of a room that was closed to it the page forgets everything, and would be told it all again.
        self._heard = dict(spoken.heard)
        if key is None and spoken.is_silent and not has_changed:
            return ""
        return draw_news(spoken, user, key=key if key and KEY.fullmatch(key) else "", refusal=refusal)
