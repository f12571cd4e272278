"""Why a move, an option or a deal of Block Buster is refused, and what to do: a sentence for every code."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.block_buster.texts.names import colour_name, listed, mode_name
from games.contract.values import Params


def _with_colour(sentence: str, params: Params) -> str:
    """The sentence with its parameters, the colour by its name."""
    return capfirst(sentence % {**params, "colour": colour_name(str(params["colour"]))})


def _gap(params: Params) -> str:
    gap = int(str(params["gap"]))
    return ngettext("a gap of %(gap)d cell", "a gap of %(gap)d cells", gap) % {"gap": gap}


def _too_far(params: Params) -> str:
    return _(
        "Between this place and your blocks there is %(gap)s. That costs %(cost)s points in tokens; you have taken "
        "%(taken)s already, and nobody may go beyond %(limit)s. Choose a place closer by."
    ) % {**params, "gap": _gap(params), "taken": -int(str(params["tokens"]))}


def _supply(params: Params) -> str:
    return _(
        "Between this place and your blocks there is %(gap)s. That costs %(cost)s points in tokens, which the supply "
        "can’t pay: it has %(big)s tokens of 2 and %(small)s of 1 left. Choose a place closer by."
    ) % {**params, "gap": _gap(params)}


def _values(params: Params, key: str) -> str:
    values = params[key]
    return listed([str(value) for value in values]) if isinstance(values, tuple) else str(values)


def _wrong_type(params: Params) -> str:
    return {
        "options": _("The options must be an object."),
        "deal": _("The deal must be an object."),
        "layout": _("The layout of the deal must be a list of texts."),
    }[str(params["key"])]


def _mode_players(params: Params) -> str:
    return _("The mode “%(mode)s” is not for %(players)s players, but for %(allows)s.") % {
        "mode": mode_name(str(params["mode"])),
        "players": params["players"],
        "allows": _values(params, "allows"),
    }


REFUSALS: Mapping[str, Callable[[Params], str]] = {
    "malformed": lambda params: _("This is not the text of a move. A move looks like L4 c3 c4 c5 d5 or pass."),
    "over": lambda params: _("The match is over, so nothing more can be played."),
    "not-your-turn": lambda params: _("It is the turn of another player. Wait until it is yours."),
    "can-join": lambda params: _with_colour(
        _(
            "%(colour)s can still be joined without a gap, with block %(block)s for example. "
            "Passing is allowed only when no block can be joined."
        ),
        params,
    ),
    "left-out": lambda params: _("Block %(block)s is left out with so many players. Choose another block.") % params,
    "used": lambda params: _with_colour(
        _("%(colour)s has placed block %(block)s already. Choose a block that is left."), params
    ),
    "off-board": lambda params: (
        _("%(cell)s is outside the board of %(size)s by %(size)s cells. Choose a place on the board.") % params
    ),
    "wrong-shape": lambda params: (
        _(
            "These cells do not have the shape of block %(block)s, however it is turned or flipped. "
            "Place them in its shape, or choose another block."
        )
        % params
    ),
    "not-sorted": lambda params: _("The cells must be listed row by row from the top, and within a row from the left."),
    "point-block": lambda params: (
        _("At %(cell)s there is a point block, which may not be covered. Choose free cells.") % params
    ),
    "occupied": lambda params: (
        _("A block lies at %(cell)s already (%(colour)s). Choose free cells.")
        % {"cell": params["cell"], "colour": colour_name(str(params["colour"]))}
    ),
    "too-far": _too_far,
    "supply": _supply,
    # A table's options, and records from elsewhere
    "player-count": lambda params: (
        _("Block Buster is for %(least)s to %(most)s players, and not for %(players)s.") % params
    ),
    "unknown-option": lambda params: _("Block Buster has no option “%(option)s”.") % params,
    "bad-option": lambda params: (
        _("The option “%(option)s” has no such value. Choose one of these: %(values)s.")
        % {"option": params["option"], "values": _values(params, "values")}
    ),
    "mode-players": _mode_players,
    "no-collection": lambda params: (
        _("In the mode “%(mode)s” the size of a collection can’t be chosen.") % {"mode": mode_name(str(params["mode"]))}
    ),
    "wrong-type": _wrong_type,
    "missing-key": lambda params: _("“%(key)s” is missing from the deal.") % params,
    "layout-size": lambda params: (
        _("The layout must have %(tiles)s rows of %(tiles)s letters for this board.") % params
    ),
    "unknown-shape": lambda params: (
        _("Row %(row)s of the layout has a letter that is no shape on this board; the shapes are %(shapes)s.") % params
    ),
    "shape-count": lambda params: (
        _("The layout must have the shape %(shape)s %(wanted)s times; it has it %(count)s times.") % params
    ),
    "not-fixed": lambda params: (
        _("With the fixed layout the rows must be %(layout)s.") % {"layout": _values(params, "layout")}
    ),
}
