"""What is done to a line of chat: hidden, and shown again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.desk.acts import ModerationAct, What
from accounts.desk.errors import CanNotBeUndone, Overtaken
from accounts.desk.reports import Report
from accounts.desk.rights import require_right
from accounts.desk.services.log import BeforeAfter, clean_why, write_act
from accounts.people.models import User
from accounts.people.telling import notify_person
from games.matches.errors import NotFound
from games.matches.models import ChatLine, Match
from games.matches.services import chat


def hide_line(
    *, who: User, match: Match, room: str, number: int, why: str, moment: datetime, report: Report | None = None
) -> ModerationAct:
    """Nobody is shown it any more. Who wrote it is told, and is whom it concerns. Raises `Overtaken` for none."""
    line = ChatLine.objects.filter(match=match, room=room, number=number).select_related("user").first()
    require_right(who, What.HIDE_LINE, whom=line.user if line is not None else None)
    said = clean_why(why)
    with transaction.atomic():
        try:
            line = chat.hide_line(match=match, room=room, number=number, hidden=True)
        except NotFound:
            raise Overtaken from None
        where = {"room": room, "number": number}
        if line.user is not None:
            notify_person(
                user=line.user, code="line-hidden", params={"match": match.slug, "reason": said}, moment=moment
            )
        return write_act(
            who=who,
            what=What.HIDE_LINE,
            whom=line.user,
            match=match,
            report=report,
            why=said,
            before={**where, "hidden": False},
            after={**where, "hidden": True},
            moment=moment,
        )


def show_line(act: ModerationAct, why: str, moment: datetime) -> BeforeAfter:
    """It is read again, by pages that are loaded from now on."""
    assert act.match is not None
    where = {"room": act.after["room"], "number": act.after["number"]}
    try:
        line = chat.hide_line(match=act.match, hidden=False, **where)
    except NotFound:
        raise CanNotBeUndone from None
    if line.user is not None:
        notify_person(
            user=line.user, code="line-restored", params={"match": act.match.slug, "reason": why}, moment=moment
        )
    return {**where, "hidden": True}, {**where, "hidden": False}
