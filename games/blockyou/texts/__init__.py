"""The sentences of BlockYou!: labels for its pictures, refusals, claims and events in words, what is to be done now.

Everything is plain text, to be escaped by whoever puts it on a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.blockyou.notation import CLAIM, HIDDEN
from games.blockyou.texts.events import EVENTS
from games.blockyou.texts.hints import HINTS
from games.blockyou.texts.labels import LABELS
from games.blockyou.texts.lessons import EXPLANATIONS, LESSONS
from games.blockyou.texts.names import DEGREES, place_name, way_name
from games.blockyou.texts.refusals import REFUSALS
from games.blockyou.view import BlockYouView
from games.contract.durations import to_the_millisecond
from games.contract.lessons import LessonWords
from games.contract.values import Event, Options, OptionValue, Params


def say(code: str, **params: Any) -> str:
    """A label for the presenter, by one of the codes in `labels.py`."""
    return LABELS[code](**params)


def refusal(code: str, params: Params) -> str:
    """Why a claim, option or deal was refused, and what to do. An unknown code is said in general words."""
    sentence = REFUSALS.get(code)
    return sentence(params) if sentence else _("The rules of BlockYou! do not allow that.")


def lesson(key: str) -> LessonWords:
    """The words of a lesson."""
    return LESSONS[key]()


def explanation(code: str) -> str:
    """Why a legal move is not what a lesson asks for."""
    return EXPLANATIONS[code]()


def move(text: str, seat: int, names: Sequence[str]) -> str:
    """A claim in words. A text from `view_move` may hide it."""
    name = names[seat]
    if text == HIDDEN:
        return _("%(name)s claims a place.") % {"name": name}
    found = CLAIM.fullmatch(text)
    if found is None:
        return _("%(name)s says that nothing fits.") % {"name": name}
    row, col, turn = map(int, found.groups())
    given = {"name": name, "place": place_name(row, col), "degrees": DEGREES * turn}
    if turn:
        return _("%(name)s claims %(place)s, turned by %(degrees)d°.") % given
    return _("%(name)s claims %(place)s.") % given


def event(event: Event, names: Sequence[str]) -> str:
    """An event in words."""
    return EVENTS[event.code](event.params, names)


def hint(code: str, params: Params) -> str:
    """One reason of a hint, by one of the codes in `hints.py`."""
    return HINTS[code](**params)


def prompt(view: BlockYouView, names: Sequence[str]) -> str:
    """What is to be done now, said to the view's viewer, in about a line."""
    if view.phase == "over":
        return _("The match is over.")
    if view.solo:
        return _prompt_alone(view)
    seat = view.viewer
    if view.phase == "countdown":
        if isinstance(seat, int) and view.sits_out_next[seat]:
            return _("Round %(round)d comes, and you sit it out.") % {"round": view.round}
        return _("Round %(round)d comes: look at the area, and wait for zero.") % {"round": view.round}
    if isinstance(seat, int):
        return _prompt_in_round(view, seat, names)
    searching = _searching(view, names)
    if view.phase == "final":
        return _("%(names)s has ten seconds at the most.") % {"names": searching}
    return _("Round %(round)d. Searching: %(names)s.") % {"round": view.round, "names": searching}


def _prompt_alone(view: BlockYouView) -> str:
    if view.viewer != 0:
        return _("Card %(number)d is to be placed.") % {"number": view.round}
    if view.phase == "countdown":
        return _("Look at the area, and wait for zero: then your first card is turned up.")
    return _("Place card %(number)d with no finger pointing south, or say “No fit”.") % {"number": view.round}


def _prompt_in_round(view: BlockYouView, seat: int, names: Sequence[str]) -> str:
    status = view.status[seat]
    if status == "searching":
        if view.waiting[seat] is not None:
            return _("Your claim is in. The verdict follows at once.")
        if view.phase == "final":
            return _("You are the last who searches: ten seconds at the most.")
        return _("Find a place for your card. No finger may point %(direction)s, at you.") % {
            "direction": way_name(view.compass[seat])
        }
    if status == "placed":
        return _("BlockYou! You are done. Still searching: %(names)s.") % {"names": _searching(view, names)}
    given = {"names": _searching(view, names)}
    if status == "blocked":
        return _("You are blocked in this round. Still searching: %(names)s.") % given
    if status == "erred":
        return _("Wrong: you also sit out the next round. Still searching: %(names)s.") % given
    return _("You sit out this round. Searching: %(names)s.") % given


def _searching(view: BlockYouView, names: Sequence[str]) -> str:
    found = [names[seat] for seat, status in enumerate(view.status) if status == "searching"]
    return _(", ").join(found) or _("nobody")


def score(score: int, players: int) -> str:
    """Cards left; solo, the time with its penalties."""
    return to_the_millisecond(score) if players == 1 else str(score)


def counted(score: int, players: int) -> str:
    """The score with what it counts."""
    if players == 1:
        return _("time %(time)s") % {"time": to_the_millisecond(score)}
    return ngettext("%(count)d card left", "%(count)d cards left", score) % {"count": score}


def reason(code: str) -> str:
    """Why a match of BlockYou! ended, in a few words."""
    return {
        "cleared": _("somebody has got rid of all cards"),
        "stalled": _("no card was placed for a long time"),
    }[code]


def reason_alone(code: str) -> str:
    """Why a match of one ended, in a few words."""
    return {"cleared": _("the last card has been placed"), "stalled": _("half an hour has passed")}[code]


def tagline() -> str:
    """The game in a sentence."""
    return _("All search at once: find a place for your card before the fingers of another card stop you.")


def option(key: str) -> str:
    """The option's label."""
    return {"deck": pgettext("option", "Cards"), "pace": pgettext("option", "Pace alone")}[key]


def option_value(key: str, value: OptionValue) -> tuple[str, str]:
    """The value's label, and a sentence that explains it."""
    explained: Mapping[tuple[str, str], tuple[str, str]] = {
        ("deck", "standard"): (pgettext("deck", "Standard"), _("Five colours and white.")),
        ("deck", "easy"): (pgettext("deck", "Easy"), _("Four colours and white: more places fit.")),
        ("pace", "normal"): (pgettext("pace", "Normal"), _("Alone, each card may lie open for 30 seconds.")),
        ("pace", "expert"): (pgettext("pace", "Expert"), _("Alone, each card may lie open for 10 seconds.")),
    }
    return explained[key, str(value)]


def seat(options: Options, players: int, seat: int) -> str:
    """Nothing: who sits in which direction is drawn by lot when the match starts."""
    return ""
