"""Reports: written by anybody, decided by moderators, and opened again."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.desk.acts import ModerationAct, What
from accounts.desk.errors import (
    CanNotBeUndone,
    NotAllowed,
    Oneself,
    Overtaken,
    Protected,
    ReportedAlready,
    ReportsTooOften,
)
from accounts.desk.reports import TEXT_LENGTH, Report
from accounts.desk.rights import may_decide, may_do
from accounts.desk.services.care import care_for
from accounts.desk.services.log import BeforeAfter, clean_why, write_act
from accounts.desk.targets import Target
from accounts.people.limits import within_limit
from accounts.people.models import User
from accounts.people.telling import notify_person


def file_report(
    *, by: User, about: User, target: Target, reason: str, text: str, moment: datetime, address: str | None = None
) -> Report:
    """Write it down for the moderators; it may be the one that mutes the person at once (`care.py`).

    `target` says where, and has been found for this person, so they may see it; `about` is one of its people.
    Raises `Oneself`, `ReportedAlready`, `ReportsTooOften`.
    """
    if about.pk == by.pk:
        raise Oneself
    if Report.objects.filter(by=by, about=about, reason=reason, state=Report.State.OPEN).exists():
        raise ReportedAlready
    if not within_limit(action="report", user=by, address=address):
        raise ReportsTooOften
    with transaction.atomic():
        # Reports about one person come one after the other: each counts those before.
        locked = User.objects.select_for_update(no_key=True).get(pk=about.pk)
        try:
            with transaction.atomic():
                report = Report.objects.create(
                    by=by,
                    about=locked,
                    place=target.place,
                    reason=reason,
                    text=text.replace("\0", "").strip()[:TEXT_LENGTH],
                    match=target.match,
                    ply=target.ply,
                    room=target.room,
                    line=target.line,
                    first_line=target.first_line,
                    last_line=target.last_line,
                    created_at=moment,
                )
        except IntegrityError:
            raise ReportedAlready from None
        care_for(about=locked, moment=moment)
    return report


def decide_report(*, who: User, report: Report, upheld: bool, why: str, moment: datetime) -> ModerationAct:
    """Close it, and tell who wrote it. Raises `NotAllowed`, `Protected`, `ReasonNeeded`, `Overtaken`."""
    what = What.UPHOLD if upheld else What.DISMISS
    if not may_do(who, what) or report.by_id == who.pk:
        raise NotAllowed
    if not may_decide(who, report):
        raise Protected
    said = clean_why(why)
    with transaction.atomic():
        locked = Report.objects.select_for_update(of=("self",)).get(pk=report.pk)
        if not locked.is_open:
            raise Overtaken
        locked.state = Report.State.UPHELD if upheld else Report.State.DISMISSED
        locked.decided_by, locked.decided_at, locked.answer = who, moment, said
        locked.save(update_fields=["state", "decided_by", "decided_at", "answer"])
        notify_person(user=locked.by, code="report-done", params={"report": locked.pk, "upheld": upheld}, moment=moment)
        return write_act(
            who=who,
            what=what,
            whom=locked.about,
            match=locked.match,
            report=locked,
            why=said,
            before={"state": Report.State.OPEN},
            after={"state": locked.state},
            moment=moment,
        )


def reopen_report(act: ModerationAct, why: str, moment: datetime) -> BeforeAfter:
    """It waits for a decision again, and who wrote it is told. Not where they have reported the same anew since."""
    assert act.report is not None
    report = Report.objects.select_for_update(of=("self",)).get(pk=act.report.pk)
    if report.is_open:
        raise CanNotBeUndone
    before = report.state
    report.state, report.decided_by, report.decided_at, report.answer = Report.State.OPEN, None, None, ""
    try:
        with transaction.atomic():
            report.save(update_fields=["state", "decided_by", "decided_at", "answer"])
    except IntegrityError:
        raise CanNotBeUndone from None
    if report.by.deleted_at is None:
        notify_person(user=report.by, code="report-reopened", params={"report": report.pk}, moment=moment)
    return {"state": before}, {"state": report.state}
