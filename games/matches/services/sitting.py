"""A match under its lock: loaded, changed in memory, and saved with its moves in one transaction."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.db import transaction

from games.contract.rules import Rules
from games.contract.values import SPECTATOR
from games.matches import clock, wakeup
from games.matches.callers import Caller
from games.matches.errors import NotFound, NotRunning, NotSeated, NotWaiting
from games.matches.events import Change, announce
from games.matches.log import dump_event
from games.matches.models import Match, Move, Seat

BOT_PAUSE_MS = (450, 850)
"""How long a bot seems to think: short, but long enough to see what happened before."""

CHANCE = secrets.SystemRandom()


class Sitting:
    """One match while its row is locked. Changes are made on the objects; the end of the lock writes them."""

    def __init__(self, match: Match, seats: list[Seat]) -> None:
        self.match = match
        self.seats = seats
        self._new_moves: list[Move] = []
        self._changed = False
        self._in_lobby = False

    @property
    def rules(self) -> Rules[Any, Any, Any]:
        """Raises `UnknownGame` if the game's folder is gone; such a match can only be voided."""
        return self.match.game.rules

    @cached_property
    def position(self) -> Any:
        """The stored position; assigned anew by every move."""
        return self.rules.load(self.match.position or {})

    def seat_of(self, caller: Caller) -> Seat:
        """The caller's seat. Raises `NotSeated`, also for who has left."""
        user = caller.require_user()
        for seat in self.seats:
            if seat.user_id == user.pk and seat.is_present:
                return seat
        raise NotSeated

    def require_running(self) -> None:
        if self.match.status != Match.Status.RUNNING:
            raise NotRunning

    def require_waiting(self) -> None:
        if self.match.status != Match.Status.TABLE:
            raise NotWaiting

    # Time and chance

    def schedule(self, moment: datetime) -> None:
        """Say when this match must be looked at next, seen from that moment."""
        waits_for_bot = any(self.seats[index].kind == Seat.Kind.BOT for index in self.match.to_move)
        pause = timedelta(milliseconds=CHANCE.randint(*BOT_PAUSE_MS))
        self.match.due_at = moment + pause if waits_for_bot else None

    def play_bot(self, moment: datetime) -> None:
        """Play one move for a bot whose turn it is, if there is one."""
        bot = self.match.game.bot
        for seat in self._to_move(Seat.Kind.BOT):
            text = bot.choose(self.rules.view(self.position, seat.index), seat.level, CHANCE)
            if text is not None:
                self.play(seat, self.rules.parse_move(text), arrived=moment)
                return

    def play_stand_ins(self, moment: datetime) -> None:
        """Play the seats whose players have left, until it is somebody's turn who is there."""
        bot = self.match.game.bot
        while self.match.status == Match.Status.RUNNING and (seats := self._to_move(Seat.Kind.STAND_IN)):
            text = bot.stand_in(self.rules.view(self.position, seats[0].index), CHANCE)
            if text is None:  # games in real time: a stand-in claims nothing
                return
            self.play(seats[0], self.rules.parse_move(text), arrived=moment)

    def _to_move(self, kind: str) -> list[Seat]:
        return [self.seats[index] for index in self.match.to_move if self.seats[index].kind == kind]

    # What changes

    def play(self, seat: Seat, move: Any, *, arrived: datetime, lag: int = 0, key: str = "") -> None:
        """Play a move for the seat and append it to the log. Raises `IllegalMove`, and then nothing has changed."""
        stamped = self.match.milliseconds(arrived)
        at = max(stamped, self.match.reached)
        # Waiting for the lock costs nobody: the rules cap the sum.
        lag = lag + at - stamped if self.rules.info.real_time else 0
        public_text = self.rules.view_move(self.position, seat.index, move, SPECTATOR)
        self.position, events = self.rules.play(self.position, seat.index, move, at=at, lag=lag)
        if not seat.has_moved:
            seat.has_moved = True
            seat.save(update_fields=["has_moved"])
        self.match.ply += 1
        self.match.reached = at
        self.match.to_move = list(self.rules.to_move(self.position))
        self._new_moves.append(
            Move(
                match=self.match,
                ply=self.match.ply,
                seat=seat.index,
                kind=seat.kind,
                text=self.rules.format_move(move),
                public_text=public_text,
                at=at,
                lag=lag,
                key=key,
                events=[dump_event(event) for event in events],
            )
        )
        self.touch(arrived)

    def touch(self, moment: datetime, *, in_lobby: bool = False) -> None:
        """Note a change at that moment, and whether the lobby's open tables look different for it."""
        self._changed = True
        self._in_lobby = self._in_lobby or in_lobby
        self.match.touched_at = max(moment, self.match.touched_at)

    def save(self) -> None:
        """Write what has changed, one version higher, and announce it on commit. Does nothing without a change.

        Called once, when all is done; `locked_match` does it for what it locks.
        """
        if not self._changed:
            return
        if "position" in self.__dict__:
            self.match.position = self.rules.dump(self.position)
        self.match.version += 1
        self.match.save()
        Move.objects.bulk_create(self._new_moves)
        change = Change(
            slug=self.match.slug,
            version=self.match.version,
            people=tuple(seat.user_id for seat in self.seats if seat.user_id is not None),
            # Of a private match not even the moments are for others.
            in_lobby=self._in_lobby and self.match.public,
        )
        transaction.on_commit(lambda: announce(change), robust=True)
        if self.match.due_at is not None:
            transaction.on_commit(wakeup.wake, robust=True)


@contextmanager
def locked_match(*, slug: str, caller: Caller | None = None, skip_locked: bool = False) -> Iterator[Sitting]:
    """One transaction with the match's row locked from its first statement; at its end what was touched is saved.

    Raises `NotFound` if there is no such match, none that the caller may know of, or its game is gone; the house
    calls without one. With `skip_locked` a row that somebody else holds counts as none.
    """
    clock.follow_database()
    with transaction.atomic():
        try:
            match = Match.objects.select_for_update(no_key=True, skip_locked=skip_locked).get(slug=slug)
        except Match.DoesNotExist:
            raise NotFound from None
        seats = list(match.seats.select_related("user").order_by("index"))
        if caller is not None and not (match.is_playable and caller.may_see(match, seats)):
            raise NotFound
        sitting = Sitting(match, seats)
        yield sitting
        sitting.save()
