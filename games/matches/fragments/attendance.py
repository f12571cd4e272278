"""Who is at a match, as its page shows it beside each name; and the choice of the others when somebody is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.matches import texts
from games.matches.attendance import Attendance
from games.matches.fragments.players import draw_presence, draw_tally_presence
from games.matches.fragments.trust import joined
from games.matches.models import Seat
from games.matches.snapshots import Snapshot

if TYPE_CHECKING:
    from accounts.people.models import User


def choices(snapshot: Snapshot, own: Seat | None, attendance: Attendance) -> list[dict[str, Any]]:
    """For whom the person on the seat `own` need not wait any longer, and what that would come to."""
    if own is None or not own.is_present:
        return []
    return [
        {
            "seat": seat,
            "words": texts.offer_to_go_on(
                snapshot.names[seat],
                decides=_decides(snapshot, seat),
                bot_takes_over=snapshot.match.bot_takes_over,
            ),
            "decides": _decides(snapshot, seat),
        }
        for seat in attendance.absent
        if seat != own.index
    ]


def draw_attendance(snapshot: Snapshot, user: User | None, attendance: Attendance) -> SafeString:
    """All of it for a page that shows this version already, as out-of-band swaps by id."""
    seat = snapshot.seat_of(user)
    own = seat.index if seat is not None else None
    key = ("attendance", own, seat is not None and seat.is_present, attendance.key, get_language())
    drawn: SafeString | None = snapshot.drawings.get(key)
    if drawn is None:
        pieces = []
        for other in range(len(snapshot.seats)):
            sign = attendance.signs.get(other) if other != own else None
            pieces += [draw_presence(other, sign, pushed=True), draw_tally_presence(other, sign, pushed=True)]
        context = {
            "match": snapshot.match,
            "choices": choices(snapshot, seat, attendance),
            "attendance": attendance,
            "pushed": True,
        }
        drawn = snapshot.drawings[key] = joined([*pieces, render_to_string("matches/part_absence.html", context)])
    return drawn


def _decides(snapshot: Snapshot, leaver: int) -> bool:
    """Whether the match is over without that seat, since one competitor or team is left."""
    if snapshot.match.bot_takes_over:
        return False
    teams = snapshot.match.game.rules.teams(snapshot.match.options, len(snapshot.seats))
    stay = [seat for seat in snapshot.seats if seat.left_order is None and seat.index != leaver]
    return len({teams[seat.index] for seat in stay}) == 1
