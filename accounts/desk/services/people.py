"""What is done to a person: warned, muted, suspended, banned, renamed; and each of it taken back."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.desk.acts import ModerationAct, What
from accounts.desk.errors import BadEnd, BadName, CanNotBeUndone
from accounts.desk.reports import Report
from accounts.desk.rights import require_right
from accounts.desk.services.log import BeforeAfter, clean_why, write_act
from accounts.people import naming
from accounts.people.models import FormerName, Sanction, User
from accounts.people.sanctioning import impose_sanction, lift_sanction
from accounts.people.sanctions import FOR_GOOD
from accounts.people.telling import notify_person
from games.matches.services.leaving import resign_everywhere

KIND = {What.MUTE: Sanction.Kind.MUTE, What.SUSPEND: Sanction.Kind.SUSPENSION, What.BAN: Sanction.Kind.BAN}
TOLD = {What.MUTE: "muted", What.SUSPEND: "suspended", What.BAN: "banned"}


def warn_person(*, who: User, whom: User, why: str, moment: datetime, report: Report | None = None) -> ModerationAct:
    """Tell the person that they must not go on like that."""
    require_right(who, What.WARN, whom=whom)
    said = clean_why(why)
    with transaction.atomic():
        notice = notify_person(user=whom, code="warned", params={"reason": said}, moment=moment)
        return write_act(
            who=who, what=What.WARN, whom=whom, report=report, why=said, after={"notice": notice.pk}, moment=moment
        )


def sanction_person(
    *,
    who: User,
    what: What,
    whom: User,
    why: str,
    moment: datetime,
    until: datetime = FOR_GOOD,
    resign_seats: bool = False,
    report: Report | None = None,
) -> ModerationAct:
    """Mute, suspend or ban until then, at once; with `resign_seats` the person leaves every match as well.

    Raises `NotAllowed`, `Protected`, `ReasonNeeded`, `BadEnd`.
    """
    require_right(who, what, whom=whom)
    said = clean_why(why)
    if until <= moment:
        raise BadEnd
    with transaction.atomic():
        act = enter_sanction(who=who, what=what, whom=whom, why=said, until=until, moment=moment, report=report)
    if resign_seats and what != What.MUTE:
        _resign_everywhere(whom, moment)
    return act


def enter_sanction(
    *,
    who: User | None,
    what: What,
    whom: User,
    why: str,
    until: datetime,
    moment: datetime,
    report: Report | None = None,
    counted: list[int] | None = None,
) -> ModerationAct:
    """Impose it, enter it and tell the person, within a transaction. By the house if `who` is None."""
    locked = User.objects.select_for_update(no_key=True).get(pk=whom.pk)
    before = in_force(locked)
    sanction = impose_sanction(
        user=locked, kind=KIND[what], reason=why, moment=moment, until=until, automatic=who is None
    )
    after: dict[str, Any] = {"sanction": sanction.pk, **in_force(User.objects.get(pk=whom.pk))}
    if counted is not None:
        after["reports"] = counted
    ends = until.isoformat() if until < FOR_GOOD else None
    params = {"reason": why, "until": ends, "automatic": who is None}
    notify_person(user=whom, code=TOLD[what], params=params, moment=moment)
    return write_act(who=who, what=what, whom=whom, report=report, why=why, before=before, after=after, moment=moment)


def rename_person(
    *, who: User, whom: User, name: str, why: str, moment: datetime, report: Report | None = None
) -> ModerationAct:
    """Give the person another display name. Raises `BadName` for one that may not be, or is somebody else's."""
    require_right(who, What.RENAME, whom=whom)
    said = clean_why(why)
    with transaction.atomic():
        former = _give_name(whom, name, moment)
        notify_person(user=whom, code="renamed", params={"reason": said, "now": name}, moment=moment)
        # Names stand in rows that can be erased; the log has their number.
        return write_act(
            who=who, what=What.RENAME, whom=whom, report=report, why=said, before={"name": former.pk}, moment=moment
        )


# Taking it back: each gives how things stood before and after, for the log.


def withdraw_warning(act: ModerationAct, why: str, moment: datetime) -> BeforeAfter:
    """The person is told that it does not count; what they have read they have read."""
    assert act.whom is not None
    notify_person(user=act.whom, code="lifted", params={"kind": "warning", "reason": why}, moment=moment)
    return {}, {}


def end_sanction(act: ModerationAct, why: str, moment: datetime) -> BeforeAfter:
    """It ends now, if it has not ended by itself. Access is given back, seats are not."""
    assert act.whom is not None
    sanction = Sanction.objects.get(pk=act.after["sanction"])
    before = in_force(User.objects.select_for_update(no_key=True).get(pk=act.whom.pk))
    was_in_force = sanction.is_in_force(moment)
    lift_sanction(sanction=sanction, moment=moment)
    if was_in_force:
        params = {"kind": sanction.kind, "reason": why}
        notify_person(user=act.whom, code="lifted", params=params, moment=moment)
    return {"sanction": sanction.pk, **before}, in_force(User.objects.get(pk=act.whom.pk))


def give_name_back(act: ModerationAct, why: str, moment: datetime) -> BeforeAfter:
    """The name from before; not if it was changed again since, is somebody else's, or was erased."""
    assert act.whom is not None
    former = FormerName.objects.filter(pk=act.before["name"], user=act.whom_id).first()
    if former is None or FormerName.objects.filter(user=act.whom_id, pk__gt=former.pk).exists():
        raise CanNotBeUndone
    given = _give_name(act.whom, former.name, moment)
    notify_person(user=act.whom, code="renamed", params={"reason": why, "now": former.name}, moment=moment)
    return {"name": given.pk}, {"name": former.pk}


def in_force(user: User) -> dict[str, Any]:
    """Until when the person is muted and kept out, as plain data."""
    columns = {"muted_until": user.muted_until, "barred_until": user.barred_until}
    return {name: moment.isoformat() if moment is not None else None for name, moment in columns.items()}


def _give_name(whom: User, name: str, moment: datetime) -> FormerName:
    try:
        former = naming.rename_person(user=whom, name=name, moment=moment, by_house=True)
    except ValidationError:
        raise BadName from None
    if former is None:
        raise BadName
    return former


def _resign_everywhere(whom: User, moment: datetime) -> None:
    # After the sanction stands, and outside its transaction: each match is locked by itself, before its people.
    resign_everywhere(user=whom, moment=moment)
