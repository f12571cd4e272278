"""Automatic care: when several credible people report somebody within a day, the house mutes them for a day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q

from accounts.desk.acts import ModerationAct, What
from accounts.desk.credibility import Reporter, independent, is_credible
from accounts.desk.reports import Report
from accounts.desk.rights import is_moderator
from accounts.desk.services.people import enter_sanction
from accounts.people.models import User

WITHIN = timedelta(hours=24)
MUTED_FOR = timedelta(hours=24)


def care_for(*, about: User, moment: datetime) -> ModerationAct | None:
    """Mute the person if enough credible reports say so that were never counted; the act, if that was done.

    The person's row is locked, within the transaction of the report that may be the last one. Moderators are a
    superuser's to judge: nobody mutes them by reports.
    """
    needed = settings.REPORTS_THAT_MUTE
    if needed < 1 or about.is_muted(moment) or about.is_superuser or is_moderator(about):
        return None
    counted = _credible_reports(about, moment)
    if independent((report.by_id, report.match_id or 0) for report in counted) < needed:
        return None
    ids = sorted(report.pk for report in counted)
    act = enter_sanction(
        who=None, what=What.MUTE, whom=about, why="", until=moment + MUTED_FOR, moment=moment, counted=ids
    )
    Report.objects.filter(pk__in=ids).update(counted_for=act)
    return act


def _credible_reports(about: User, moment: datetime) -> list[Report]:
    """Those about this person that were not counted yet, from matches, by people who are believed."""
    fresh = Report.objects.filter(
        about=about, created_at__gt=moment - WITHIN, created_at__lte=moment, counted_for=None, match__isnull=False
    )
    reports = list(fresh.exclude(state=Report.State.DISMISSED).select_related("by"))
    decided = Report.objects.filter(by__in={report.by_id for report in reports}).values("by")
    tally = {
        row["by"]: row
        for row in decided.annotate(
            upheld=Count("pk", filter=Q(state=Report.State.UPHELD)),
            dismissed=Count("pk", filter=Q(state=Report.State.DISMISSED)),
        )
    }
    return [report for report in reports if is_credible(_reporter(report.by, tally[report.by_id], moment), moment)]


def _reporter(person: User, tally: Mapping[str, Any], moment: datetime) -> Reporter:
    return Reporter(
        since=person.date_joined,
        muted=person.is_muted(moment) or person.is_barred(moment) or person.deleted_at is not None,
        upheld=tally["upheld"],
        dismissed=tally["dismissed"],
    )
