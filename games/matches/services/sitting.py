"""A match that is changed in memory and saved with its log: under its lock, or on condition that it is as known."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

from django.db import connection, transaction

from games.contract.rules import Rules
from games.contract.values import SPECTATOR, Event
from games.matches import clock, metrics, rows, wakeup
from games.matches.callers import Caller, Known, still_known
from games.matches.errors import NotFound, NotRunning, NotSeated, NotWaiting, Refused
from games.matches.events import Change, announce
from games.matches.log import dump_event, new_entry
from games.matches.models import LogEntry, Match, Move, Outage, Seat
from games.matches.services.clocks import spend_time
from games.matches.services.outages import counted, notice_outage
from games.matches.snapshots import Snapshot, brought_up, forget_snapshot, keep_snapshot, kept_snapshot, next_snapshot

M = TypeVar("M", Match, Seat)

CHANCE = secrets.SystemRandom()


class NotAsKnown(Exception):
    """What is to be done takes more than what is known: the person has to be looked up again, and the match locked."""


class Sitting:
    """One match while its row is locked. Changes are made on the objects; the end of the lock writes them.

    Also one without the lock (`change_match`), at which nothing else than the match itself may be changed.

    In real time what others must not notice (a claim that waits) is written without a new version.
    """

    def __init__(
        self, match: Match, seats: list[Seat], *, known: Snapshot | None = None, is_locked: bool = True
    ) -> None:
        """With `known` the match is as that snapshot shows it, and its position need not be loaded."""
        self.match = match
        self._is_locked = is_locked
        self._arrived: datetime | None = None
        self.seats = seats
        self._known = known
        self._position: Any = known.position if known is not None else None
        self._loaded: Any = self._position
        self._match_before = rows.kept_values(match)
        self._seats_before = [rows.kept_values(seat) for seat in seats]
        self._new_moves: list[Move] = []
        self._new_entries: list[LogEntry] = []
        self._altered: dict[int, Seat] = {}
        self._changed = False
        self._stored = False
        self._rescheduled = False
        self._in_lobby = False
        # Whoever gets up now hears of it as well: their half of the lobby changes.
        self._told = {seat.user_id for seat in seats if seat.user_id is not None}
        self._told_alone: tuple[int, ...] = ()
        self._seen: Any = self._position
        self.refusal: Refused | None = None

    @property
    def rules(self) -> Rules[Any, Any, Any]:
        """Raises `UnknownGame` if the game's folder is gone; such a match can only be voided."""
        return self.match.game.rules

    @property
    def in_real_time(self) -> bool:
        return self.rules.info.real_time

    @property
    def position(self) -> Any:
        """The position as it stands."""
        if self._position is None:
            self._position = self._loaded = self._seen = self.rules.load(self.match.position or {})
        return self._position

    def begin(self, position: Any) -> None:
        """The first position: everybody may know that the match has begun."""
        self._position = position
        self._seen = position
        self._find_who_is_to_move()

    @property
    def running(self) -> bool:
        return self.match.status == Match.Status.RUNNING

    def seat_of(self, caller: Caller) -> Seat:
        """The caller's seat. Raises `NotSeated`, also for who has left; `NotRunning` if that was the match's end."""
        seat = self.seat_held_by(caller)
        if not seat.is_present:
            # Whose clock ran out while the move was on its way has not lost the seat alone.
            raise NotSeated if self.running else NotRunning
        return seat

    def seat_held_by(self, caller: Caller) -> Seat:
        """The seat that the caller plays, or has played until they left. Raises `NotSeated`."""
        user = caller.require_user()
        seat = next((seat for seat in self.seats if seat.user_id == user.pk), None)
        if seat is None:
            raise NotSeated
        return seat

    def require_running(self) -> None:
        if not self.running:
            raise NotRunning

    def require_waiting(self) -> None:
        if self.match.status != Match.Status.TABLE:
            raise NotWaiting

    def refuse(self, refusal: Refused) -> None:
        """Nothing comes of what was asked, but what was due before stays done: raised once that is committed."""
        self.require_lock()
        self.refusal = refusal

    def require_lock(self) -> None:
        """What follows changes more than the match, or is told to somebody, and what this process knows may be old.
        Raises `NotAsKnown` where the lock is not held."""
        if not self._is_locked:
            raise NotAsKnown

    def counted(self, arrived: datetime) -> datetime:
        """The moment of an act as it counts: see `outages.counted`. Without the lock it is looked at on writing."""
        if self._is_locked:
            return counted(arrived)
        self._arrived = arrived
        return arrived

    def match_time(self, moment: datetime) -> int:
        """Match time at that moment in ms, never before what the match has reached."""
        return max(self.match.milliseconds(moment), self.match.reached)

    def seats_to_move(self, kind: str) -> list[Seat]:
        """The seats of that kind that may act now."""
        return [self.seats[index] for index in self.rules.to_move(self.position) if self.seats[index].kind == kind]

    def sees_news(self, seat: Seat) -> bool:
        """Whether the seat sees the game in real time differently than when all last looked."""
        if not self.in_real_time or self._seen is self.position:
            return False
        view = self.rules.view
        return bool(view(self._seen, seat.index) != view(self.position, seat.index))

    def all_have_seen(self) -> None:
        """Who plays by what is seen has looked at the position as it stands."""
        self._seen = self.position

    # What changes

    def play(self, seat: Seat, move: Any, *, arrived: datetime, lag: int = 0, key: str = "") -> None:
        """Play a move for the seat and append it to the log. Raises `IllegalMove`, and then nothing has changed."""
        stamped = self.match.milliseconds(arrived)
        at = max(stamped, self.match.reached)
        # Waiting for the lock costs nobody: the rules cap the sum.
        lag = lag + at - stamped if self.in_real_time else 0
        before = self.position
        clocks = self._clocks(at)
        public_text = self.rules.view_move(before, seat.index, move, SPECTATOR)
        self._position, events = self.rules.play(before, seat.index, move, at=at, lag=lag)
        self.match.ply += 1
        self.match.reached = at
        new = Move(
            match=self.match,
            ply=self.match.ply,
            seat=seat.index,
            kind=seat.kind,
            text=self.rules.format_move(move),
            public_text=public_text,
            at=at,
            lag=lag,
            key=key,
            clocks=clocks,
        )
        self._new_moves.append(new)
        self.drop_takeback()
        if self.in_real_time:
            seat.has_claimed = True
            self.note(events)
        else:
            new.events = [dump_event(event) for event in events]
            seat.has_moved = True
            spend_time(self.match, seat, at, earns=self._earns_time(before, move))
            self.touch(self.match.moment_of(at))
        self.keep(seat)
        self._find_who_is_to_move()

    def last_move(self) -> Move | None:
        """The last move that stands."""
        if self._new_moves:
            return self._new_moves[-1]
        return Move.objects.filter(match=self.match, undone=False, ply=self.match.ply).first()

    def rewind(self, position: Any, *, ply: int, at: int) -> None:
        """Stand where so many moves had led, from that match time on; what was done since has been taken back."""
        assert not self._new_moves, "moves are taken back that are stored"
        self._known = None  # what follows from it is to be read anew
        self._position = position
        self.match.ply = ply
        self.match.reached = max(at, self.match.reached)
        for entry in self._new_entries:
            entry.ply = min(entry.ply, ply)
        self._find_who_is_to_move()
        self.touch(self.match.moment_of(at))

    def drop_takeback(self) -> None:
        """Nobody asks any more to take back a move: it was answered, or something else has happened."""
        if self.match.takeback_by is None:
            return
        self.match.takeback_by = None
        for seat in self.seats:
            if seat.allows_takeback:
                seat.allows_takeback = False
                self.keep(seat)

    def tell(self, user_id: int) -> None:
        """Somebody without a seat has something in their own half of the lobby that has changed."""
        self._told.add(user_id)
        self._changed = True

    def advance(self, at: int) -> tuple[Event, ...]:
        """Bring the position to that match time; what happened on the way stands in the log."""
        self._position, events = self.rules.advance(self.position, at)
        self.match.reached = max(at, self.match.reached)
        self._find_who_is_to_move()
        self.note(events)
        return events

    def note(self, events: Iterable[Event]) -> None:
        """Append events of the game to the log that no move of it keeps: in real time all of them."""
        for event in events:
            self._new_entries.append(new_entry(self.match, event))
            if event.audience is None:
                # From now on everybody has had something to do, and the match can't be called off any more.
                for seat in self.seats:
                    seat.has_moved = True
                    self.keep(seat)
                self.touch(self.match.moment_of(event.at))

    def note_act(self, code: str, *, at: int, **params: Any) -> None:
        """Append an act of the house to the log: somebody has left, a clock ran out.

        Of two that meet, the one that had come first may have waited longer for the lock: none stands in the log before
        what it has followed.
        """
        stored = LogEntry.objects.filter(match=self.match, of_house=True).order_by("-pk")[:1]
        at = max([at, *(entry.at for entry in (*stored, *self._new_entries) if entry.of_house)])
        entry = LogEntry(match=self.match, ply=self.match.ply, at=at, of_house=True, code=code, params=params)
        self._new_entries.append(entry)
        self.touch(self.match.moment_of(at))

    def keep(self, seat: Seat) -> None:
        """The seat has changed in play: write it at the end."""
        self._altered[seat.index] = seat

    def reschedule(self, due_at: datetime | None) -> None:
        """The match is to be looked at then; nobody sees it by that."""
        self.match.due_at = due_at
        self._stored = self._rescheduled = True

    def touch(self, moment: datetime, *, in_lobby: bool = False) -> None:
        """Note a change at that moment that everybody may see, and whether the lobby looks different for it."""
        self._changed = True
        self._in_lobby = self._in_lobby or in_lobby
        self.match.touched_at = max(moment, self.match.touched_at)

    def _find_who_is_to_move(self) -> None:
        # In real time it would tell who has a claim waiting; there is no turn to wait for either.
        self.match.to_move = [] if self.in_real_time else list(self.rules.to_move(self.position))

    def _clocks(self, at: int) -> list[int | None] | None:
        if self.match.clock_main is None:
            return None
        return [seat.time_left(at) if seat.clock_left is not None else None for seat in self.seats]

    def _earns_time(self, position: Any, move: Any) -> bool:
        earning = self.match.game.earning
        return earning is None or earning.earns_time(position, move)

    # What is written

    def save(self) -> None:
        """Write what has changed, and announce it on commit. Does nothing without a change.

        Called once, when all is done; `locked_match` does it for what it locks.
        """
        assert self._is_locked
        if not self._counts_up():
            return
        with rows.one_trip():
            rows.write_changes(self.match, self._match_before)
            for seat in self._altered.values():
                rows.write_changes(seat, self._seats_before[seat.index])
            moves, entries = rows.insert_rows(self._new_moves), rows.insert_rows(self._new_entries)
        rows.note_keys(self._new_moves, moves)
        rows.note_keys(self._new_entries, entries)
        self._tell_on_commit()

    def save_if_unchanged(self, person: Known) -> bool:
        """Without the lock: the same in one statement, if person and match are still as they were known, and no outage
        came after the act. Whether they were; else nothing is written."""
        if not self._counts_up():
            return False
        is_written = rows.write_if(
            _as_known(),
            [self._match_before["revision"], self._arrived, *person],
            (self.match, self._match_before),
            [(seat, self._seats_before[seat.index]) for seat in self._altered.values()],
            [self._new_moves, self._new_entries],
        )
        if is_written:
            self._tell_on_commit()
        return is_written

    def _counts_up(self) -> bool:
        """Whether anything has changed; then the match has its next revision, and where others see it, version."""
        moved_on = self._position is not self._loaded
        if moved_on and self.in_real_time:
            self._told_alone = tuple(seat.user_id for seat in self._tell_apart() if seat.user_id is not None)
        if not (self._changed or self._stored or moved_on or self._altered or self._new_entries):
            return False
        if moved_on:
            self.match.position = self.rules.dump(self._position)
        self.match.revision += 1
        if self._changed:
            self.match.version += 1
        return True

    def _tell_on_commit(self) -> None:
        match = self.match
        people = tuple(sorted({seat.user_id for seat in self.seats if seat.user_id is not None} | self._told))
        change = Change(
            slug=match.slug,
            version=match.version,
            people=people,
            # Of a private match not even the moments are for others.
            in_lobby=self._in_lobby and match.public,
            alone=None if self._changed else self._told_alone,
        )
        transaction.on_commit(lambda: self._tell(change), robust=True)  # a partial has no name to complain of
        if self._rescheduled and match.due_at is not None:
            wakeup.wake_on_commit(match.due_at)

    def _tell(self, change: Change) -> None:
        try:
            self._hand_over()
        finally:
            metrics.count_moves(self.match.game_slug, [move.kind for move in self._new_moves])
            announce(change)

    def _hand_over(self) -> None:
        """It is committed: whoever looks in this process need not load what was just written.

        Unless it has ended, and there is more to load: what it did to the ratings.
        """
        if self._known is None or self.match.finish_number is not None:
            forget_snapshot(self.match.slug)
        else:
            keep_snapshot(
                next_snapshot(
                    self._known, self.match, self.seats, self.position, moves=self._new_moves, entries=self._new_entries
                )
            )

    def _tell_apart(self) -> list[Seat]:
        """Who sees the new position differently: everybody, or else those at the seats returned, each with a new own
        version."""
        if self._loaded is None:
            return []
        before, after, view = self._loaded, self._position, self.rules.view
        if not self._changed and view(before, SPECTATOR) != view(after, SPECTATOR):
            self.touch(self.match.moment_of(self.match.reached))
        if self._changed:
            return []
        heard = {entry.seat for entry in self._new_entries}
        # Whoever has left looks on: what the bot on their seat sees is not for them.
        told = [
            seat
            for seat in self.seats
            if seat.is_present and (seat.index in heard or view(before, seat.index) != view(after, seat.index))
        ]
        for seat in told:
            seat.own_version += 1
            self.keep(seat)
        return told


@contextmanager
def locked_match(*, slug: str, caller: Caller | None = None, skip_locked: bool = False) -> Iterator[Sitting]:
    """One transaction with the match's row locked from its first statement; at its end what was touched is saved.

    Raises `NotFound` if there is no such match, none that the caller may know of, or its game is gone; the house
    calls without one. Raises `NotAsKnown` for one who is only `known`, and is to be looked up first. With `skip_locked`
    a row that somebody else holds counts as none. If the house was down until now, that is recorded first. What is
    raised within takes everything back; `Sitting.refuse` does not.
    """
    if caller is not None and caller.known is not None:
        raise NotAsKnown
    clock.follow_database()
    notice_outage()
    # What others have committed, and nothing of a transaction around this one: that may yet be taken back.
    brings_up = not connection.in_atomic_block
    with transaction.atomic():
        sitting = _lock(slug, skip_locked=skip_locked, brings_up=brings_up)
        match = sitting.match
        if caller is not None and not (match.is_playable and caller.may_see(match, sitting.seats)):
            raise NotFound
        yield sitting
        sitting.save()
    if sitting.refusal is not None:
        raise sitting.refusal


def change_match(act: Callable[[Sitting], None], *, slug: str, caller: Caller) -> None:
    """Do `act` at the match, and store what it has changed. Raises what `locked_match` and `act` raise.

    For a caller who is `known` without a lock, at the match as this process knows it: one statement stores everything,
    if person and match are still so. Where they are not, or the act is refused, or takes more than the match itself,
    nothing has happened: `NotAsKnown`. The errors of that one statement are the database's own.
    """
    if caller.known is not None:
        _change_as_known(act, slug, caller, caller.known)
        return
    with locked_match(slug=slug, caller=caller) as sitting:
        act(sitting)


def _change_as_known(act: Callable[[Sitting], None], slug: str, caller: Caller, person: Known) -> None:
    kept = kept_snapshot(slug)
    if kept is None or connection.in_atomic_block or not _may_change_as_known(kept):
        raise NotAsKnown
    if not caller.is_of_its_people(kept.match, kept.seats):
        raise NotAsKnown
    clock.follow_database()
    notice_outage()
    sitting = Sitting(_copy(kept.match), [_copy(seat) for seat in kept.seats], known=kept, is_locked=False)
    try:
        with connection.execute_wrapper(_ask_nothing):
            act(sitting)
    except Refused as error:
        raise NotAsKnown from error
    if not sitting.save_if_unchanged(person):
        raise NotAsKnown


def _may_change_as_known(kept: Snapshot) -> bool:
    """Not in real time, where each claim is looked up whether it has come before, nor by turns, where vacations are."""
    return _is_in_play(kept) and not kept.match.in_real_time and kept.match.pace == Match.Pace.LIVE


def _ask_nothing(*_query: Any) -> Any:
    """What is read apart from the match may not fit together with it."""
    raise NotAsKnown


def _is_in_play(known: Snapshot) -> bool:
    return known.match.status == Match.Status.RUNNING and known.match.is_playable


def _lock(slug: str, *, skip_locked: bool, brings_up: bool) -> Sitting:
    """A match in play is taken from the snapshot that this process keeps of it, with what others have played since."""
    known = kept_snapshot(slug)
    if known is not None and _is_in_play(known):
        found = rows.ask(_lock_sql(skip_locked), [slug]).fetchone()
        if found is None:
            raise NotFound
        if found[0] != known.match.revision:
            known = brought_up(slug) if brings_up else None
        if known is not None:
            return Sitting(_copy(known.match), [_copy(seat) for seat in known.seats], known=known)
    try:
        match = Match.objects.select_for_update(no_key=True, skip_locked=skip_locked).get(slug=slug)
    except Match.DoesNotExist:
        raise NotFound from None
    return Sitting(match, list(match.seats.select_related("user").order_by("index")))


@cache
def _as_known() -> str:
    # An outage that is recorded while we wait for the row has raised its revision, and so the row tells of it.
    no_outage = f"NOT EXISTS (SELECT FROM {Outage._meta.db_table} WHERE ended_at > %s)"
    return f"revision = %s AND {no_outage} AND {still_known()}"


@cache
def _lock_sql(skip_locked: bool) -> str:
    wait = " SKIP LOCKED" if skip_locked else ""
    lock = f"FOR NO KEY UPDATE{wait}" if connection.features.has_select_for_update else ""
    return f"SELECT revision FROM {Match._meta.db_table} WHERE slug = %s {lock}"  # noqa: S608 - names of our own


def _copy(row: M) -> M:
    """The same row as another object, to be changed while others look at the first."""
    copy = row.__class__.__new__(row.__class__)
    copy.__dict__.update(row.__dict__)
    return copy
