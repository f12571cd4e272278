"""What each notice says, by its code, in the language and the time zone that are active. Plain text, to be escaped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.people.names import isolated_name
from accounts.people.sanctions import FOR_GOOD

Params = Mapping[str, Any]


@dataclass(frozen=True)
class Told:
    """A notice in words: what it is about, what it says, the reason that was given, and the address of the match."""

    title: str
    text: str
    reason: str = ""
    link: str = ""
    # Whether it says against the person what they may have put right.
    may_appeal: bool = False


def told(*, code: str, params: Params) -> Told:
    """The notice in words. One of a code that is not known (any more) says that there was one."""
    say = _TEXTS.get(code)
    return say(params) if say is not None else Told(title=_("A notice"), text=_("The house has told you something."))


def how_to_appeal() -> str:
    """How to have a decision looked at again, in a sentence."""
    if settings.APPEAL_ADDRESS:
        return _("If you think that this is a mistake, write to %(address)s.") % {"address": settings.APPEAL_ADDRESS}
    return _("If you think that this is a mistake, write to whoever runs this site.")


def moment_text(moment: datetime) -> str:
    """A moment in the reader's time, with the zone's name: "2026-11-30 15:49 UTC"."""
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")


def sanction_params(*, reason: str, until: datetime, automatic: bool) -> dict[str, Any]:
    """The parameters of the notice of a sanction."""
    return {"reason": reason, "until": None if until >= FOR_GOOD else until.isoformat(), "automatic": automatic}


def sanction_text(*, code: str, params: Params) -> str:
    """What somebody may not do and until when, in a sentence: also for the doors that refuse it."""
    until = _moment(params.get("until"))
    if until is None:
        return {
            "muted": _("You can’t write to others here for good. You can go on reading and playing."),
            "suspended": _("Your account is closed."),
            "banned": _("Your account is closed for good."),
        }[code]
    sentences = {
        "muted": _("You can’t write to others here until %(until)s. You can go on reading and playing."),
        "suspended": _("Your account is suspended until %(until)s. Until then you can’t log in."),
        "banned": _("Your account is closed until %(until)s. Until then you can’t log in."),
    }
    return sentences[code] % {"until": moment_text(until)}


def _sanction(code: str) -> Callable[[Params], Told]:
    def say(params: Params) -> Told:
        title = {
            "muted": _("You are muted"),
            "suspended": _("You are suspended"),
            "banned": _("You are banned"),
        }[code]
        text = sentence = sanction_text(code=code, params=params)
        if params.get("automatic"):
            reports = _("Several players have reported you, so the house has done this by itself, for a while.")
            text = f"{sentence} {reports}"
        return Told(title=title, text=text, reason=_reason(params), may_appeal=True)

    return say


def _lifted(params: Params) -> Told:
    text = {
        "mute": _("You can write to others again."),
        "suspension": _("Your account is open again."),
        "ban": _("Your account is open again."),
        "warning": _("A warning that you were given does not count."),
    }.get(str(params.get("kind", "")), _("What was imposed upon you has been taken back."))
    return Told(title=_("Taken back"), text=text, reason=_reason(params))


def _warned(params: Params) -> Told:
    text = _("A moderator asks you to mind how you treat others here. Nothing else follows from it this time.")
    return Told(title=_("A warning"), text=text, reason=_reason(params), may_appeal=True)


def _renamed(params: Params) -> Told:
    text = _("A moderator has changed your display name. It is %(name)s now; you can choose another in your settings.")
    now = isolated_name(str(params.get("now", "")))
    return Told(title=_("Your name was changed"), text=text % {"name": now}, reason=_reason(params), may_appeal=True)


def _about_match(title: Callable[[], str], text: Callable[[], str], *, against: bool) -> Callable[[Params], Told]:
    def say(params: Params) -> Told:
        return Told(title=title(), text=text(), reason=_reason(params), link=_match(params), may_appeal=against)

    return say


def _report_done(params: Params) -> Told:
    text = (
        _("A moderator has looked at your report and acted upon it. Thank you.")
        if params.get("upheld")
        else _("A moderator has looked at your report and found nothing to act upon. Thank you all the same.")
    )
    return Told(title=_("About your report"), text=text)


def _report_reopened(params: Params) -> Told:
    text = _("What was decided about your report has been taken back. A moderator will look at it again.")
    return Told(title=_("About your report"), text=text)


def _rated_pause(params: Params) -> Told:
    count = params.get("count")
    number = count if isinstance(count, int) else 0
    why = ngettext("You have left %(count)s match lately.", "You have left %(count)s matches lately.", number) % {
        "count": number
    }
    until = _moment(params.get("until"))
    text = (
        _("Until %(until)s you can’t sit down at rated tables; unrated ones are open to you.")
        % {"until": moment_text(until)}
        if until is not None
        else _("For a while you can’t sit down at rated tables; unrated ones are open to you.")
    )
    return Told(title=_("A pause from rated matches"), text=f"{why} {text}", may_appeal=True)


_TEXTS: dict[str, Callable[[Params], Told]] = {
    "muted": _sanction("muted"),
    "suspended": _sanction("suspended"),
    "banned": _sanction("banned"),
    "lifted": _lifted,
    "warned": _warned,
    "renamed": _renamed,
    "line-hidden": _about_match(
        lambda: _("A line of yours was hidden"),
        lambda: _("A moderator has hidden a line that you wrote in the chat of a match."),
        against=True,
    ),
    "line-restored": _about_match(
        lambda: _("A line of yours is back"),
        lambda: _("A line that you wrote in the chat of a match, and that was hidden, can be read again."),
        against=False,
    ),
    "match-voided": _about_match(
        lambda: _("A match was voided"),
        lambda: _("A moderator has voided a match of yours: it has no result, and counts for no rating."),
        against=True,
    ),
    "match-restored": _about_match(
        lambda: _("A match counts again"),
        lambda: _("A match of yours that was voided has its result back, and counts for the ratings."),
        against=False,
    ),
    "match-ended": _about_match(
        lambda: _("A match was ended"),
        lambda: _("A moderator has ended a match of yours without a result."),
        against=True,
    ),
    "table-removed": _about_match(
        lambda: _("A table was removed"),
        lambda: _("A moderator has removed a table at which you sat."),
        against=True,
    ),
    "table-restored": _about_match(
        lambda: _("A table is back"),
        lambda: _("A table at which you sat, and that was removed, waits for players again."),
        against=False,
    ),
    "report-done": _report_done,
    "report-reopened": _report_reopened,
    "rated-pause": _rated_pause,
}

CODES = frozenset(_TEXTS)
"""All that there are."""


def _reason(params: Params) -> str:
    return str(params.get("reason") or "")


def _moment(text: object) -> datetime | None:
    """What a notice keeps as text; None also for what is none, since old notices stay readable."""
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None


def _match(params: Params) -> str:
    try:
        return reverse("match", args=[params["match"]])
    except (KeyError, NoReverseMatch):
        return ""
