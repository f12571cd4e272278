"""Why a claim, an option or a deal of BlockYou! is refused, and what to do: a sentence for every code of the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _

from games.contract.values import Params


def _wrong_type(params: Params) -> str:
    if "number" in params:
        return _("Item %(number)s of “%(key)s” in the deal must be a whole number.") % params
    return {
        "options": _("The options must be an object."),
        "deal": _("The deal must be an object."),
        "deck": _("The deck of the deal must be a list."),
        "turns": _("The turns of the deal must be a list."),
        "compass": _("The compass of the deal must be a list."),
    }[params["key"]]


def _bad_option(params: Params) -> str:
    return _("The option “%(option)s” has no such value. Choose one of these: %(values)s.") % {
        "option": params["option"],
        "values": _(", ").join(params["values"]),
    }


REFUSALS: Mapping[str, Callable[[Params], str]] = {
    "malformed": lambda params: _("This is not the text of a claim. A claim looks like 3,0/2: row, column and turn."),
    "over": lambda params: _("The match is over, so nothing more can be placed."),
    "not-open": lambda params: _("No round is open. Wait until the countdown is at zero."),
    "sitting-out": lambda params: _("You sit out this round. You are in again in the next one."),
    "done": lambda params: _("You have placed your card already. Wait for the next round."),
    "blocked": lambda params: _("You have been blocked, so your claim came too late. Wait for the next round."),
    "erred": lambda params: _("Your last claim was wrong, so you are out of this round."),
    "claim-waiting": lambda params: _("Your last claim still waits for its verdict. There is only one at a time."),
    "too-late": lambda params: _("Your claim came too late: the time was up."),
    "nofit-in-company": lambda params: _("Only who plays alone can say that nothing fits. Go on searching."),
    # A table's options, and records from elsewhere
    "player-count": lambda params: (
        _("BlockYou! is for %(least)s to %(most)s players, and not for %(players)s.") % params
    ),
    "unknown-option": lambda params: _("BlockYou! has no option “%(option)s”.") % params,
    "bad-option": _bad_option,
    "wrong-type": _wrong_type,
    "missing-key": lambda params: _("“%(key)s” is missing from the deal.") % params,
    "wrong-count": lambda params: _("“%(key)s” in the deal has %(count)s items; it must have %(wanted)s.") % params,
    "unknown-card": lambda params: _("Item %(number)s of the deck is not the number of a card, 0 to 87.") % params,
    "unknown-turn": lambda params: _("Item %(number)s of the turns is not a turn, 0 to 3.") % params,
    "duplicate-card": lambda params: _("Card %(card)s is in the deck more than once.") % params,
    "wrong-compass": lambda params: (
        _("The compass of the deal does not have the directions in which %(players)s players sit.") % params
    ),
}
