"""Clocks and vacations in words and figures. Plain text, to be escaped."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.matches.models import Match

_HOUR, _DAY = 3_600_000, 86_400_000

LOW_MS: dict[str, int] = {Match.Pace.LIVE: 60_000, Match.Pace.TURNS: 6 * _HOUR}
"""By pace, what counts as little time left."""


def time_limit(*, main: int | None, increment: int, by_turns: bool) -> str:
    """The time that a table gives, in words; its figures are ms."""
    if main is None:
        return _("No clock")
    if by_turns:
        days = main // _DAY
        return ngettext("%(days)s day a move", "%(days)s days a move", days) % {"days": days}
    given = {"minutes": main // 60_000, "seconds": increment // 1000}
    return _("%(minutes)s min + %(seconds)s s a move") % given


def time_limit_of(match: Match) -> str:
    """The match's clock in words; "" for games in real time, which keep their own."""
    if match.in_real_time:
        return ""
    by_turns = match.pace == Match.Pace.TURNS
    return time_limit(main=match.clock_main, increment=match.clock_increment, by_turns=by_turns)


def time_left(left: int) -> str:
    """What is left on a clock, as a figure: to the next full second, so that nothing is left at 0:00. Takes ms."""
    if left >= _DAY:
        return days_and_hours() % {"days": left // _DAY, "hours": left % _DAY // _HOUR}
    minutes, seconds = divmod(-(-left // 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def days_and_hours() -> str:
    """The figure of a clock with a day or more; the page's script fills it in too."""
    return _("%(days)s d %(hours)s h")


def clock_is_low(*, by_turns: bool) -> str:
    """Said once, when little is left on the reader's own clock."""
    if not by_turns:
        return _("You have less than a minute left.")
    return _("You have less than %(hours)s hours left for your move.") % {"hours": LOW_MS[Match.Pace.TURNS] // _HOUR}


def time_played(time: timedelta) -> str:
    """How long a match was, in words: to the second below an hour, to the minute below a day."""
    seconds = time // timedelta(seconds=1)
    if seconds >= 3600:
        return duration(time)
    return _("%(minutes)s min %(seconds)s s") % {"minutes": seconds // 60, "seconds": seconds % 60}


def duration(time: timedelta) -> str:
    """A time in days, hours and minutes, the last only if it is less than a day."""
    minutes = time // timedelta(minutes=1)
    days, hours, rest = minutes // 1440, minutes % 1440 // 60, minutes % 60
    parts = [
        ngettext("%(count)s day", "%(count)s days", days) % {"count": days} if days else "",
        ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": hours} if hours else "",
        ngettext("%(count)s minute", "%(count)s minutes", rest) % {"count": rest}
        if not days and (rest or not hours)
        else "",
    ]
    return " ".join(part for part in parts if part)
