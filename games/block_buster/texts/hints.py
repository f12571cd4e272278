"""Why a suggested move of Block Buster is a good one: for each code of `bots/reasons.py` the part of a sentence.

The parts are said of the move: "acquires the point block A at f6 for good and costs no tokens".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.block_buster.texts.names import colour_name
from games.contract.values import Params


def _wins(params: Params) -> str:
    count = int(params["count"])
    return ngettext(
        "wins at once with %(count)d point block of the shape %(shape)s",
        "wins at once with %(count)d point blocks of the shape %(shape)s",
        count,
    ) % {"count": count, "shape": params["shape"]}


def _with_colour(sentence: str, params: Params) -> str:
    return sentence % {**params, "colour": colour_name(str(params["colour"]))}


def _jumps(params: Params) -> str:
    cost = int(params["cost"])
    return ngettext(
        "is worth the jump for %(cost)d point in tokens",
        "is worth the jump for %(cost)d points in tokens",
        cost,
    ) % {"cost": cost}


def _large(params: Params) -> str:
    squares = int(params["squares"])
    return ngettext(
        "places %(squares)d square while there is room for so large a block",
        "places %(squares)d squares while there is room for so large a block",
        squares,
    ) % {"squares": squares}


def _opens(params: Params) -> str:
    cells = int(params["cells"])
    return ngettext(
        "opens %(cells)d more cell for your next blocks",
        "opens %(cells)d more cells for your next blocks",
        cells,
    ) % {"cells": cells}


HINTS: Mapping[str, Callable[[Params], str]] = {
    "wins": _wins,
    "prevents": lambda params: _with_colour(
        _("keeps %(colour)s from completing a collection of the shape %(shape)s"), params
    ),
    "threatens": lambda params: _("threatens to complete a collection of the shape %(shape)s") % params,
    "acquires": lambda params: _("acquires the point block %(shape)s at %(cell)s for good") % params,
    "overtakes": lambda params: _with_colour(
        _("takes the point block %(shape)s at %(cell)s from %(colour)s for now"), params
    ),
    "leads": lambda params: _("takes the lead around the point block %(shape)s at %(cell)s") % params,
    "halts": lambda params: _with_colour(
        _("ends the lead of %(colour)s around the point block %(shape)s at %(cell)s"), params
    ),
    "large": _large,
    "opens": _opens,
    "joins": lambda params: _("costs no tokens"),
    "jumps": _jumps,
    "passes": lambda params: _("is best (no block can be joined and no jump is worth its cost)"),
}
