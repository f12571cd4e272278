"""One match as it stands, loaded once in a process for all who look, and kept as long as it is the newest."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import uniform
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from django.contrib.auth import get_user_model
from django.db.models import F, Window
from django.db.models.functions import RowNumber

from games.contract.values import OPEN, SPECTATOR, Viewer
from games.matches import rows
from games.matches.callers import Caller
from games.matches.errors import NotFound
from games.matches.models import Invitation, LogEntry, Match, Move, RatingChange, Seat
from games.matches.pieces import Drawn, Pieces
from games.matches.selectors import seats_with_people

if TYPE_CHECKING:
    from accounts.people.models import User

T = TypeVar("T")

TAIL = 12
"""Moves that the match page shows in words; the replay has them all."""

KEPT = 1000
"""Snapshots kept in a process: those of the matches under way are worth most."""

NAMES_KEPT_S = (30.0, 60.0)
"""Who takes another name, or deletes the account, changes no match: after so long it is looked up for a push, at a
moment by chance, so that matches which have begun together are not all looked up together. A page that is loaded always
looks."""

REVISION = f"SELECT revision FROM {Match._meta.db_table} WHERE id = %s"  # noqa: S608 - a name of our own

MOVES_SINCE = "WHERE match_id = %s AND id >= %s AND NOT undone ORDER BY ply"
"""Those that stand, from one on that stood."""

ENTRIES_AFTER = "WHERE match_id = %s AND id > %s ORDER BY id"

PEOPLE_OF = f"WHERE id IN (SELECT user_id FROM {Seat._meta.db_table} WHERE match_id = %s)"  # noqa: S608

TRIES = 5
"""Looks at a match that changes again and again while it is loaded; the next push brings what the last one missed."""


class Stamp(NamedTuple):
    """Orders what one person is shown: the version of the match, and within it that of the own seat."""

    version: int
    own: int


@dataclass(frozen=True)
class Snapshot:
    """One version of a match, loaded once per process for all who look; nobody changes it.

    `moves` are the last `TAIL` that stand, oldest first; `entries` the last of the log's other entries, of those for
    everybody and of those for each seat; `changes` what a rated match did to the ratings, in the order of seats.
    `invitations` are those by name, while the table waits; `rematch` is what came after it, once it is over.
    `drawings` keeps what has been drawn of it, `pieces` what of that may look the same in the next version.
    """

    match: Match
    seats: tuple[Seat, ...]
    moves: tuple[Move, ...]
    entries: tuple[LogEntry, ...] = ()
    changes: tuple[RatingChange, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    rematch: Match | None = None
    drawings: dict[Hashable, Any] = field(default_factory=Drawn, repr=False)
    pieces: Pieces = field(default_factory=Pieces, repr=False)
    names_until: float = field(default_factory=lambda: names_good_until(monotonic()), repr=False)
    _found_lately: dict[str, tuple[float, Any]] = field(default_factory=dict, repr=False)
    _looking: Lock = field(default_factory=Lock, repr=False, compare=False)

    @cached_property
    def position(self) -> Any:
        return self.match.game.rules.load(self.match.position or {})

    @property
    def version(self) -> int:
        return self.match.version

    @cached_property
    def recomputing(self) -> bool:
        """Whether what it did to the ratings is about to be written anew."""
        return any(_is_stale(change) for change in self.changes)

    def is_good_for(self, at_least: int) -> bool:
        """Whether a push that brings that version or a later one may show this."""
        return self.version >= at_least and monotonic() < self.names_until

    def note_read(self, moment: float) -> None:
        """It has been compared with what was stored at that moment (`monotonic`): the people are still called so."""
        object.__setattr__(self, "names_until", names_good_until(moment))

    def lately(self, what: str, look: Callable[[], T], *, since: float) -> T:
        """What a look has found that began at that moment (`monotonic`) or later, whoever of all who have this
        snapshot made it: many wait for a thread at once, and the first one looks for all. Runs in a database thread.
        """
        with self._looking:
            found = self._found_lately.get(what)
            if found is None or found[0] < since:
                found = self._found_lately[what] = (monotonic(), look())
        return cast(T, found[1])

    def stamp_for(self, user: User | None) -> Stamp:
        """What orders the fragments that this person gets."""
        seat = self.seat_of(user)
        return Stamp(self.match.version, seat.own_version if seat is not None else 0)

    @cached_property
    def names(self) -> list[str]:
        """Display names by seat."""
        return [seat.shown_name for seat in self.seats]

    def seat_of(self, user: User | None) -> Seat | None:
        """The seat that this person plays, or played until leaving."""
        return self._seats_by_user.get(user.pk) if user is not None else None

    @cached_property
    def _seats_by_user(self) -> dict[int, Seat]:
        return {seat.user_id: seat for seat in reversed(self.seats) if seat.user_id is not None}

    def viewer_for(self, user: User | None) -> Viewer:
        """What this person may know: all once the match is over, before that the own hand, or what lies open."""
        if self.match.status == Match.Status.OVER:
            return OPEN
        seat = self.seat_of(user)
        return seat.index if seat is not None and seat.is_present else SPECTATOR


_kept: OrderedDict[str, Snapshot] = OrderedDict()
_lock = Lock()


def names_good_until(moment: float) -> float:
    """Until when names that were read at that moment (`monotonic`) may be shown in pushes."""
    return moment + uniform(*NAMES_KEPT_S)


def snapshot(*, slug: str, caller: Caller, at_least: int | None = None, asked_at: float | None = None) -> Snapshot:
    """The match as it stands. Raises `NotFound` if there is none that the caller may know of, or its game is gone.

    With `at_least` a kept one of that version or a later one will do; it saves the load. With `asked_at`, a
    moment of `monotonic`, a kept one that was of the newest revision then or later does for `NAMES_KEPT_S`; it saves
    most of it.
    """
    found = _kept_for(slug, at_least=at_least, asked_at=asked_at)
    if found is None and (asked_at is not None or at_least is not None):
        found = brought_up(slug)
    if found is None:
        found = _load(slug)
    if not (found.match.is_playable and caller.may_see(found.match, found.seats)):
        raise NotFound
    return found


def _kept_for(slug: str, *, at_least: int | None, asked_at: float | None) -> Snapshot | None:
    kept = _kept.get(slug)
    if kept is None:
        return None
    if at_least is not None and kept.is_good_for(at_least):
        return kept
    if asked_at is None or not kept.is_good_for(0):
        return None
    return kept if kept.lately("current", lambda: _is_current(kept.match), since=asked_at) else None


def kept_snapshot(slug: str) -> Snapshot | None:
    """What this process keeps of the match; others may have changed it since."""
    return _kept.get(slug)


def keep_snapshot(found: Snapshot) -> None:
    """Keep it for all who look in this process, unless a newer one is there."""
    slug = found.match.slug
    with _lock:
        current = _kept.get(slug)
        if current is None or current.match.revision <= found.match.revision:
            _kept[slug] = found
            _kept.move_to_end(slug)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)


def forget_snapshot(slug: str) -> None:
    """Whoever looks next loads the match."""
    with _lock:
        _kept.pop(slug, None)


def next_snapshot(
    known: Snapshot,
    match: Match,
    seats: Sequence[Seat],
    position: Any,
    *,
    moves: Sequence[Move],
    entries: Sequence[LogEntry],
) -> Snapshot:
    """What follows from a snapshot of a running match by these new rows of its log: as it would be loaded."""
    found = replace(
        known,
        match=match,
        seats=tuple(seats),
        moves=() if match.in_real_time else (*known.moves, *moves)[-TAIL:],
        entries=_last_of_each((*known.entries, *entries)) if entries else known.entries,
        drawings=Drawn(),
        pieces=Pieces(known.pieces),
        _found_lately={},
        _looking=Lock(),
    )
    found.__dict__["position"] = position
    return found


def keep_for_later(slug: str) -> None:
    """Load the match and keep it while it runs, unless one is kept: whoever calls will lock it soon, with nobody
    looking at it here. Raises `NotFound`."""
    if slug not in _kept and _load(slug).match.status != Match.Status.RUNNING:
        forget_snapshot(slug)


def brought_up(slug: str) -> Snapshot | None:
    """What follows from the kept snapshot of a match in play by what is stored since, in one trip; None where more
    has changed than play does."""
    known = _kept.get(slug)
    if known is None or known.match.status != Match.Status.RUNNING:
        return None
    begun, knows_people = monotonic(), known.is_good_for(0)
    key, shows_moves = known.match.pk, not known.match.in_real_time
    last_move = known.moves[-1].pk if known.moves else 0
    last_entry = known.entries[-1].pk if known.entries else 0
    with rows.one_trip():
        match_row = rows.ask(rows.selection(Match, "WHERE id = %s"), [key])
        seat_rows = rows.ask(rows.selection(Seat, 'WHERE match_id = %s ORDER BY "index"'), [key])
        move_rows = rows.ask(rows.selection(Move, MOVES_SINCE), [key, last_move]) if shows_moves else None
        entry_rows = rows.ask(rows.selection(LogEntry, ENTRIES_AFTER), [key, last_entry])
        people_rows = None if knows_people else rows.ask(rows.selection(get_user_model(), PEOPLE_OF), [key])
        revision = rows.ask(REVISION, [key])
    match = next(iter(rows.rows_of(Match, match_row)), None)
    if match is None or match.status != Match.Status.RUNNING or revision.fetchone() != (match.revision,):
        return None
    seats, people = rows.rows_of(Seat, seat_rows), {seat.user_id: seat.user for seat in known.seats}
    if people_rows is not None:
        people = {None: None, **{user.pk: user for user in rows.rows_of(get_user_model(), people_rows)}}
    if any(seat.user_id not in people for seat in seats):
        return None
    for seat in seats:
        seat.match, seat.user = match, people[seat.user_id]
    moves = rows.rows_of(Move, move_rows) if shows_moves else []
    if known.moves:
        if not moves or moves[0].pk != last_move:
            return None  # moves were taken back
        moves = moves[1:]
    entries = [entry for entry in rows.rows_of(LogEntry, entry_rows) if entry.ply <= match.ply]
    found = next_snapshot(
        known, match, seats, match.game.rules.load(match.position or {}), moves=moves, entries=entries
    )
    if people_rows is not None:
        found.note_read(begun)
    keep_snapshot(found)
    return found


def _last_of_each(entries: Sequence[LogEntry]) -> tuple[LogEntry, ...]:
    """Of those for everybody and of those for each seat the last ones, in order."""
    counts: Counter[int | None] = Counter()
    last = []
    for entry in reversed(entries):
        counts[entry.seat] += 1
        if counts[entry.seat] <= TAIL:
            last.append(entry)
    return tuple(reversed(last))


def _load(slug: str) -> Snapshot:
    """The match as stored, all of one revision: what is committed between two of the queries would tear it."""
    for _ in range(TRIES):
        found = _read(slug)
        # One that was kept is whole already, and asks nothing more.
        if found is _kept.get(slug) or found.match.status != Match.Status.RUNNING or _is_current(found.match):
            break
    keep_snapshot(found)
    return found


def _read(slug: str) -> Snapshot:
    begun = monotonic()
    match = Match.objects.prefetch_related(seats_with_people()).filter(slug=slug).first()
    if match is None:
        raise NotFound
    kept = _kept.get(slug)
    changes, invitations = _changes(match), _invitations(match)
    seats = tuple(match.seats.all())
    if (
        kept is not None
        and kept.match.revision == match.revision
        and _same_ratings(kept.changes, changes)
        # Who takes another name, or deletes the account, changes no match.
        and _people_of(kept.seats, kept.invitations) == _people_of(seats, invitations)
    ):
        kept.note_read(begun)
        return kept
    standing = Move.objects.filter(match=match, undone=False, ply__lte=match.ply)
    moves = () if match.in_real_time else tuple(reversed(standing.order_by("-ply")[:TAIL]))
    return Snapshot(
        match=match,
        seats=seats,
        moves=moves,
        entries=_last_entries(match),
        changes=changes,
        invitations=invitations,
        rematch=_rematch(match),
    )


def _people_of(seats: Iterable[Seat], invitations: Iterable[Invitation]) -> list[tuple[object, ...]]:
    """What is shown of the people at a match that stands at themselves."""
    people = [seat.user for seat in seats]
    people += [person for one in invitations for person in (one.user, one.inviter)]
    return [(one.pk, one.username, one.display_name, one.has_profile) if one else () for one in people]


def _invitations(match: Match) -> tuple[Invitation, ...]:
    if match.status != Match.Status.TABLE:
        return ()
    return tuple(Invitation.objects.filter(match=match).select_related("user", "inviter").order_by("pk"))


def _rematch(match: Match) -> Match | None:
    if match.status not in (Match.Status.OVER, Match.Status.CLOSED):
        return None
    return Match.objects.filter(rematch_of=match).only("slug", "public").first()


def _is_current(match: Match) -> bool:
    found = rows.ask(REVISION, [match.pk]).fetchone()
    return found is not None and bool(found[0] == match.revision)


def _last_entries(match: Match) -> tuple[LogEntry, ...]:
    """The last of those for everybody, and of those for each seat: none of them may push another's out."""
    number = Window(RowNumber(), partition_by=F("seat"), order_by=F("pk").desc())
    entries = LogEntry.objects.filter(match=match, ply__lte=match.ply).annotate(number=number)
    return tuple(entries.filter(number__lte=TAIL).order_by("pk"))


def _changes(match: Match) -> tuple[RatingChange, ...]:
    """What the match did to the ratings: of a finished one, and it may be recomputed without the match changing."""
    if match.finish_number is None:
        return ()
    return tuple(RatingChange.objects.in_force().filter(match=match).select_related("book").order_by("seat"))


def _same_ratings(kept: Sequence[RatingChange], now: Sequence[RatingChange]) -> bool:
    # A line that is recomputed is another line.
    return [(line.pk, _is_stale(line)) for line in kept] == [(line.pk, _is_stale(line)) for line in now]


def _is_stale(change: RatingChange) -> bool:
    return change.book.stale_from is not None and change.book.stale_from <= change.finish_number
