"""What a match's socket tells its page beside the match: who is there, and in how many matches it is one's turn."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from random import uniform
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from django.utils import translation

from games.matches import clock, selectors
from games.matches.attendance import NOBODY, Attendance, attendance, last_seen
from games.matches.away import tell_of
from games.matches.fragments.attendance import draw_attendance
from games.matches.fragments.your_turn import draw_count
from games.matches.models import Match
from games.matches.snapshots import Snapshot
from games.matches.threads import in_db_thread, in_lobby_thread

if TYPE_CHECKING:
    from accounts.people.models import User

logger = logging.getLogger(__name__)

MARK = "<!--beside-->"
"""Begins such a message: the page swaps its pieces in, and to a move that waits it is no answer."""

HERE_EVERY_S = 20.0
"""The server itself notes this often that a player's page is open: in the background a page has its timers slowed."""

SEEN_LATELY_S = 1.0
"""When many pages come at once, as after a restart, who is there is looked up for all of them."""

SOONEST_S = 0.05
"""What is due is looked for after so long at the least ..."""

AGAIN_AFTER_S = 5.0
"""... and after so long where that has just failed."""

COUNT_REST_S = 0.5
"""However much happens in one's matches, turns are counted this often at the most."""


class Page(Protocol):
    """The socket of one page, as far as it is needed here."""

    user: User | None
    language: str

    async def send_beside(self, drawn: str) -> None: ...


def _runs_in_real_time(match: Match) -> bool:
    return match.status == Match.Status.RUNNING and match.in_real_time


class Asides:
    """Of one socket; `stay` notes that its page is open.

    What time alone changes is looked for when it is due, in every process by itself: no keeper is needed for it.
    """

    def __init__(self, page: Page, stay: Callable[[], Awaitable[None]]) -> None:
        self._page = page
        self._told: str | None = None
        self._stay = stay
        self._current: Snapshot | None = None
        self._seen: Mapping[int, datetime] = {}
        self._found = NOBODY
        self._alarm: asyncio.TimerHandle | None = None
        self._rings_at: datetime | None = None
        self._counted = ""
        self._in_real_time = self._at_table = False
        self._elsewhere: tuple[int, int] | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}

    # Who is there

    def page_shows(self, attendance_key: str | None) -> None:
        """What the page that connects shows of it; None if it does not say."""
        self._told = attendance_key

    def attendance_at_hand(self, current: Snapshot) -> Attendance | None:
        """What a push of the whole match shows of it; None if that has to be looked up."""
        found = attendance(current.match, current.seats, self._seen, clock.now())
        if not self._seen or found.key != self._told:
            return None
        self._current, self._found = current, found
        return found

    def attendance_of(self, current: Snapshot, *, asked_at: float) -> Attendance:
        """The same, looked up where it is not known, or would be shown differently. Runs in a database thread."""
        if (at_hand := self.attendance_at_hand(current)) is not None:
            return at_hand
        self._current = current
        return self._look_who_is_there(current, since=asked_at - SEEN_LATELY_S)

    def _look_who_is_there(self, current: Snapshot, *, since: float) -> Attendance:
        self._seen = current.lately("seen", lambda: last_seen(match=current.match, seats=current.seats), since=since)
        self._found = attendance(current.match, current.seats, self._seen, clock.now())
        return self._found

    async def match_drawn(self, *, sent: bool) -> None:
        """The page has got what `attendance_of` gave, or shows this version of the match already."""
        if sent or self._told is None:
            self._told = self._found.key
        self._set_alarm()
        if self._told != self._found.key:
            await self._tell_attendance(since=monotonic() - SEEN_LATELY_S)
        if self._is_player():
            self._begin("stay", self._stay_here)

    async def attendance_changed(self) -> None:
        """Look who is there now, and tell the page if that is news."""
        await self._tell_attendance(since=monotonic())

    async def _tell_attendance(self, *, since: float) -> None:
        at_least = SOONEST_S
        try:
            drawn = await in_db_thread(self._draw_attendance, since)
            if drawn:
                await self._page.send_beside(drawn)
        except Exception as error:
            tell_of(logger, error, "could not tell who is at a match")  # the page's slow poll brings it
            at_least = AGAIN_AFTER_S  # it stays due, while the database is away for everybody
        self._set_alarm(at_least)

    def _draw_attendance(self, since: float) -> str:
        current = self._current
        if current is None or self._look_who_is_there(current, since=since).key == self._told:
            return ""
        self._told = self._found.key
        with translation.override(self._page.language):
            return draw_attendance(current, self._page.user, self._found)

    def _set_alarm(self, at_least: float = SOONEST_S) -> None:
        if self._found.changes_at == self._rings_at:
            return
        self._rings_at = self._found.changes_at
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._rings_at is not None:
            pause = (self._rings_at - clock.now()).total_seconds()
            self._alarm = asyncio.get_running_loop().call_later(max(at_least, pause), self._ring)

    def _ring(self) -> None:
        self._alarm = self._rings_at = None
        self._begin("attendance", self.attendance_changed)

    def _is_player(self) -> bool:
        seat = self._current.seat_of(self._page.user) if self._current is not None else None
        return seat is not None and seat.is_present

    async def _stay_here(self) -> None:
        # Pages that have all come at once, as after a restart, are not all noted at once for ever after.
        pause = uniform(HERE_EVERY_S / 2, HERE_EVERY_S)
        while self._is_player():
            await asyncio.sleep(pause)
            await self._stay()
            pause = HERE_EVERY_S

    # Whose turn it is elsewhere

    def turns_changed(self, slug: str) -> None:
        """Something has happened in a match of this person's.

        If in another one, their turns are counted a little later, once for all of it; what happens in this one is
        counted with its push, once the others are known.
        """
        match = self._current.match if self._current is not None else None
        own = match if match is not None and match.slug == slug else None
        # In real time there are no turns; but before it began it may have been one to which they were invited, and
        # whoever sits down has answered.
        without_turns, self._in_real_time = self._in_real_time, own is not None and _runs_in_real_time(own)
        was_table, self._at_table = self._at_table, own is not None and own.status == Match.Status.TABLE
        is_known = own is not None and self._elsewhere is not None and not was_table and not self._at_table
        if self._page.user is None or without_turns or is_known:
            return
        self._begin("count", self._count_soon)

    def own_count(self) -> str:
        """The counter, if it is another one with the match as it was drawn just now; else "", also if it is unknown."""
        if self._elsewhere is None or self._current is None:
            return ""
        seat = self._current.seat_of(self._page.user)
        is_own_turn = seat is not None and seat.is_present and seat.index in self._current.match.to_move
        turns, invitations = self._elsewhere
        drawn = draw_count(turns + is_own_turn, invitations, pushed=True)
        if drawn == self._counted:
            return ""
        self._counted = drawn
        return drawn

    async def _count_soon(self) -> None:
        await asyncio.sleep(COUNT_REST_S)
        self._tasks.pop("count", None)  # what changes from now on is counted again
        try:
            self._elsewhere = await in_lobby_thread(self._count_elsewhere)
            with translation.override(self._page.language):
                drawn = self.own_count()
            if drawn:
                await self._page.send_beside(drawn)
        except Exception as error:
            tell_of(logger, error, "could not count somebody's turns")  # every page counts by itself now and then

    def _count_elsewhere(self) -> tuple[int, int] | None:
        user, current = self._page.user, self._current
        if user is None or current is None:  # nothing is known yet of the match itself, which is counted apart
            return None
        return selectors.waiting_count(user=user, apart_from=current.match.slug)

    # Tasks

    def _begin(self, name: str, job: Callable[[], Awaitable[None]]) -> None:
        """Begin the job unless it is under way."""
        task = self._tasks.get(name)
        if task is None or task.done():
            self._tasks[name] = asyncio.ensure_future(job())

    def end(self) -> None:
        """Nothing more is told."""
        if self._alarm is not None:
            self._alarm.cancel()
        for task in self._tasks.values():
            task.cancel()
