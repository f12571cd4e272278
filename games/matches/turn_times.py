"""When a mail about one's turns goes. Pure: times come in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

MAIL_AFTER = timedelta(minutes=15)
"""So long it has been one's turn, and so long one was at no page, when it is written about."""

MAILS_APART = timedelta(hours=1)
"""At most one mail in that time; and one more that little is left."""

WARN_AT = 5
"""By turns: that is written when the fifth part of the time for the move is left."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that waits: since when, from when on little is left of its time (None: never), and what was written."""

    since: datetime
    warn_from: datetime | None = None
    told: bool = False
    warned: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """Of a person: when they were last at a page, and last written to."""

    seen_at: datetime | None = None
    mailed_at: datetime | None = None
    warned_at: datetime | None = None


def next_mail(turns: Iterable[Turn], known: Known) -> datetime | None:
    """When the next mail goes if nothing changes until then; None: there is nothing to write."""
    waiting = list(turns)
    return min(filter(None, (_reminder_at(waiting, known), _warning_at(waiting, known))), default=None)


def is_warning(turns: Iterable[Turn], known: Known, moment: datetime) -> bool:
    """Whether a mail of that moment says that little time is left."""
    warning_at = _warning_at(list(turns), known)
    return warning_at is not None and warning_at <= moment


def _reminder_at(turns: list[Turn], known: Known) -> datetime | None:
    first = min((turn.since for turn in turns if not turn.told), default=None)
    if first is None:
        return None
    return _latest(_when_away(first, known), _apart(known.mailed_at), _apart(known.warned_at))


def _warning_at(turns: list[Turn], known: Known) -> datetime | None:
    first = min((turn.warn_from for turn in turns if turn.warn_from is not None and not turn.warned), default=None)
    if first is None:
        return None
    away = known.seen_at + MAIL_AFTER if known.seen_at is not None else None
    return _latest(first, away, _apart(known.warned_at))


def _when_away(since: datetime, known: Known) -> datetime:
    return _latest(since, known.seen_at) + MAIL_AFTER


def _apart(last: datetime | None) -> datetime | None:
    return last + MAILS_APART if last is not None else None


def _latest(first: datetime, *others: datetime | None) -> datetime:
    return max(filter(None, (first, *others)))
