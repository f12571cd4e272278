"""The reading side: one match as it stands, and the lists of matches that pages show."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils.safestring import SafeString

from games.contract.registry import all_games
from games.contract.values import OPEN, SPECTATOR, Viewer
from games.matches.callers import Caller
from games.matches.errors import NotFound
from games.matches.models import Match, Move, Seat, known_games

if TYPE_CHECKING:
    from accounts.people.models import User

TAIL = 12
"""Moves that the match page shows in words; the replay has them all."""

KEPT = 200
"""Snapshots kept in a process."""


@dataclass(frozen=True)
class Snapshot:
    """One version of a match, loaded once per process for all who look; nobody changes it.

    `moves` are the last `TAIL` that stand, oldest first. `drawings` keeps what has been drawn of it.
    """

    match: Match
    seats: tuple[Seat, ...]
    moves: tuple[Move, ...]
    drawings: dict[Hashable, SafeString] = field(default_factory=dict, repr=False)

    @cached_property
    def position(self) -> Any:
        return self.match.game.rules.load(self.match.position or {})

    @property
    def version(self) -> int:
        return self.match.version

    @property
    def names(self) -> list[str]:
        """Display names by seat."""
        return [seat.shown_name for seat in self.seats]

    def seat_of(self, user: User | None) -> Seat | None:
        """The seat that this person plays, or played until leaving."""
        return next((seat for seat in self.seats if user is not None and seat.user_id == user.pk), None)

    def viewer_for(self, user: User | None) -> Viewer:
        """What this person may know: all once the match is over, before that the own hand, or what lies open."""
        if self.match.status == Match.Status.OVER:
            return OPEN
        seat = self.seat_of(user)
        return seat.index if seat is not None and seat.is_present else SPECTATOR


_kept: OrderedDict[str, Snapshot] = OrderedDict()
_lock = Lock()


def snapshot(*, slug: str, caller: Caller, at_least: int | None = None) -> Snapshot:
    """The match as it stands. Raises `NotFound` if there is none that the caller may know of, or its game is gone.

    With `at_least` a kept one of that version or a later one will do; it saves the load.
    """
    kept = _kept.get(slug)
    found = kept if kept is not None and at_least is not None and kept.version >= at_least else _load(slug)
    if not (found.match.is_playable and caller.may_see(found.match, found.seats)):
        raise NotFound
    return found


def _load(slug: str) -> Snapshot:
    match = Match.objects.prefetch_related(_people()).filter(slug=slug).first()
    if match is None:
        raise NotFound
    kept = _kept.get(slug)
    if kept is not None and kept.version == match.version:
        return kept
    # Moves of a later version may be there already: this one ends at its own ply.
    standing = Move.objects.filter(match=match, undone=False, ply__lte=match.ply)
    moves = tuple(reversed(standing.order_by("-ply")[:TAIL]))
    found = Snapshot(match=match, seats=tuple(match.seats.all()), moves=moves)
    with _lock:
        current = _kept.get(slug)
        if current is None or current.version < found.version:
            _kept[slug] = found
            _kept.move_to_end(slug)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return found


def open_tables(*, limit: int = 50) -> list[Match]:
    """Public tables that wait for people, newest first."""
    return list(_with_seats(_open()).order_by("-created_at")[:limit])


def open_table_count() -> int:
    """How many public tables wait for people."""
    return _open().count()


def public_matches(*, limit: int = 20) -> list[Match]:
    """Public matches under way, for who would like to look on."""
    running = Match.objects.filter(status=Match.Status.RUNNING, public=True)
    return list(_with_seats(running).order_by("-touched_at")[:limit])


def own_matches(*, user: User) -> list[Match]:
    """The person's tables and running matches, those that wait for them first."""
    under_way = [Match.Status.TABLE, Match.Status.RUNNING]
    mine = Match.objects.filter(seats__user=user, seats__kind=Seat.Kind.PERSON, status__in=under_way)
    found = list(_with_seats(mine).order_by("-touched_at"))
    return sorted(found, key=lambda match: not is_to_move(match, user))


def is_to_move(match: Match, user: User) -> bool:
    """Whether it is this person's turn."""
    return any(seat.index in match.to_move and seat.user_id == user.pk for seat in match.seats.all())


def finished_matches(
    *, user: User, viewer: User | None, before: tuple[datetime, int] | None = None, limit: int = 20
) -> list[Match]:
    """Matches that this person has finished, newest first, after the cursor `before` (finish time and id).

    Private matches are listed for those who sat there.
    """
    found = _finished(user, viewer)
    if before is not None:
        finished_at, pk = before
        found = found.filter(Q(finished_at__lt=finished_at) | Q(finished_at=finished_at, pk__lt=pk))
    return list(_with_seats(found).order_by("-finished_at", "-pk")[:limit])


def standing_moves(*, match: Match) -> list[Move]:
    """All moves of the match that stand, in order."""
    return list(Move.objects.filter(match=match, undone=False, ply__lte=match.ply).order_by("ply"))


def finished_counts(*, user: User, viewer: User | None) -> Sequence[tuple[str, int]]:
    """Of each game that the person has finished matches of: its title, and how many that the viewer may know of."""
    rows = _finished(user, viewer).values_list("game_slug")
    counts = dict(rows.annotate(number=Count("pk")).order_by("game_slug"))
    return [(game.info.title, counts[game.slug]) for game in all_games() if game.slug in counts]


def _finished(user: User, viewer: User | None) -> QuerySet[Match]:
    visible = Q(public=True)
    if viewer is not None:
        visible |= Q(pk__in=Seat.objects.filter(user=viewer).values("match"))
    return Match.objects.filter(visible, seats__user=user, status=Match.Status.OVER)


def _open() -> QuerySet[Match]:
    return Match.objects.filter(status=Match.Status.TABLE, public=True, game_slug__in=known_games())


def _with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    # Without the position: lists show none, and it is the largest column.
    return matches.filter(game_slug__in=known_games()).defer("position", "deal").prefetch_related(_people())


def _people() -> Prefetch[str]:
    return Prefetch("seats", queryset=Seat.objects.select_related("user").order_by("index"))
