"""The sentences of M: labels for its pictures, refusals, moves and events in words, what is to be done now.

Everything is plain text, to be escaped by whoever puts it on a page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.contract.lessons import LessonWords
from games.contract.values import Event, Options, OptionValue, Params
from games.m.notation import format_cell, parse_move
from games.m.position import HIDDEN, Pass, Place, Take, View
from games.m.texts.hints import HINTS
from games.m.texts.labels import LABELS
from games.m.texts.lessons import EXPLANATIONS, LESSONS
from games.m.texts.names import tile_name
from games.m.texts.refusals import REFUSALS


def say(code: str, **params: Any) -> str:
    """A label for the presenter, by one of the codes in `labels.py`."""
    return LABELS[code](**params)


def refusal(code: str, params: Params) -> str:
    """Why a move, option or deal was refused, and what to do. An unknown code is said in general words."""
    sentence = REFUSALS.get(code)
    return sentence(params) if sentence else _("That is not possible by the rules of M.")


def lesson(key: str) -> LessonWords:
    """The words of a lesson."""
    return LESSONS[key]()


def explanation(code: str) -> str:
    """Why a legal move is not what a lesson asks for."""
    return EXPLANATIONS[code]()


def move(text: str, seat: int, names: Sequence[str]) -> str:
    """A move in words. A text from `view_move` may hide which tile was exchanged."""
    name = names[seat]
    if text == f"pass {HIDDEN}":
        return _("%(name)s passes and exchanges a tile.") % {"name": name}
    match parse_move(text):
        case Place(tile, cell, _line):
            return _("%(name)s places %(tile)s at %(cell)s.") % {
                "name": name,
                "tile": tile_name(tile),
                "cell": format_cell(cell),
            }
        case Take(cell):
            return _("%(name)s takes the tile at %(cell)s.") % {"name": name, "cell": format_cell(cell)}
        case Pass(None):
            return _("%(name)s passes.") % {"name": name}
        case Pass(tile):
            return _("%(name)s passes and exchanges %(tile)s.") % {"name": name, "tile": tile_name(str(tile))}


def event(event: Event, names: Sequence[str]) -> str:
    """An event in words."""
    return _EVENTS[event.code](event.params, names)


def prompt(view: View, names: Sequence[str]) -> str:
    """What is to be done now, said to the view's viewer."""
    if view.outcome is not None:
        return _("The match is over: %(reason)s.") % {"reason": reason(view.outcome.reason)}
    if view.to_move is None:
        return ""
    if not view.may_act:
        name = {"name": names[view.to_move]}
        if view.phase == "take":
            return _("%(name)s takes a tile of the line.") % name
        return _("It is the turn of %(name)s.") % name
    if view.phase == "take":
        return _("Your pick: take one of the marked tiles.")
    if view.fits:
        return _("Your turn: choose a tile and place it, or pass.")
    if view.hand_sizes[view.to_move] == 0:
        return _("Your turn: you have no tile left, so you can only pass.")
    return _("Your turn: none of your tiles fits anywhere, so you can only pass.")


def hint(code: str, params: Params) -> str:
    """One reason of a hint, by one of the codes in `hints.py`."""
    return HINTS[code](**params)


def reason(code: str) -> str:
    """Why a match of M ended, in a few words."""
    return {
        "scored": _("a scoring round was played with the stack empty"),
        "blocked": _("nobody can place a tile any more"),
        "stalled": _("everybody has passed three times in a row"),
    }[code]


def tagline() -> str:
    """The game in a sentence."""
    return _("Lay impossible figures side by side, and choose well what you take home: only two colours count for you.")


def option(key: str) -> str:
    """The option's label."""
    return {"start": _("Starting tiles")}[key]


def option_value(key: str, value: OptionValue) -> tuple[str, str]:
    """The value's label, and a sentence that explains it."""
    return {
        ("start", "zigzag"): (
            pgettext("starting tiles", "Zigzag"),
            _("The first five tiles touch only at their corners, like the points of a letter M."),
        ),
        ("start", "arch"): (
            pgettext("starting tiles", "Arch"),
            _("The first five tiles lie side by side and bend, like a rounded letter M."),
        ),
    }[key, str(value)]


def seat(options: Options, players: int, seat: int) -> str:
    """All seats are alike."""
    return ""


def _chips(params: Params, names: Sequence[str]) -> str:
    count = params["count"]
    return ngettext(
        "%(name)s takes %(count)d chip from %(giver)s.", "%(name)s takes %(count)d chips from %(giver)s.", count
    ) % {"name": _seated(params, "seat", names), "giver": _seated(params, "giver", names), "count": count}


def _round(params: Params, names: Sequence[str]) -> str:
    given = {"name": _seated(params, "seat", names), "count": len(params["cells"])}
    if params["line"] == "row":
        return _("%(name)s begins a scoring round: a row of %(count)d tiles.") % given
    return _("%(name)s begins a scoring round: a column of %(count)d tiles.") % given


_EVENTS: Mapping[str, Callable[[Params, Sequence[str]], str]] = {
    "chips": _chips,
    "paid": lambda params, names: (
        _("%(name)s pays a chip to %(to)s.")
        % {"name": _seated(params, "seat", names), "to": _seated(params, "to", names)}
    ),
    "round": _round,
    "took": lambda params, names: _("Taken: %(tile)s.") % {"tile": tile_name(params["tile"])},
    "round-over": lambda params, names: _("The scoring round is over."),
    "exchanged": lambda params, names: capfirst(
        _("%(tile)s goes under the stack; %(drew)s is drawn.")
        % {"tile": tile_name(params["tile"]), "drew": tile_name(params["drew"])}
    ),
    "drew": lambda params, names: (
        _("%(name)s draws %(tile)s.") % {"name": _seated(params, "seat", names), "tile": tile_name(params["tile"])}
    ),
    "stack-empty": lambda params, names: _("The stack is empty: the next scoring round will end the match."),
    "ended": lambda params, names: "",  # the house says it, with the result
}


def _seated(params: Params, key: str, names: Sequence[str]) -> str:
    return names[params[key]]
