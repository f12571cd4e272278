"""Outages: while the house is down match time stands still, for every match that runs, by the same span.

Keepers beat each second. Whoever first finds the last beat older than `DOWN_AFTER`, a keeper before it settles or
anybody before they touch a match, records the outage and moves all that runs. The heartbeat is locked before any
match, and never while one is held.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from games.matches import clock, rows
from games.matches.events import announce_resumed
from games.matches.models import Heartbeat, Match, Outage, Seat

BEAT_EVERY = timedelta(seconds=1)

DOWN_AFTER = timedelta(seconds=5)
"""A shorter gap is none: what was due in it is settled at its true time."""

KNOWN_FOR = 2 * BEAT_EVERY
"""A beat that old is read again before it is believed to be the last one."""

WAITED = timedelta(milliseconds=100)
"""Who was served sooner has not waited through an outage on the way."""

THE_ONE = 1
"""The key of the only heartbeat."""

# The last beat that this process knows of.
_known: datetime | None = None


def beat() -> None:
    """A keeper says that the house is open; after an outage it first records that. Costs one UPDATE a second."""
    global _known
    moment, known = clock.now(), _known  # other threads may know more in between
    if known is not None and timedelta(0) <= moment - known < BEAT_EVERY:
        return
    # In one statement: a beat must never cover up a gap that somebody else is about to find.
    alive = Heartbeat.objects.filter(pk=THE_ONE, beat_at__range=(moment - DOWN_AFTER, moment + DOWN_AFTER))
    if alive.update(beat_at=moment):
        _known = moment
    else:
        _known = None
        _resume()


def notice_outage() -> None:
    """Look whether the house was down until now, before a match is locked. Usually costs nothing.

    Without any beat there never was a keeper, and so no outage.
    """
    global _known
    moment, known = clock.now(), _known
    if known is not None and abs(moment - known) <= KNOWN_FOR:
        return
    _known = known = Heartbeat.objects.filter(pk=THE_ONE).values_list("beat_at", flat=True).first()
    if known is not None and moment - known > DOWN_AFTER:
        _known = None
        _resume()


def counted(moment: datetime) -> datetime:
    """The same moment, unless an outage came after it: then the one that has its match time since.

    For acts that waited through an outage on their way. Time stood still from the beginning of it to its end; what
    came before the beginning counts as that much before the end.
    """
    if clock.now() - moment < WAITED:
        return moment
    # On a busy machine every act has waited: this is asked for each of them.
    for outage in rows.read(Outage, "WHERE ended_at > %s ORDER BY began_at", [moment]):
        moment = outage.ended_at - max(timedelta(0), outage.began_at - moment)
    return moment


def _resume() -> None:
    """Set the heartbeat to now, whatever it was; if that was too long ago, record the outage and let matches go on."""
    # Our own clock may have been set, and the house never have been down: by the database's it is decided.
    clock.follow_database(at_once=True)
    with transaction.atomic():
        heartbeat = Heartbeat.objects.select_for_update().filter(pk=THE_ONE).first()
        moment = clock.now()
        if heartbeat is None:
            Heartbeat.objects.bulk_create([Heartbeat(pk=THE_ONE, beat_at=moment)], ignore_conflicts=True)
            return
        # Whoever waited for the lock finds that somebody else was here first. A clock that was set back gives no time
        # back: matches wait where they are until it has caught up.
        if moment - heartbeat.beat_at > DOWN_AFTER:
            _shift_matches(Outage.objects.create(began_at=heartbeat.beat_at, ended_at=moment))
        Heartbeat.objects.filter(pk=THE_ONE).update(beat_at=moment)


def _shift_matches(outage: Outage) -> None:
    """Let match time go on from where it stood. Nobody counts as absent in a round that the outage has cut."""
    length = outage.ended_at - outage.began_at
    running = Match.objects.filter(status=Match.Status.RUNNING)
    # With a new version, since all pages count down from the epoch.
    running.update(
        epoch=F("epoch") + length,
        due_at=F("due_at") + length,
        version=F("version") + 1,
        revision=F("revision") + 1,
    )
    Seat.objects.filter(match__in=running).update(has_claimed=True)
    transaction.on_commit(announce_resumed, robust=True)
