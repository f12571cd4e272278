"""Each process looks by itself now and then whether what its pages show is what is stored.

Announcements come at once, but may be lost: with the process that would have sent them, or while Redis is away. One
look costs two queries, three where something has changed, however many pages are open.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from games.matches import metrics
from games.matches.away import tell_of
from games.matches.models import ChatLine, Match, Seat
from games.matches.threads import in_lobby_thread

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 3.0

LINES = 200
"""Of chat, that one look goes through: more than the house says between two looks."""


class Stored(NamedTuple):
    """How fresh a match is in the database. `line` is what was said last, if that is not long ago; `own` are the own
    versions by person, of those who have one.
    """

    version: int
    revision: int
    line: int
    own: dict[int, int]


class Watcher(Protocol):
    """One page's socket."""

    def match_is_at(self, stored: Stored, before: Stored | None) -> None:
        """Told at each look, with what was found at the one before. Must not wait."""


class Lookout:
    """Of one event loop: looks as long as there are pages that watch."""

    def __init__(self) -> None:
        self._watchers: defaultdict[str, set[Watcher]] = defaultdict(set)
        self._known: dict[str, Stored] = {}
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def watched_by(self, watcher: Watcher, slug: str) -> Iterator[None]:
        """While that page is open."""
        self._watchers[slug].add(watcher)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look_on(), name="lookout")
        try:
            yield
        finally:
            self._watchers[slug].discard(watcher)
            if not self._watchers[slug]:
                del self._watchers[slug]
                self._known.pop(slug, None)
            if not self._watchers:
                self._looking.cancel()
                self._looking = None
                _lookouts.pop(asyncio.get_running_loop(), None)

    def count(self) -> int:
        """How many pages watch. From any thread."""
        return sum(map(len, list(self._watchers.values())))

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            try:
                found = await in_lobby_thread(_stored, list(self._watchers), dict(self._known))
            except Exception as error:  # the next look may be luckier
                tell_of(logger, error, "could not look whether pages show what is stored")
                continue
            for slug, stored in found.items():
                before = self._known.get(slug)
                if slug in self._watchers:
                    self._known[slug] = stored
                for watcher in list(self._watchers.get(slug, ())):
                    watcher.match_is_at(stored, before)


_lookouts: dict[asyncio.AbstractEventLoop, Lookout] = {}


def lookout() -> Lookout:
    """The one of the running loop."""
    return _lookouts.setdefault(asyncio.get_running_loop(), Lookout())


metrics.WATCHERS.set_function(lambda: sum(one.count() for one in list(_lookouts.values())))


def _stored(slugs: list[str], known: dict[str, Stored]) -> dict[str, Stored]:
    """How these matches stand. Runs in a database thread."""
    # Of the whole house the last few: what has been said since the last look is among them.
    lines: dict[str, int] = {}
    for slug, line in ChatLine.objects.order_by("-pk").values_list("match__slug", "pk")[:LINES]:
        lines.setdefault(slug, line)
    rows = list(Match.objects.filter(slug__in=slugs).values_list("slug", "version", "revision"))
    changed = [slug for slug, _, revision in rows if slug not in known or known[slug].revision != revision]
    own: defaultdict[str, dict[int, int]] = defaultdict(dict)
    if changed:
        seats = Seat.objects.filter(match__slug__in=changed, own_version__gt=0, user__isnull=False)
        for slug, user_id, version in seats.values_list("match__slug", "user_id", "own_version"):
            own[slug][user_id] = version
    found = {}
    for slug, version, revision in rows:
        before = known.get(slug)
        said_before = before.line if before is not None else 0
        kept = before.own if before is not None and slug not in changed else own[slug]
        found[slug] = Stored(version, revision, lines.get(slug, said_before), kept)
    return found
