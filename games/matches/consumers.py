"""The socket of a match: a door for acts, and the way on which every change comes to whoever looks."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils import translation

from accounts.people.addresses import address_in
from games.matches import clock, events, metrics, pings
from games.matches.arrivals import Message
from games.matches.asides import MARK, Asides
from games.matches.attendance import Attendance
from games.matches.away import AWAY, tell_of
from games.matches.callers import Caller
from games.matches.errors import Failed, HouseAway, NotFound, Refused
from games.matches.fragments.chat import draw_gone
from games.matches.fragments.match import draw_notice
from games.matches.fragments.solo import asks_for_place
from games.matches.hearing import Hearing
from games.matches.lookout import Stored, lookout
from games.matches.messages import PONG, fields_in, pong_in
from games.matches.models import Match
from games.matches.numbers import whole_number
from games.matches.queues import queue_at
from games.matches.screen import Screen
from games.matches.services.acts import perform_act
from games.matches.services.chat import send_line
from games.matches.services.presence import renew_presence
from games.matches.services.sitting import NotAsKnown
from games.matches.snapshots import Snapshot, Stamp, kept_snapshot, snapshot
from games.matches.sockets import NOT_HERE, PersonSocket
from games.matches.threads import in_db_thread

if TYPE_CHECKING:
    from accounts.people.models import User

logger = logging.getLogger(__name__)

HERE = "here"
"""What a page says by itself, as it says that it has got a ping: that it is there. Neither is answered."""

SAY = "say"
"""A line of chat: it is answered by what is new in the chat, and the match is not drawn for it."""

MOVE = "move"
"""A move, which is most of all that comes: see `change_match`."""

NOTED_FOR_S = 5.0
"""A page says more often than that is of use that it is there, and this process says so of it too."""

ANSWER = "<!--answers {key}-->"
"""Ends the answer to a move, with the key that the page gave it: whatever else comes is no answer to it."""

_KEY = re.compile(r"[A-Za-z0-9-]{1,64}")

LONGEST_SLUG = Match._meta.get_field("slug").max_length or 0


class Sight(NamedTuple):
    """What one page is to be shown, and whether its chat has to be told something."""

    current: Snapshot
    attendance: Attendance
    chat_is_behind: bool


class MatchSocket(PersonSocket):
    """One page that shows one match. It says what it shows when it connects, so a reconnect brings what was missed."""

    kind = "match"
    _noted_at = -NOTED_FOR_S
    _pinging: asyncio.Task[None] | None = None
    _pinged_every: float | None = None
    slug: str

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self._line = pings.Line()
        self._asides = Asides(self, self._stay)
        self._screen = Screen(Stamp(0, 0), "")
        self.user, self.slug = None, scope["url_route"]["kwargs"]["slug"]
        try:
            with lookout().watched_by(self, self.slug):
                await super().__call__(scope, receive, send)
        finally:  # however it has ended
            self._ping_every(None)
            self._asides.end()

    async def connect(self) -> None:
        self._meet()
        self._address = address_in(self.scope)
        version, own = (whole_number(self.query.get(name, "")) for name in ("version", "own"))
        self._screen = Screen(Stamp(version or 0, own or 0), self.query.get("stage", ""))
        self._hearing = Hearing(self.query.get("heard", ""))
        await self.accept()
        if len(self.slug) > LONGEST_SLUG:  # no such match, and too long for the name of a group
            await self.close(code=NOT_HERE)
            return
        self._asides.page_shows(self.query.get("attendance"))
        if not await self._has_room():
            return
        self.groups_joined = [events.match_group(self.slug), events.HOUSE, *self._own_groups()]
        self.invited = self.scope["visitor"].is_invited_to(self.slug)
        # First the group, then the look: a change between the two comes by announcement.
        await self._join_groups()
        await self._push(at_least=None)

    def _note_arrival(self, message: Message) -> bool:
        """Stamp what comes; whether it is more than the answer to a ping of ours, which is measured here and now."""
        now = monotonic()
        token = pong_in(message.get("text"))
        if token is not None and self._line.pong(token, now):
            return False
        message["arrived"], message["lag"] = clock.now(), self._line.lag(now)
        return True

    async def websocket_receive(self, message: Message) -> None:
        """An act of the person: do it, and answer with the match as it stands then, and with the reason if refused."""
        if self._is_flood():
            await self._end_flood()
            return
        refusal: Refused | None = None
        key = ""
        try:
            data = fields_in(message.get("text"))
            act, key = data.get("act", MOVE), data.get("key", "")
            if act == PONG:  # too late, or made up: it was counted against the line, and there is nothing to say
                return
            if act == HERE:
                await self._note_presence(message)
                return
            if act == SAY:
                await self._say(data, message)
                return
            async with queue_at(self.slug):
                await in_db_thread(self._perform, act, data, message)
        except Refused as error:
            refusal = error
        except Exception as error:
            refusal = self._failure(error, "an act at match %s failed")
        if refusal is not None:
            metrics.count_refusal(refusal)
        else:
            # The others have waited for this: it has been announced by now, and they are drawn for first.
            await asyncio.sleep(0)
        # What this process has just written it need not load.
        at_least = self._screen.stamp.version + 1 if refusal is None else None
        await self._push(at_least=at_least, refusal=refusal, answers=key)

    def _perform(self, act: str, data: dict[str, str], message: Message) -> None:
        come = {"data": data, "arrived": message["arrived"], "lag": message["lag"] or 0}
        if act == MOVE and (known := self._known()) is not None:
            # Whoever is refused has to be looked up as well, before they are told anything.
            with suppress(NotAsKnown, Refused):
                perform_act(act=act, slug=self.slug, caller=replace(self._caller(), known=known), **come)
                self._known_at = monotonic()
                return
        self._meet_again(known_for=0)
        perform_act(act=act, slug=self.slug, caller=self._caller(), **come)

    async def _say(self, data: dict[str, str], message: Message) -> None:
        refusal: Refused | None = None
        try:
            await in_db_thread(self._send_line, data, message)
        except Refused as error:
            refusal = error
        except Exception as error:
            refusal = self._failure(error, "a line at match %s failed")
        if refusal is not None:
            metrics.count_refusal(refusal)
        await self._push_chat(key=data.get("key", ""), refusal=refusal)

    def _send_line(self, data: dict[str, str], message: Message) -> None:
        self._meet_again(known_for=0)
        room, text, key = (data.get(name, "") for name in ("room", "text", "key"))
        send_line(slug=self.slug, caller=self._caller(), room=room, text=text, key=key, moment=message["arrived"])

    async def _note_presence(self, message: Message) -> None:
        now = monotonic()
        if now - self._noted_at < NOTED_FOR_S:
            return
        self._noted_at = now
        try:
            await in_db_thread(self._renew_presence, message)
        except Exception as error:  # the page says so again soon, and nobody waits for an answer
            tell_of(logger, error, "could not note who is at match %s", self.slug)

    def _renew_presence(self, message: Message) -> None:
        self._meet_again()
        if self.user is not None:
            renew_presence(slug=self.slug, user=self.user, moment=message["arrived"], lag=message["lag"])

    async def _stay(self) -> None:
        """The page is open still, whether it says so or is kept from it by a browser that gives it no time."""
        await self._note_presence({"arrived": clock.now(), "lag": self._line.lag(monotonic())})
        await self._end_if_parted()

    async def send_beside(self, drawn: str) -> None:
        """Tell the page something that is nothing new of the match."""
        self._screen.forget()
        await self.send(text_data=MARK + drawn)

    def _caller(self) -> Caller:
        return Caller(user=self.user, invited=self.invited, address=self._address)

    async def _show_person(self) -> None:
        """Whoever was muted, or may write again, sees it in the chat."""
        await self._push_chat()

    async def match_changed(self, event: dict[str, Any]) -> None:
        """An announcement. They may come doubled, late or out of order: only a newer version is drawn.

        Those of a person's other matches come as well, for the turns that wait for them there.
        """
        is_newer = event["slug"] == self.slug and event["version"] > self._screen.stamp.version
        if is_newer and await self._push(at_least=event["version"]):
            # A process that runs the version before ours, while they are restarted one by one, sends no moment.
            metrics.time_push(event.get("committed_at"), clock.now())
        self._asides.turns_changed(event["slug"])

    async def attendance_changed(self, event: dict[str, Any]) -> None:
        """Somebody has come who was away."""
        await self._asides.attendance_changed()

    async def chat_heard(self, event: dict[str, Any]) -> None:
        """Somebody has said something in one of the rooms."""
        if self._hearing.listens_to(event["room"]):
            await self._push_chat()

    async def chat_hidden(self, event: dict[str, Any]) -> None:
        """A moderator has hidden a line."""
        if self._hearing.reads(event["room"]):
            await self.send(text_data=draw_gone(event["room"], event["number"]))

    async def own_changed(self, event: dict[str, Any]) -> None:
        """What only this seat sees has changed: its own claim waits, or was judged."""
        if event["slug"] == self.slug:
            await self._push(at_least=None)

    async def house_resumed(self, event: dict[str, Any]) -> None:
        """The house was down: the page counts down from another moment now."""
        await self._push(at_least=None)

    async def _push(self, *, at_least: int | None, refusal: Refused | None = None, answers: str | None = None) -> bool:
        """Send the match as it stands if it is newer than what the page shows, or if the page waits for an answer.

        Whether it was sent. `answers` is the key of what it answers, "" where that has none.
        """
        try:
            sight = self._at_hand(at_least)
            if sight is None:
                sight = await in_db_thread(self._look, at_least, asked_at=monotonic())
        except NotFound:
            await self._show_out()
            return False
        except AWAY as error:  # what is done will be drawn once the lookout finds it
            tell_of(logger, error, "could not draw match %s", self.slug)
            await self._send_refusal(refusal, answers)
            return False
        current = sight.current
        is_news = answers is not None or current.stamp_for(self.user) > self._screen.stamp
        if is_news:
            await self.send(text_data=await self._drawn(sight, refusal) + _answer_mark(answers))
        await self._asides.match_drawn(sent=is_news)
        self._ping_every(_ping_pause(current, self.user))
        if sight.chat_is_behind:
            await self._push_chat()
        return is_news

    def _at_hand(self, at_least: int | None) -> Sight | None:
        """What there is to see of the match, if nothing has to be asked of the database for it."""
        if at_least is None or self._known_long_ago():
            return None
        current, caller = kept_snapshot(self.slug), self._caller()
        if current is None or not current.is_good_for(at_least) or not current.match.is_playable:
            return None
        if not caller.is_of_its_people(current.match, current.seats):
            return None
        there = self._asides.attendance_at_hand(current)
        return Sight(current, there, self._hearing.is_behind(current, caller)) if there is not None else None

    def _look(self, at_least: int | None, *, asked_at: float) -> Sight:
        """The same as it is stored. Runs in a database thread."""
        self._meet_again()
        caller = self._caller()
        current = snapshot(slug=self.slug, caller=caller, at_least=at_least, asked_at=asked_at)
        there = self._asides.attendance_of(current, asked_at=asked_at)
        return Sight(current, there, self._hearing.has_missed(current, caller, asked_at=asked_at))

    async def _drawn(self, sight: Sight, refusal: Refused | None) -> str:
        """Drawn here and now, unless the database has to be asked for it."""
        if asks_for_place(sight.current, self.user):
            return await in_db_thread(self._for_reader, self._draw, sight, refusal)
        return self._for_reader(self._draw, sight, refusal)

    def _draw(self, sight: Sight, refusal: Refused | None) -> str:
        # Whoever was refused starts from what there is: nothing of what was tried may stay on the page.
        drawn = self._screen.bring_up(sight.current, self.user, sight.attendance, whole=refusal is not None)
        drawn += self._asides.own_count()
        return drawn + draw_notice(refusal) if refusal is not None else drawn

    async def _push_chat(self, *, key: str | None = None, refusal: Refused | None = None) -> None:
        """Send what the page has not heard yet; with `key` also if that is nothing, since it waits for an answer."""
        try:
            drawn = await in_db_thread(self._draw_chat, key, refusal)
        except NotFound:
            await self._show_out()
            return
        except AWAY as error:
            tell_of(logger, error, "could not draw the chat of match %s", self.slug)
            await self._send_refusal(refusal, None)
            return
        if drawn:
            await self.send(text_data=drawn)

    def _failure(self, error: Exception, what: str) -> Refused:
        """What the person is told of what they cannot help."""
        tell_of(logger, error, what, self.slug)
        return HouseAway() if isinstance(error, AWAY) else Failed()

    async def _send_refusal(self, refusal: Refused | None, answers: str | None) -> None:
        """The reason alone, if there is one, while the match cannot be drawn."""
        if refusal is None:
            return
        with translation.override(self.language):
            drawn = draw_notice(refusal)
        await self.send(text_data=drawn + _answer_mark(answers))

    def match_is_at(self, stored: Stored, before: Stored | None) -> None:
        """The lookout's word: whether something was missed. It is drawn when its turn comes."""
        if not self.groups_joined:  # the page is on its way in, and nothing may come before that
            return
        own = stored.own.get(self.user.pk, 0) if self.user is not None else 0
        if Stamp(stored.version, own) > self._screen.stamp:
            self._arrivals.slip_in({"type": "match.missed", "version": stored.version})
        if stored.line > (before.line if before is not None else 0):
            self._arrivals.slip_in({"type": "chat.missed"})

    async def match_missed(self, event: dict[str, Any]) -> None:
        """An announcement did not come."""
        await self._push(at_least=event["version"] if event["version"] > self._screen.stamp.version else None)

    async def chat_missed(self, event: dict[str, Any]) -> None:
        """Somebody has said something, and that may not have been heard here."""
        await self._push_chat()

    async def _show_out(self) -> None:
        """A guest who was somebody is told that they are no more, not that there is no such match."""
        await self._end_if_parted()
        await self.close(code=NOT_HERE)

    def _draw_chat(self, key: str | None, refusal: Refused | None) -> str:
        self._meet_again()
        caller = self._caller()
        current = snapshot(slug=self.slug, caller=caller, at_least=self._screen.stamp.version)
        draw = self._hearing.draw_news
        return self._for_reader(draw, current, self.user, caller, key=key, refusal=refusal)

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        self._ping_every(None)
        await super().close(code=code, reason=reason)

    def _ping_every(self, seconds: float | None) -> None:
        """From now on, beginning at once; None: no more. Nothing changes if it is so already."""
        if seconds == self._pinged_every:
            return
        self._pinged_every = seconds
        if self._pinging is not None:
            self._pinging.cancel()
        self._pinging = asyncio.create_task(self._ping(seconds), name="pings") if seconds is not None else None

    async def _ping(self, pause: float) -> None:
        """Each ping brings the server's time in ms since 1970; what it measures, it measures by our clock alone."""
        while True:
            token = secrets.token_urlsafe(12)
            now = int(clock.now().timestamp() * 1000)
            self._line.ping(token, monotonic())
            await self.send(text_data=json.dumps({"ping": token, "now": now}))
            await asyncio.sleep(pause)


def _ping_pause(current: Snapshot, user: User | None) -> float | None:
    """Seconds between two pings to this person's page of this match; None where it needs none."""
    match = current.match
    if match.status != Match.Status.RUNNING or match.pace != Match.Pace.LIVE:
        return None
    seat = current.seat_of(user)
    if match.in_real_time and seat is not None and seat.is_present:
        return pings.PING_EVERY_S
    return pings.CLOCK_EVERY_S if match.in_real_time or match.clock_main is not None else None


def _answer_mark(key: str | None) -> str:
    """What tells a page to which of its moves this is the answer; keys are only echoed if they can do no harm."""
    return ANSWER.format(key=key) if key and _KEY.fullmatch(key) else ""
