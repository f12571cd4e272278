"""Who may do what at the desk: by permission, and never upon oneself, one's betters or one's own matches."""

from __future__ import annotations

from accounts.desk.acts import What
from accounts.desk.errors import NotAllowed, OwnMatch, Protected
from accounts.desk.moderators import GROUP
from accounts.desk.reports import Report
from accounts.people.models import User
from games.matches.models import Match, Seat

PERMISSION = {
    What.WARN: "desk.warn_person",
    What.MUTE: "desk.mute_person",
    What.SUSPEND: "desk.suspend_person",
    What.BAN: "desk.ban_person",
    What.RENAME: "desk.rename_person",
    What.HIDE_LINE: "desk.hide_line",
    What.VOID: "matches.void_match",
    What.END: "desk.end_match",
    What.REMOVE_TABLE: "desk.remove_table",
    What.UPHOLD: "desk.handle_report",
    What.DISMISS: "desk.handle_report",
}
"""What each act needs; undoing one needs the same."""


def may_do(who: User, what: str) -> bool:
    """Whether this person may do such things at all."""
    return what in PERMISSION and who.is_staff and who.has_perm(PERMISSION[What(what)])


def may_act_upon(who: User, whom: User) -> bool:
    """Whether this moderator may act upon that person; who has deleted the account is nobody to act upon."""
    if who.pk == whom.pk or whom.is_superuser or whom.deleted_at is not None:
        return False
    return who.is_superuser or not is_moderator(whom)


def is_moderator(person: User) -> bool:
    """Whether somebody keeps the house: such a one is a superuser's to judge."""
    return person.is_staff or person.groups.filter(name=GROUP).exists()


def may_decide(who: User, report: Report) -> bool:
    """Whether this moderator may decide that report: neither about oneself nor by oneself; about those who keep the
    house only as a superuser. Also about somebody who has deleted the account since."""
    if not may_do(who, What.UPHOLD) or who.pk in (report.by_id, report.about_id):
        return False
    return who.is_superuser or not (report.about.is_superuser or is_moderator(report.about))


def require_right(who: User, what: str, *, whom: User | None = None, match: Match | None = None) -> None:
    """Raises `NotAllowed`, `Protected`, `OwnMatch`."""
    if not may_do(who, what):
        raise NotAllowed
    if whom is not None and not may_act_upon(who, whom):
        raise Protected
    if match is not None and Seat.objects.filter(match=match, user=who).exists():
        raise OwnMatch
