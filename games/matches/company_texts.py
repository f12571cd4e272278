"""The sentences of the house about company: rematches, invitations by name, moves taken back. Plain text."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.people.names import isolated_name, listed_names


def taken_back(move: str) -> str:
    """That a move was taken back; `move` is its sentence."""
    return _("Taken back: %(move)s") % {"move": move}


def no_takeback(what: str) -> str:
    """Why a move stands for good."""
    sentences = {
        "game": _("In this game no move is taken back."),
        "rated": _("In a rated match no move is taken back."),
        "nothing": _("Nobody has moved yet, so there is nothing to take back."),
        "house": _("A bot or a stand-in has moved since, so nothing can be taken back."),
        "revealed": _("Something hidden has come out by this move, as a tile that was drawn, so it stands."),
        "other": _("Only who made the last move can ask to take it back."),
        "refused": _("Somebody has not agreed to take back this move, so it stands."),
    }
    return sentences.get(what, _("There is no such request any more: the match has moved on."))


def asks_for_takeback(*, name: str, waiting: Sequence[str], own: bool) -> str:
    """That a player asks to take back the last move: said to who asks, or to the others."""
    if own:
        return _("You ask to take back your last move. Not agreed yet: %(waiting)s.") % {
            "waiting": listed_names(waiting)
        }
    return _("%(name)s asks to take back the last move.") % {"name": isolated_name(name)}


def agreed_to_takeback(waiting: Sequence[str]) -> str:
    """The same to somebody who has agreed."""
    return _("You have agreed to take back the last move. Not agreed yet: %(waiting)s.") % {
        "waiting": listed_names(waiting)
    }


def no_rematch(what: str, name: str) -> str:
    """Why the same people can't play once more."""
    sentences = {
        "late": _("This match ended more than a day ago. Please open a new table, and invite the others."),
        "running": _("A rematch can be agreed upon when the match is over."),
        "gone": _("Somebody’s account is gone, so there is no rematch. Please open a new table."),
        "apart": _("Not all of you can sit at one table, so there is no rematch."),
        "busy": _("%(name)s has too many matches under way to begin another one.") % {"name": isolated_name(name)},
        "unrated": _("%(name)s can’t play rated matches now. Please open a new table.") % {"name": isolated_name(name)},
    }
    return sentences[what]


def offers_rematch(*, agreed: Sequence[str], waiting: Sequence[str], own: bool) -> str:
    """Who would play once more, and whose answer is awaited besides that of who reads it; `own` to who has agreed."""
    listed = {"agreed": listed_names(agreed), "waiting": listed_names(waiting)}
    if own:
        return _("You would play a rematch. Not agreed yet: %(waiting)s.") % listed
    if not waiting:
        sentence = ngettext(
            "%(agreed)s would play a rematch. You have not agreed yet.",
            "%(agreed)s would play a rematch. You have not agreed yet.",
            len(agreed),
        )
    else:
        sentence = ngettext(
            "%(agreed)s would play a rematch. Besides you, not agreed yet: %(waiting)s.",
            "%(agreed)s would play a rematch. Besides you, not agreed yet: %(waiting)s.",
            len(agreed),
        )
    return sentence % listed


def nobody_called(what: str, name: str) -> str:
    """That a name does not say who is meant."""
    if what == "several":
        sentence = _("Several people are called %(name)s. Please give the login name, which stands on the profile.")
    else:
        sentence = _("Nobody here is called %(name)s. Please look at the spelling.")
    return sentence % {"name": isolated_name(name)}


def cannot_invite(what: str) -> str:
    """Why somebody can't be invited to a table."""
    sentences = {
        "self": _("You are the host of this table, so you need no invitation."),
        "bot": _("Bots need no invitation: give one a free seat."),
        "seated": _("This person is sitting at the table already."),
        "declined": _("This person has declined to come to this table."),
        "apart": _("You can't invite this person."),
    }
    return sentences[what]
