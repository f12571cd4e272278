"""The sentences of Block Buster: labels for its pictures, refusals, moves and events in words, what is to be done now.

Everything is plain text, to be escaped by whoever puts it on a page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.block_buster.modes import COLOURS, MODES
from games.block_buster.notation import format_cell, parse_move
from games.block_buster.position import Pass, Place
from games.block_buster.texts.hints import HINTS
from games.block_buster.texts.labels import LABELS
from games.block_buster.texts.lessons import EXPLANATIONS, LESSONS
from games.block_buster.texts.names import colour_name, listed, mode_name
from games.block_buster.texts.refusals import REFUSALS
from games.block_buster.view import View
from games.contract.lessons import LessonWords
from games.contract.values import Event, Options, OptionValue, Params


def say(code: str, **params: Any) -> str:
    """A label for the presenter, by one of the codes in `labels.py`."""
    return LABELS[code](**params)


def refusal(code: str, params: Params) -> str:
    """Why a move, option or deal was refused, and what to do. An unknown code is said in general words."""
    sentence = REFUSALS.get(code)
    return sentence(params) if sentence else _("That is not possible by the rules of Block Buster.")


def lesson(key: str) -> LessonWords:
    """The words of a lesson."""
    return LESSONS[key]()


def explanation(code: str) -> str:
    """Why a legal move is not what a lesson asks for."""
    return EXPLANATIONS[code]()


def move(text: str, seat: int, names: Sequence[str]) -> str:
    """A move in words; all cells of a placement are named, so that who does not see it knows where it lies."""
    match parse_move(text):
        case Place(block, cells):
            return _("%(name)s places block %(block)s at %(cell)s.") % {
                "name": names[seat],
                "block": block,
                "cell": " ".join(map(format_cell, cells)),
            }
        case Pass():
            return _("%(name)s passes.") % {"name": names[seat]}


def event(event: Event, names: Sequence[str]) -> str:
    """An event in words."""
    return _EVENTS[event.code](event.params, names)


def hint(code: str, params: Params) -> str:
    """One reason of a hint, by one of the codes in `bots/reasons.py`; a part of a sentence about the move."""
    return HINTS[code](params)


def prompt(view: View, names: Sequence[str]) -> str:
    """What is to be done now, said to the view's viewer."""
    if view.outcome is not None:
        return _("The match is over: %(reason)s.") % {"reason": reason(view.outcome.reason)}
    if view.to_move is None or view.colour is None:
        return ""
    turn = {"name": names[view.to_move], "colour": colour_name(COLOURS[view.colour])}
    if not view.may_act:
        if view.own_colours and set(view.own_colours) <= set(view.out):
            return _("You are out. It is the turn of %(name)s with %(colour)s.") % turn
        return _("It is the turn of %(name)s with %(colour)s.") % turn
    if not view.cells[view.colour]:
        return _("Your turn with %(colour)s: place the first block anywhere.") % turn
    if view.may_pass:
        return _("Your turn with %(colour)s: no block can be joined. Jump for tokens, or pass for good.") % turn
    return _("Your turn with %(colour)s: place a block beside yours.") % turn


def reason(code: str) -> str:
    """Why a match of Block Buster ended, in a few words."""
    return {
        "collection": _("a collection of point blocks is complete"),
        "exhausted": _("no colour can go on"),
    }[code]


def tagline() -> str:
    """The game in a sentence."""
    return _("Crowd your blocks around the point blocks: who has most of a ring takes what is in its middle.")


def option(key: str) -> str:
    """The option's label."""
    return {
        "mode": _("Mode"),
        "layout": _("Point blocks"),
        "collection": _("A collection that wins at once"),
    }[key]


def option_value(key: str, value: OptionValue) -> tuple[str, str]:
    """The value's label, and a sentence that explains it."""
    explained: dict[tuple[str, str], tuple[str, str]] = {
        ("mode", "standard"): (
            mode_name("standard"),
            _("Everybody plays one colour, on a board that grows with the number of players."),
        ),
        ("mode", "two-colours"): (
            mode_name("two-colours"),
            _("Two players with two colours each, on the large board."),
        ),
        ("mode", "official-duel"): (
            mode_name("official-duel"),
            _("Two players with two of each block in one colour, on the large board."),
        ),
        ("mode", "pairs"): (
            mode_name("pairs"),
            _("Four players in two teams, who sit across from each other and add up their points."),
        ),
        ("layout", "fixed"): (
            pgettext("layout", "Fixed"),
            _("The point blocks lie in the same places in every match."),
        ),
        ("layout", "random"): (
            pgettext("layout", "Random"),
            _("The point blocks are shuffled, so that equal ones do not lie side by side."),
        ),
        ("collection", "3"): (_("3 of a shape"), _("The usual number with two players.")),
        ("collection", "4"): (_("4 of a shape"), _("For a longer match.")),
    }
    return explained[key, str(value)]


def seat(options: Options, players: int, seat: int) -> str:
    """The colours that the seat plays."""
    owners = MODES[str(options["mode"]), players].owners
    return listed([colour_name(COLOURS[colour]) for colour, owner in enumerate(owners) if owner == seat])


def _jumped(params: Params, names: Sequence[str]) -> str:
    gap = _number(params, "gap")
    return ngettext(
        "The jump over %(gap)d cell costs %(cost)d points in tokens.",
        "The jump over %(gap)d cells costs %(cost)d points in tokens.",
        gap,
    ) % {"gap": gap, "cost": _number(params, "cost")}


def _collected(params: Params, names: Sequence[str]) -> str:
    count = _number(params, "count")
    return ngettext(
        "%(name)s has a collection: %(count)d point block of the shape %(shape)s.",
        "%(name)s has a collection: %(count)d point blocks of the shape %(shape)s.",
        count,
    ) % {"name": _seated(params, names), "count": count, "shape": params["shape"]}


_EVENTS: Mapping[str, Callable[[Params, Sequence[str]], str]] = {
    "played": lambda params, names: _("Played with %(colour)s.") % {"colour": _colour(params)},
    "jumped": _jumped,
    "acquired": lambda params, names: capfirst(
        _("%(colour)s has acquired the point block %(shape)s at %(cell)s.")
        % {"colour": _colour(params), "shape": params["shape"], "cell": params["cell"]}
    ),
    "collected": _collected,
    "out": lambda params, names: capfirst(
        _("%(colour)s (%(name)s) is out.") % {"colour": _colour(params), "name": _seated(params, names)}
    ),
    "ended": lambda params, names: _("The match is over: %(reason)s.") % {"reason": reason(str(params["reason"]))},
}


def _colour(params: Params) -> str:
    return colour_name(str(params["colour"]))


def _seated(params: Params, names: Sequence[str]) -> str:
    return names[_number(params, "seat")]


def _number(params: Params, key: str) -> int:
    return int(str(params[key]))
