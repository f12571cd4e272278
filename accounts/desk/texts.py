"""The sentences of the desk. Plain text, to be escaped."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.desk.acts import ModerationAct, What
from accounts.desk.errors import DeskRefused
from accounts.desk.reports import Report
from accounts.people.notice_texts import moment_text
from accounts.people.sanctions import FOR_GOOD
from games.matches.models import Match, Seat
from games.matches.talk import Room


def refusal(error: DeskRefused) -> str:
    """Why something was refused, and what to do."""
    return _REFUSALS.get(error.code, _REFUSALS["refused"])()


_REFUSALS: dict[str, Callable[[], str]] = {
    "refused": lambda: _("That is not possible now."),
    "not-allowed": lambda: _("You have no right to do this."),
    "protected": lambda: _("Not upon yourself or a superuser, and upon another moderator only as a superuser."),
    "own-match": lambda: _("You sit at this match yourself. Please leave it to somebody else."),
    "no-such-thing": lambda: _("It is not there, or not open to you."),
    "reason-needed": lambda: _("Please give a reason, in at most 500 characters."),
    "bad-end": lambda: _("Please say until when, by a moment that is still to come."),
    "bad-name": lambda: _("This can't be a display name, or somebody else has it."),
    "overtaken": lambda: _("It is not as you saw it any more: somebody was faster, or it is over. Please look again."),
    "already-undone": lambda: _("This was undone already."),
    "can-not-be-undone": lambda: _("This can't be undone: what it has ended or changed has gone on since."),
    "oneself": lambda: _("That is you. Only others can be reported."),
    "reported-already": lambda: _("You have reported this person for that already. You will hear how it is decided."),
    "reports-too-often": lambda: _("Those were many reports in a short time. Please wait a while before the next one."),
}


def act_title(what: str) -> str:
    """What a moderator is about to do, as a heading."""
    return _ACTS[What(what)]()[0]


def act_effect(what: str) -> str:
    """What will happen by it."""
    return _ACTS[What(what)]()[1]


_ACTS: dict[What, Callable[[], tuple[str, str]]] = {
    What.WARN: lambda: (
        _("Warn"),
        _("The person is told your reason, on every page until they have read it. Nothing else happens."),
    ),
    What.MUTE: lambda: (
        _("Mute in the chat"),
        _("The person writes in no chat until then. They are told why, until when, and how to appeal."),
    ),
    What.SUSPEND: lambda: (
        _("Suspend"),
        _(
            "The person is logged out everywhere, at once, and can't log in until then. They are told why, until when, "
            "and how to appeal."
        ),
    ),
    What.BAN: lambda: (
        _("Ban"),
        _(
            "The person is logged out everywhere, at once, and can't log in any more. They are told why, "
            "and how to appeal."
        ),
    ),
    What.RENAME: lambda: (
        _("Rename"),
        _("The person has the new display name from now on, and is told why. The login name stays."),
    ),
    What.HIDE_LINE: lambda: (
        _("Hide a line of chat"),
        _("The line vanishes from all pages at once. Who wrote it is told why."),
    ),
    What.VOID: lambda: (
        _("Void a match"),
        _("It has no result, and ratings are recomputed. If it runs, it ends for good. Its players are told why."),
    ),
    What.END: lambda: (
        _("End a match"),
        _("The match ends at once, without a result, and stays ended. Its players are told why."),
    ),
    What.REMOVE_TABLE: lambda: (
        _("Remove a table"),
        _("The table closes at once. Who sits there is told why."),
    ),
    What.UPHOLD: lambda: (
        _("Uphold the report"),
        _("Whoever wrote it is told that it was right. Sanctions are acts of their own."),
    ),
    What.DISMISS: lambda: (
        _("Dismiss the report"),
        _("Whoever wrote it is told that nothing was found that breaks the rules."),
    ),
    What.UNDO: lambda: (
        _("Undo"),
        _("What was done is taken back as far as it can be, and whom it concerns is told."),
    ),
}


def act_label(act: ModerationAct) -> str:
    """What was done, for lists: which line was hidden, and what was undone."""
    if act.undoes is not None:
        return _("Undone: %(what)s") % {"what": act_label(act.undoes)}
    label = act.get_what_display()
    if act.what != What.HIDE_LINE:
        return label
    room = dict(Room.choices).get(act.after.get("room"), "")
    return _("%(what)s: %(room)s, line %(number)s") % {
        "what": label,
        "room": room,
        "number": str(act.after.get("number", "")),
    }


def facts(plain: Mapping[str, Any]) -> list[tuple[str, str]]:
    """How things stood, as the log keeps it, in words and each with its name."""
    return [(_FACTS[key]() if key in _FACTS else key, _fact(key, value)) for key, value in plain.items()]


_FACTS: dict[str, Callable[[], str]] = {
    "sanction": lambda: _("number of the sanction"),
    "muted_until": lambda: _("muted until"),
    "barred_until": lambda: _("kept out until"),
    "reports": lambda: _("reports that were counted"),
    "notice": lambda: _("number of the notice"),
    "name": lambda: _("number of the former name"),
    "room": lambda: _("room"),
    "number": lambda: _("line"),
    "hidden": lambda: _("hidden"),
    "status": lambda: _("status"),
    "state": lambda: _("state"),
    "reason": lambda: _("how it ended"),
    "standing": lambda: _("result"),
    "ratings": lambda: _("ratings"),
}

_VALUES: dict[str, Mapping[Any, Any]] = {
    "room": dict(Room.choices),
    "status": dict(Match.Status.choices),
    "state": dict(Report.State.choices),
}


def _fact(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value is None or value == "":
        return "–"
    if isinstance(value, str):
        if key.endswith("_until"):
            until = datetime.fromisoformat(value)
            return _("for good") if until >= FOR_GOOD else moment_text(until)
        return str(_VALUES.get(key, {}).get(value, value))
    return json.dumps(value, ensure_ascii=False)


def exit_label(code: str) -> str:
    """How somebody went from matches, for a count of them."""
    return _("called off") if code == "cancelled" else str(Seat.Exit(code).label)
