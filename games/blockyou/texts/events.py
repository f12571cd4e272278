"""What happens in BlockYou!, in sentences with the players' names; "" where the house or the claim says it already."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext as _

from games.blockyou.texts.names import claim_place
from games.contract.values import ROUND_OVER, Params


def _placed(params: Params, names: Sequence[str]) -> str:
    given = {"name": _seated(params, names), "place": claim_place(params["claim"])}
    return _("BlockYou! %(name)s has placed at %(place)s.") % given


def _wrong(params: Params, names: Sequence[str]) -> str:
    given = {"name": _seated(params, names), "place": claim_place(params["claim"])}
    if params["penalty"]:
        return _("%(name)s was wrong at %(place)s: the colours do not match. A penalty card.") % given
    return _("%(name)s was wrong at %(place)s: the colours do not match. The card goes back.") % given


def _self_block(params: Params, names: Sequence[str]) -> str:
    given = {"name": _seated(params, names)}
    if params["penalty"]:
        return _("The card of %(name)s points at its own player. A penalty card.") % given
    return _("The card of %(name)s points at its own player, and goes back.") % given


def _bounced(params: Params, names: Sequence[str]) -> str:
    given = {"name": _seated(params, names), "margin": params["margin"]}
    if "by" not in params:
        return _("The claim of %(name)s bounced: the area had changed there by %(margin)d ms.") % given
    given["by"] = names[params["by"]]
    return _("The claim of %(name)s bounced: %(by)s was there earlier by %(margin)d ms.") % given


def _dropped(params: Params, names: Sequence[str]) -> str:
    given = {"name": _seated(params, names)}
    if params["why"] == "round-over":
        return _("The claim of %(name)s came too late: the round was over.") % given
    given |= {"by": names[params["by"]], "margin": params["margin"]}
    return _("The claim of %(name)s came too late: blocked by %(by)s, earlier by %(margin)d ms.") % given


EVENTS: Mapping[str, Callable[[Params, Sequence[str]], str]] = {
    "opened": lambda params, names: "",
    "claimed": lambda params, names: "",
    "placed": _placed,
    "blocked": lambda params, names: (
        _("%(name)s is blocked by %(by)s.") % {"name": _seated(params, names), "by": names[params["by"]]}
    ),
    "wrong": _wrong,
    "self-block": _self_block,
    "bounced": _bounced,
    "dropped": _dropped,
    "last": lambda params, names: _("%(name)s was the last: the card goes back.") % {"name": _seated(params, names)},
    "final": lambda params, names: _("Only one still searches: ten seconds at the most."),
    "stalemate": lambda params, names: _("No card fits safely anywhere: all go back."),
    "capped": lambda params, names: _("The time of the round is up."),
    "final-over": lambda params, names: _("The ten seconds are over."),
    "refreshed": lambda params, names: (
        _("The area is refreshed at %(place)s.") % {"place": claim_place(params["claim"])}
    ),
    "passed-over": lambda params, names: _("Round %(round)d is passed over: nobody may play.") % params,
    ROUND_OVER: lambda params, names: _("Round %(round)d is over.") % params,
    "cleared": lambda params, names: "",  # the house says it, with the result
    "stalled": lambda params, names: "",
    "ran-out": lambda params, names: _("The time for the card has run out: it goes back."),
    "nofit-right": lambda params, names: _("Right: nothing was safe. The card goes back."),
    "nofit-wrong": lambda params, names: _("Wrong: there was a safe place. 10 seconds are added."),
}


def _seated(params: Params, names: Sequence[str]) -> str:
    return names[params["seat"]]
