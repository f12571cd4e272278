"""What leaving matches has come to, said to who has left them: on their own pages, and where they would play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.matches import clock
from games.matches.clock_texts import duration
from games.matches.leaving_records import leaving_record

if TYPE_CHECKING:
    from accounts.people.models import User


def draw_leaving(user: User) -> SafeString:
    """How many matches that the person has left count, what the next would do, and how it passes. "" if none counts."""
    now = clock.now()
    account = leaving_record(user=user, moment=now).account
    paused = user.is_rated_paused(now)
    if not account.count and not paused:
        return SafeString()
    context = {
        "count": account.count,
        "paused_until": user.rated_pause_until if paused else None,
        "next_pause": duration(account.next_pause) if account.next_pause is not None else "",
    }
    return render_to_string("matches/leaving.html", context)


def draw_rated_pause(user: User | None) -> SafeString:
    """That rated play pauses for the person, and until when; "" for whom it does not. No query."""
    if user is None or not user.is_rated_paused(clock.now()):
        return SafeString()
    return render_to_string("matches/rated_pause.html", {"paused_until": user.rated_pause_until})


def draw_before_table(user: User) -> SafeString:
    """The same above the form for a new table; and before it comes to that, that one more would."""
    paused = draw_rated_pause(user)
    account = leaving_record(user=user, moment=clock.now()).account
    if paused or account.next_pause is None:
        return paused
    return render_to_string("matches/rated_pause.html", {"next_pause": duration(account.next_pause)})
