"""What leaving matches comes to: a weight that fades, and above a threshold a pause of rated play. Pure.

Why these numbers: docs/decisions/0021-leavers.md.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

HALVES_AFTER = timedelta(days=7)
"""So long after it an abandonment weighs half as much."""

FORGOTTEN_AFTER = timedelta(days=28)
"""From then on it counts nothing, and neither does a pause."""

EACH_FINISHED = 0.95
"""By so much each rated match that was played to its end since then makes an abandonment lighter."""

THRESHOLD = 2.5
"""Whoever leaves when it comes to so much pauses."""

PAUSES = (timedelta(minutes=30), timedelta(hours=4), timedelta(days=1), timedelta(days=3))
"""How long: by how far it is above the threshold, or by how many pauses there were before, whichever is longer."""

KNOWN_FOR = PAUSES[-1] + 2 * FORGOTTEN_AFTER
"""What is older decides nothing: a pause that lasts is shorter, those of late before it are forgotten, and so is what
they came of."""

LEFT, CALLED_OFF = 1.0, 0.25
BY_TURNS, UNRATED = 0.5, 0.5


@dataclass(frozen=True, slots=True, order=True)
class Abandonment:
    """Somebody has left others alone: when, and what it weighed then."""

    at: datetime
    weight: float


@dataclass(frozen=True, slots=True)
class Account:
    """How somebody stands: how many abandonments count, what they come to, and until when a pause lasts, if any.

    `next_pause` is how long one more would let rated play pause, were it the leaving of a live rated match.
    """

    count: int
    weight: float
    paused_until: datetime | None
    next_pause: timedelta | None


NOTHING = Account(0, 0.0, None, None)


def weight_of(*, called_off: bool, by_turns: bool, rated: bool) -> float:
    """What it weighs to leave such a match, or to call it off before all have moved: at most 1."""
    return (CALLED_OFF if called_off else LEFT) * (BY_TURNS if by_turns else 1) * (1 if rated else UNRATED)


def settle_account(left: Sequence[Abandonment], finished: Sequence[datetime], moment: datetime) -> Account:
    """How somebody stands at that moment who has left so, and finished rated matches at these times.

    All follows from what is known until then, so that an abandonment that counts no more takes its pauses with it.
    """
    known = sorted(one for one in left if one.at <= moment)
    ends = sorted(finished)
    if not known:
        return NOTHING
    pauses: list[tuple[datetime, timedelta]] = []
    for number, one in enumerate(known, 1):
        if pause := _pause(known[:number], ends, one.at, pauses):
            pauses.append((one.at, pause))
    until = max((began + pause for began, pause in pauses), default=None)
    one_more = Abandonment(moment, weight_of(called_off=False, by_turns=False, rated=True))
    return Account(
        count=sum(moment - one.at < FORGOTTEN_AFTER for one in known),
        weight=weight_now(known, ends, moment),
        paused_until=until if until is not None and until > moment else None,
        next_pause=_pause([*known, one_more], ends, moment, pauses),
    )


def weight_now(left: Sequence[Abandonment], ends: Sequence[datetime], moment: datetime) -> float:
    """What the abandonments come to at that moment; `ends` are in order."""
    return sum(_fading(one, ends, moment) for one in left if moment - one.at < FORGOTTEN_AFTER)


def _fading(one: Abandonment, ends: Sequence[datetime], moment: datetime) -> float:
    since = bisect_right(ends, moment) - bisect_right(ends, one.at)
    return float(one.weight * 0.5 ** ((moment - one.at) / HALVES_AFTER) * EACH_FINISHED**since)


def _pause(
    left: Sequence[Abandonment],
    ends: Sequence[datetime],
    moment: datetime,
    before: Sequence[tuple[datetime, timedelta]],
) -> timedelta | None:
    """The pause that begins when the last of these has just happened."""
    above = weight_now(left, ends, moment) - THRESHOLD
    if above < 0:
        return None
    lately = sum(moment - began < FORGOTTEN_AFTER for began, _length in before)
    return PAUSES[min(max(int(above), lately), len(PAUSES) - 1)]
