"""Taking an act back, by another act: what that means is said where it was done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.desk.acts import ModerationAct, What
from accounts.desk.errors import AlreadyUndone, CanNotBeUndone, NoSuchThing, Protected
from accounts.desk.rights import may_decide, may_do, require_right
from accounts.desk.services import chat, matches, people, reports
from accounts.desk.services.log import BeforeAfter, clean_why, write_act
from accounts.people.models import User
from accounts.people.telling import withdraw_notices
from games.matches.models import Match

UNDOERS: dict[str, Callable[[ModerationAct, str, datetime], BeforeAfter]] = {
    What.WARN: people.withdraw_warning,
    What.MUTE: people.end_sanction,
    What.SUSPEND: people.end_sanction,
    What.BAN: people.end_sanction,
    What.RENAME: people.give_name_back,
    What.HIDE_LINE: chat.show_line,
    What.VOID: matches.restore_match,
    What.REMOVE_TABLE: matches.reopen_table,
    What.UPHOLD: reports.reopen_report,
    What.DISMISS: reports.reopen_report,
}


TOLD: dict[What, str] = {
    What.WARN: "warned",
    What.RENAME: "renamed",
    What.HIDE_LINE: "line-hidden",
    What.UPHOLD: "report-done",
    What.DISMISS: "report-done",
    **people.TOLD,
    **matches.TOLD,
}
"""By what notice each act was told."""


def may_undo(who: User, act: ModerationAct) -> bool:
    """Whether a page offers it: that person may, it was not done, and something can come back."""
    if act.what not in UNDOERS or not may_do(who, act.what) or hasattr(act, "undone_by"):
        return False
    return act.what != What.VOID or act.before.get("status") == Match.Status.OVER


def undo_act(*, who: User, act: ModerationAct, why: str, moment: datetime) -> ModerationAct:
    """Undo it. Of two who do so, one has done it, and the other learns that.

    Raises `NotAllowed`, `Protected`, `OwnMatch`, `ReasonNeeded`, `AlreadyUndone`, `CanNotBeUndone`, `NoSuchThing`.
    """
    if act.what not in UNDOERS:
        raise CanNotBeUndone
    decided = act.what in (What.UPHOLD, What.DISMISS)
    at_match = act.what in (What.VOID, What.REMOVE_TABLE)
    require_right(who, act.what, whom=None if decided else act.whom, match=act.match if at_match else None)
    if act.report is not None and who.pk in (act.report.by_id, act.report.about_id):
        raise NoSuchThing
    if decided and act.report is not None and not may_decide(who, act.report):
        raise Protected
    said = clean_why(why)
    try:
        with transaction.atomic():
            # Who comes second waits here, until the first one's entry can be seen.
            locked = ModerationAct.objects.select_for_update(of=("self",)).get(pk=act.pk)
            if ModerationAct.objects.filter(undoes=locked).exists():
                raise AlreadyUndone
            # First: undoing may tell something by the same code.
            _withdraw_notices(locked, moment)
            before, after = UNDOERS[locked.what](locked, said, moment)
            return write_act(
                who=who,
                what=What.UNDO,
                whom=locked.whom,
                match=locked.match,
                report=locked.report,
                why=said,
                before=before,
                after=after,
                undoes=locked,
                moment=moment,
            )
    except IntegrityError:
        raise AlreadyUndone from None


def _withdraw_notices(act: ModerationAct, moment: datetime) -> None:
    """What the act told, and was not read, is not to be read as if it held."""
    about: dict[str, object] = {}
    concerned: set[int | None] = {act.whom_id}
    if act.what in (What.UPHOLD, What.DISMISS):
        assert act.report is not None
        about, concerned = {"report": act.report.pk}, {act.report.by_id}
    elif act.match is not None:
        about = {"match": act.match.slug}
        if act.what in matches.TOLD:
            concerned = set(act.match.seats.values_list("user", flat=True))
    whose = {each for each in concerned if each is not None}
    withdraw_notices(people=whose, code=TOLD[What(act.what)], params=about, told_at=act.at, moment=moment)
