"""When reports are believed without a moderator: pure arithmetic, without the database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

OLD_ENOUGH = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Reporter:
    """What counts of somebody who reports."""

    since: datetime
    muted: bool
    upheld: int
    dismissed: int


def is_credible(reporter: Reporter, moment: datetime) -> bool:
    """Whether this person is believed: not new, not muted, and right in at least half of what was decided.

    Of whom nothing was decided yet has not been wrong.
    """
    return moment - reporter.since > OLD_ENOUGH and not reporter.muted and reporter.upheld >= reporter.dismissed


def independent(reports: Iterable[tuple[int, int]]) -> int:
    """How many of these reports, as (reporter, match), come from different people and different matches at once."""
    matches: dict[int, set[int]] = {}
    for reporter, match in reports:
        matches.setdefault(reporter, set()).add(match)
    taken: dict[int, int] = {}

    def finds_one(reporter: int, tried: set[int]) -> bool:
        for match in matches[reporter] - tried:
            tried.add(match)
            if match not in taken or finds_one(taken[match], tried):
                taken[match] = reporter
                return True
        return False

    return sum(finds_one(reporter, set()) for reporter in matches)
