"""What somebody is about to report, found from what an address says, as far as that person may know of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accounts.desk.errors import NoSuchThing
from accounts.desk.reports import Report
from accounts.people.models import User
from accounts.people.names import may_be_login_name
from games.matches.callers import caller_of
from games.matches.models import ChatLine, Match
from games.matches.numbers import whole_number
from games.matches.rooms import Rights, rights_at

LINES_BEFORE = 20
LINES_AFTER = 5
"""Of a reported line, what belongs to the slice that moderators are shown."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where it was, and whom it may be about."""

    place: str
    people: Sequence[User]
    match: Match | None = None
    ply: int | None = None
    room: str = ""
    line: int | None = None
    first_line: int | None = None
    last_line: int | None = None


def target_of(*, user: User, session: Any, asked: Mapping[str, str]) -> Target:
    """What the fields `about` (a login name), `match` (a slug), `ply`, `room` and `line` point to.

    A line is found only in a room that the person reads now, and is never a hidden one, so that nobody learns by it
    what they are not shown. Raises `NoSuchThing`.
    """
    about = asked.get("about", "")
    if "match" not in asked:
        return Target(Report.Place.PROFILE, [_person(about)])
    match = Match.objects.defer("position", "deal").filter(slug=_slug(asked["match"])).first()
    if match is None:
        raise NoSuchThing
    caller = caller_of(user=user, session=session, slug=match.slug)
    seats = list(match.seats.select_related("user").order_by("index"))
    if not (match.is_playable and caller.may_see(match, seats)):
        raise NoSuchThing
    rights = rights_at(match, seats, caller)
    if "line" in asked:
        return _line(match, rights, asked)
    people = [seat.user for seat in seats if seat.user is not None and seat.user_id != user.pk]
    people = [person for person in people if person.deleted_at is None and about in ("", person.username)]
    if not people:
        raise NoSuchThing
    return Target(Report.Place.MATCH, people, match, _ply(match, asked), **_last_lines(match, rights))


def _person(username: str) -> User:
    found = (
        User.objects.filter(username=username, is_active=True) if may_be_login_name(username) else User.objects.none()
    )
    person = found.filter(deleted_at=None).first()
    if person is None:
        raise NoSuchThing
    return person


def _slug(text: str) -> str:
    return text if len(text) <= 24 and "\0" not in text else ""


def _line(match: Match, rights: Rights, asked: Mapping[str, str]) -> Target:
    room, number = asked.get("room", ""), whole_number(asked["line"])
    if room not in rights.reads or number is None:
        raise NoSuchThing
    line = ChatLine.objects.filter(match=match, room=room, number=number, hidden=False).select_related("user").first()
    if line is None or line.user is None or line.user.deleted_at is not None:
        raise NoSuchThing
    return Target(
        place=Report.Place.CHAT,
        people=[line.user],
        match=match,
        ply=_ply(match, {}),
        room=room,
        line=number,
        first_line=max(1, number - LINES_BEFORE),
        last_line=number + LINES_AFTER,
    )


def _last_lines(match: Match, rights: Rights) -> dict[str, Any]:
    """The end of what was said where the person reads."""
    for room in rights.reads:
        last = ChatLine.objects.filter(match=match, room=room).order_by("-number").first()
        if last is not None:
            return {"room": room, "first_line": max(1, last.number - LINES_BEFORE), "last_line": last.number}
    return {}


def _ply(match: Match, asked: Mapping[str, str]) -> int | None:
    """The step of the replay that is looked at, or the last move; in real time that would tell of claims that wait."""
    said = whole_number(asked.get("ply", ""), digits=6)
    if said is not None and (match.in_real_time or said <= match.ply):
        return said
    if match.in_real_time or match.status == Match.Status.TABLE:
        return None
    return match.ply
