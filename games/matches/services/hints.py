"""Hints: what a bot would do in the asker's seat, and why. Nothing is written by it, and no row is locked.

It is thought of in a process that does nothing else, as bots' moves are: in ours all others would wait meanwhile.
"""

from __future__ import annotations

import logging
from threading import BoundedSemaphore, Lock
from time import monotonic
from typing import NamedTuple

from accounts.people.limits import wait_for
from games.contract.values import Hint
from games.matches import metrics
from games.matches.callers import Caller
from games.matches.errors import NoHint, NotRunning, NotSeated, NotYourTurn, TooOften
from games.matches.hints import why_no_hints
from games.matches.models import Match, Seat
from games.matches.snapshots import Snapshot, snapshot
from games.matches.workers import NoAnswer, adviser

logger = logging.getLogger(__name__)

THINKS_FOR_S = 0.25
"""Until the bot begins no further iteration of its search."""

WAITS_FOR_S = 2.0
"""In each process one hint is thought of at a time; whoever would wait longer for it is asked to come again."""

MOST_WAITING = 3
"""So is whoever comes when so many wait: each of them has one of the few threads (`REQUESTS_AT_ONCE`) that all pages
share."""

_thinking = Lock()
_places = BoundedSemaphore(1 + MOST_WAITING)


class GivenHint(NamedTuple):
    """A hint, and the match as it stood for it."""

    current: Snapshot
    hint: Hint


def give_hint(*, slug: str, caller: Caller) -> GivenHint:
    """What a bot would do now on the caller's seat, from what may be known there.

    Who asks again before anything has changed gets the same. Raises `NotFound`, `NotLoggedIn`, `NotSeated`,
    `NotRunning`, `NotYourTurn`, `NoHint`, `TooOften`.
    """
    current = snapshot(slug=slug, caller=caller, asked_at=monotonic())
    user = caller.require_user()
    seat = current.seat_of(user)
    if seat is None:
        raise NotSeated
    if current.match.status != Match.Status.RUNNING:
        raise NotRunning
    if not seat.is_present:
        raise NotSeated
    refused = why_no_hints(current.match, current.seats, seat.index)
    if refused is not None:
        raise NoHint(what=refused)
    if seat.index not in current.match.game.rules.to_move(current.position):
        raise NotYourTurn
    wait = wait_for(action="hint", user=user, address=caller.address)
    if wait is not None:
        raise TooOften(wait=wait)
    hint = _think(current, seat)
    if hint is None:
        raise NoHint(what="nothing")
    return GivenHint(current, hint)


def _think(current: Snapshot, seat: Seat) -> Hint | None:
    if not _places.acquire(blocking=False):
        raise NoHint(what="busy")
    try:
        return _think_in_turn(current, seat)
    finally:
        _places.release()


def _think_in_turn(current: Snapshot, seat: Seat) -> Hint | None:
    if not _thinking.acquire(timeout=WAITS_FOR_S):
        raise NoHint(what="busy")
    try:
        # Kept with what is drawn of the version: it depends on nothing else.
        key = ("hint", seat.index)
        if key not in current.drawings:
            current.drawings[key] = _hint(current, seat)
        hint: Hint | None = current.drawings[key]
        return hint
    finally:
        _thinking.release()


def _hint(current: Snapshot, seat: Seat) -> Hint | None:
    match = current.match
    view = match.game.rules.view(current.position, seat.index)
    # The same chance in every process and at every asking, whatever else is said or taken back meanwhile; and none that
    # tells of what others may not know: a claim that waits has a revision of its own, and no turn key.
    seed = f"hint {match.slug} {match.game.rules.turn_key(current.position, seat.index)}"
    try:
        return adviser().hint(bot=f"{match.game.package}.bot", view=view, seed=seed, seconds=THINKS_FOR_S)
    except NoAnswer as error:
        logger.error("there was no hint of %s at match %s: %s", match.game.slug, match.slug, error)
        metrics.BOT_FAILURES.labels(match.game.slug, "no hint").inc()
        raise NoHint(what="failed") from None
