"""What is done to a match: voided and restored, ended; and to a table: removed and reopened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.desk.acts import ModerationAct, What
from accounts.desk.errors import CanNotBeUndone, Overtaken
from accounts.desk.reports import Report
from accounts.desk.rights import require_right
from accounts.desk.services.log import BeforeAfter, clean_why, write_act
from accounts.people.models import User
from accounts.people.telling import notify_person
from games.matches.errors import Refused
from games.matches.models import VOIDED, Match
from games.matches.services import results, tables

TOLD = {What.VOID: "match-voided", What.END: "match-ended", What.REMOVE_TABLE: "table-removed"}


def void_match(*, who: User, match: Match, why: str, moment: datetime, report: Report | None = None) -> ModerationAct:
    """It has no result; one that runs ends. Raises `Overtaken` for one that has not begun, or is void already."""
    return _act_at(What.VOID, who, match, why, moment, report)


def end_match(*, who: User, match: Match, why: str, moment: datetime, report: Report | None = None) -> ModerationAct:
    """It ends without a result. Raises `Overtaken` for one that does not run."""
    return _act_at(What.END, who, match, why, moment, report)


def remove_table(*, who: User, match: Match, why: str, moment: datetime, report: Report | None = None) -> ModerationAct:
    """It closes. Raises `Overtaken` for what is no table any more; whom it concerns is its host."""
    return _act_at(What.REMOVE_TABLE, who, match, why, moment, report)


def restore_match(act: ModerationAct, why: str, moment: datetime) -> BeforeAfter:
    """Result and ratings count again. A match that ran when it was voided stays ended."""
    assert act.match is not None
    if act.before["status"] != Match.Status.OVER:
        raise CanNotBeUndone
    with _or_not_at_all():
        results.restore_match(slug=act.match.slug, before=act.before, moment=moment)
    _tell_players(act.match, "match-restored", why, moment)
    return act.after, act.before


def reopen_table(act: ModerationAct, why: str, moment: datetime) -> BeforeAfter:
    """It waits again, with those who sat there."""
    assert act.match is not None
    with _or_not_at_all():
        tables.reopen_table(slug=act.match.slug, moment=moment)
    _tell_players(act.match, "table-restored", why, moment)
    return act.after, act.before


def _act_at(what: What, who: User, match: Match, why: str, moment: datetime, report: Report | None) -> ModerationAct:
    host = match.host if what == What.REMOVE_TABLE else None
    require_right(who, what, whom=host, match=match)
    said = clean_why(why)
    with transaction.atomic():
        before: dict[str, Any]
        try:
            if what == What.VOID:
                before = results.void_match(slug=match.slug, moment=moment)
                if before["reason"] == VOIDED:
                    raise Overtaken
            elif what == What.END:
                results.end_match(slug=match.slug, moment=moment)
                before = {"status": Match.Status.RUNNING}
            else:
                tables.remove_table(slug=match.slug, moment=moment)
                before = {"status": Match.Status.TABLE}
        except Refused:
            raise Overtaken from None
        match.refresh_from_db()
        _tell_players(match, TOLD[what], said, moment)
        after = {"status": match.status, "reason": match.reason}
        return write_act(
            who=who,
            what=what,
            whom=host,
            match=match,
            report=report,
            why=said,
            before=before,
            after=after,
            moment=moment,
        )


@contextmanager
def _or_not_at_all() -> Iterator[None]:
    """What the matches refuse can't be undone."""
    try:
        yield
    except Refused:
        raise CanNotBeUndone from None


def _tell_players(match: Match, code: str, why: str, moment: datetime) -> None:
    """Whoever sits or sat there, in one order for all."""
    for user in User.objects.filter(seats__match=match, deleted_at=None).order_by("pk"):
        notify_person(user=user, code=code, params={"match": match.slug, "reason": why}, moment=moment)
