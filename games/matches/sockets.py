"""What all sockets of the house share: whose they are, how many there may be, the language, and how they end."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from contextvars import Context
from threading import get_ident
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar
from urllib.parse import parse_qsl

from autobahn.exception import Disconnected
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import connection
from django.utils import translation

from accounts.people.addresses import address_in
from accounts.people.announcer import person_group, remember_server_loop
from accounts.people.hub import hub
from accounts.people.languages import offered_language
from accounts.people.time_zones import show_to
from games.matches import metrics
from games.matches.arrivals import Arrivals, Message
from games.matches.away import AWAY, tell_of
from games.matches.callers import Known, person_now
from games.matches.errors import BadInput, TooMany
from games.matches.fragments.match import draw_notice
from games.matches.threads import in_db_thread

if TYPE_CHECKING:
    from accounts.people.models import User

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

FLOOD = 1008
"""Close code: the page sends far more than a person does."""

NOT_YOURS = 4401
"""Close code: the session by which it was opened is not that person's any more. The page goes to the log-in."""

NOT_HERE = 4404
"""Close code: there is no such match, or it is not open to this person. The page does not try again."""

CROWDED = 4429
"""Close code: so many pages of one person, or from one address, are open already. The page asks by requests."""

LATER = 4503
"""Close code: the database is away. The page tries again by itself, later and later."""

RESTART = 1012
"""Close code: this process ends, and others go on. The page connects again at a random moment."""

CLOSE_SOON = "house.closes"
"""The server's word to a consumer, in the order of what came over the socket: close it now (`house_closes`)."""

ACTS_PER_10_S = 60
"""Messages of one socket that are looked at; a person needs a few."""

KNOWN_FOR_S = 30.0
"""After so long, a push first looks whether the person is still logged in; an act always does, and so does everybody
who hears that something has changed with the person. This is for when no such word gets through."""

# Open sockets of this process by address, and by person: each process counts for itself, since a count that outlives
# a process that dies would lock people out. The limits are settings.
_open: Counter[Hashable] = Counter()


class Terms(NamedTuple):
    """The language and time zone of a reader, as they are set in a context in which this thread draws."""

    user: User | None
    thread: int
    context: Context


class PersonSocket(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One page's socket: a person's or a guest's. Once it is not that person's any more, it is closed."""

    user: User | None
    invited = False
    language: str
    kind: str
    groups_joined: Sequence[str] = ()
    _parted = False
    _terms: Terms | None = None
    _ended = False
    _counted: Sequence[Hashable] = ()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """As a consumer does, without a channel of its own in the layer: what is announced comes from the hub.

        Channels would look after old database connections at every message, which takes longer than most of them.
        """
        self.scope, self.base_send = scope, send
        arrivals = self._arrivals = Arrivals(receive, self._note_arrival)
        try:
            with metrics.SOCKETS.labels(self.kind).track_inprogress():
                while True:
                    await self.dispatch(await arrivals.next())
        except StopConsumer:
            pass
        finally:  # also of a socket that has died by a mistake: its groups would be told for ever
            arrivals.end()
            self._count_out()
            self._leave_groups()

    def _note_arrival(self, message: Message) -> bool:
        """Called the moment something comes from the page; whether it is to be dispatched."""
        return True

    def hear(self, message: Message) -> None:
        """An announcement: it is dispatched when its turn comes."""
        self._arrivals.slip_in(message)

    async def dispatch(self, message: Message) -> None:
        handler = getattr(self, get_handler_name(message), None)
        if handler is None:
            raise ValueError(f"no handler for {message['type']}")
        try:
            await handler(message)
        except AWAY as error:
            tell_of(logger, error, "a socket could not be served")
            await self.close(code=LATER)
            return
        await self._end_if_parted()

    async def websocket_disconnect(self, message: Message) -> None:
        await self.disconnect(message["code"])
        raise StopConsumer

    async def send(self, *args: Any, **kwargs: Any) -> None:
        """Whoever has hung up needs no news; the consumer hears of it a little after the server does."""
        if self._ended:
            return
        with suppress(Disconnected):
            await super().send(*args, **kwargs)

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        """Once: what else is under way may want to close it too."""
        if self._ended:
            return
        self._ended = True
        await super().close(code=code, reason=reason)

    async def house_closes(self, event: dict[str, Any]) -> None:
        """This process has been told to end. Whatever came over the socket before this has been answered."""
        await self.close(code=RESTART)

    async def person_changed(self, event: dict[str, Any]) -> None:
        """Something has changed with the person, or with one of their sessions: whether this one is theirs still."""
        try:
            await in_db_thread(self._meet_again, known_for=0)
        except Exception as error:  # the next push looks
            tell_of(logger, error, "could not look whose socket it is")
            return
        if self.user is not None:
            await self._show_person()

    async def _show_person(self) -> None:
        """Draw what depends on the person alone, who has changed."""

    async def _join_groups(self) -> None:
        for group in self.groups_joined:
            await hub().join(group, self)

    def _leave_groups(self) -> None:
        for group in self.groups_joined:
            hub().leave(group, self)

    def _own_groups(self) -> list[str]:
        return [] if self.user is None else [person_group(self.user.pk)]

    def _meet(self) -> None:
        remember_server_loop()
        self.user = self.scope["visitor"].user
        # Not known yet: who they are was looked up before the groups were joined, and what was said in between is lost.
        self._known_at = monotonic() - KNOWN_FOR_S
        self._heard: deque[float] = deque()
        self.language = offered_language(self.query.get("lang", ""))

    def _meet_again(self, *, known_for: float = KNOWN_FOR_S) -> None:
        """Somebody who has logged out, or was barred, is nobody from now on. Runs in a database thread."""
        if self._known_long_ago(known_for) and self.user is not None:
            self.user = person_now(self.user, self.scope["visitor"].session_key)
            self.invited = self.invited and self.user is not None
            self._parted = self.user is None
            self._known_at = monotonic()

    def _known(self) -> Known | None:
        """Who they were found to be when looked up last; None where that has to be done again before an act."""
        key, user = self.scope["visitor"].session_key, self.user
        if user is None or user.mark_known is None or key is None or connection.vendor != "postgresql":
            return None
        return Known(key, user.pk, user.mark_known)

    def _for_reader(self, draw: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `draw` gives when called in the reader's language, with the times of their zone."""
        terms, user, thread = self._terms, self.user, get_ident()
        # They may have chosen another zone; and what Django has noted in a context counts in that thread alone.
        if terms is None or terms.user is not user or terms.thread != thread:
            terms = Terms(user, thread, Context())
            terms.context.run(show_to, user, language=self.language, cookies=self.scope.get("cookies"))
            self._terms = terms
        return terms.context.run(draw, *args, **kwargs)

    def _known_long_ago(self, known_for: float = KNOWN_FOR_S) -> bool:
        return self.user is not None and monotonic() - self._known_at >= known_for

    async def _end_if_parted(self) -> None:
        if self._parted:
            await self.close(code=NOT_YOURS)

    async def _has_room(self) -> bool:
        """Count this socket; whether it may stay. One too many is told so and closed; the page goes on by requests."""
        limits: list[tuple[Hashable, int]] = []
        if address := address_in(self.scope):
            limits.append((("address", address), settings.SOCKETS_PER_ADDRESS))
        if self.user is not None:
            limits.append((("person", self.user.pk), settings.SOCKETS_PER_PERSON))
        if all(_open[who] < most for who, most in limits):
            self._counted = [who for who, _most in limits]
            _open.update(self._counted)
            return True
        with translation.override(self.language):
            await self.send(text_data=draw_notice(TooMany(what="sockets")))
        await self.close(code=CROWDED)
        return False

    def _count_out(self) -> None:
        for who in self._counted:
            _open[who] -= 1
            if not _open[who]:
                del _open[who]
        self._counted = ()

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
            metrics.FLOODS.inc()
            with translation.override(self.language):
                await self.send(text_data=draw_notice(BadInput(what="rate")))
            await self.close(code=FLOOD)

    @property
    def query(self) -> dict[str, str]:
        fields = parse_qsl(self.scope.get("query_string", b"")[:500].decode("latin-1"))
        return dict(fields)
