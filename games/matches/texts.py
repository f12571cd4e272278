"""The sentences of the house about matches: refusals, what is going on. Plain text, to be escaped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.people.names import isolated_name
from games.contract.registry import Game, get_game
from games.contract.values import Viewer
from games.matches.errors import Refused, RefusedByRules
from games.matches.log import load_event
from games.matches.models import Move


def refusal(error: Refused) -> str:
    """Why something was refused and what to do, as a player understands it."""
    if isinstance(error, RefusedByRules):
        return get_game(error.game).texts.refusal(error.rule, error.rule_params)
    sentence = _REFUSALS.get(error.code, _REFUSALS["refused"])
    return sentence(error.params)


_REFUSALS: dict[str, Callable[[dict[str, Any]], str]] = {
    "refused": lambda params: _("That is not possible now."),
    "not-found": lambda params: _("There is no such match here, or it is not open to you."),
    "not-logged-in": lambda params: _("Please log in first: only registered people can do this."),
    "not-seated": lambda params: _("You have no seat here, so you can only look on."),
    "not-host": lambda params: _("Only the host of this table can do this."),
    "not-your-turn": lambda params: _("It is not your turn. Nothing has changed."),
    "stale-turn": lambda params: _("The match has moved on since you chose this move. Please look again."),
    "key-reused": lambda params: _("This move was sent before in another form. Please load the page again."),
    "not-running": lambda params: _("This match is not running, so nothing can be played."),
    "not-waiting": lambda params: _("This table no longer waits for players."),
    "seat-taken": lambda params: _("Somebody has just taken this seat. Please choose another one."),
    "table-full": lambda params: _("All seats at this table are taken."),
    "already-seated": lambda params: _("You are sitting at this table already."),
    "too-late-to-cancel": lambda params: _(
        "Everybody has moved by now, so the match can't be called off. You can offer to end it, or resign."
    ),
    "too-many": lambda params: _too_many(params.get("what", "")),
    "stale-form": lambda params: _("This page is from before you logged in or out. Please load it again."),
    "failed": lambda params: _("Something broke on our side. Nothing has changed; please try again."),
    "bad-input": lambda params: _bad_input(params.get("what", "")),
}


def _too_many(what: str) -> str:
    sentences = {
        "matches": _("You have many matches under way already. Please bring some of them to an end first."),
        "hour": _("You have opened many tables within the hour. Please play at some of them first."),
    }
    return sentences.get(what, _("You have many open tables already. Please close one of them first."))


def _bad_input(what: str) -> str:
    sentences = {
        "act": _("This page does not know what you asked for. Please load it again."),
        "message": _("The message could not be read. Please load the page again."),
        "move": _("This is too long to be a move."),
        "key": _("The form is damaged. Please load the page again."),
        "seats": _("This game can't be played by that many."),
        "seat": _("There is no such seat to choose."),
        "level": _("There is no such bot."),
        "rate": _("That was a little fast. Please wait a moment and try again."),
    }
    return sentences.get(what, _("The form has a value that is not offered. Please choose again."))


def move_lines(move: Move, *, game: Game, names: Sequence[str], viewer: Viewer) -> list[str]:
    """A move of the log in words, and what followed, as far as the viewer may know."""
    isolated = [isolated_name(name) for name in names]
    lines = [game.texts.move(move.seen_by(viewer), move.seat, isolated)]
    events = (load_event(data) for data in move.events)
    lines += [game.texts.event(event, isolated) for event in events if event.seen_by(viewer)]
    return [line for line in lines if line]


def prompt(game: Game, view: Any, names: Sequence[str]) -> str:
    """What is to be done now, said to the view's viewer."""
    return game.texts.prompt(view, [isolated_name(name) for name in names])


def offer_to_end(*, offering: Sequence[str], waiting: Sequence[str], own: bool) -> str:
    """That some would end the match without a result, said to a player: who they are, or whose answer is awaited."""
    listed = {"offering": _named(offering), "waiting": _named(waiting)}
    if own:
        return _("You would end this match without a result. Not agreed yet: %(waiting)s.") % listed
    return (
        ngettext(
            "%(offering)s offers to end this match without a result.",
            "%(offering)s offer to end this match without a result.",
            len(offering),
        )
        % listed
    )


def _named(names: Sequence[str]) -> str:
    return _(", ").join(isolated_name(name) for name in names)
