"""Writing the log: the one place where an act is entered."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.desk.acts import WHY_LENGTH, ModerationAct
from accounts.desk.errors import ReasonNeeded
from accounts.desk.reports import Report
from accounts.people.models import User
from games.matches.models import Match

BeforeAfter = tuple[dict[str, Any], dict[str, Any]]
"""How things stood before an act and after it, as plain data."""


def write_act(
    *,
    who: User | None,
    what: str,
    moment: datetime,
    why: str = "",
    whom: User | None = None,
    match: Match | None = None,
    report: Report | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    undoes: ModerationAct | None = None,
) -> ModerationAct:
    """Enter an act, within the transaction of what is done; `who` is None for the house.

    `before` and `after` are plain data: ids, times and results, and nobody's name.
    """
    return ModerationAct.objects.create(
        who=who,
        what=what,
        whom=whom,
        match=match,
        report=report,
        why=why,
        before=dict(before or {}),
        after=dict(after or {}),
        at=moment,
        undoes=undoes,
    )


def clean_why(why: str) -> str:
    """The reason as it is stored and told. Raises `ReasonNeeded` for none, and one that is too long."""
    said = " ".join(why.replace("\0", "").split())
    if not said or len(said) > WHY_LENGTH:
        raise ReasonNeeded
    return said
