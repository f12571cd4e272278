"""Why a move, an option or a deal of M is refused, and what to do: a sentence for every code of the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.contract.values import Params
from games.m.texts.names import tile_name


def _mismatch(params: Params) -> str:
    sentence = _(
        "%(tile)s has neither colour, figure nor value in common with %(neighbour)s at %(cell)s. "
        "Choose a place where it matches every neighbour."
    ) % {
        "tile": tile_name(params["tile"]),
        "neighbour": tile_name(params["neighbour"]),
        "cell": params["cell"],
    }
    return capfirst(sentence)


def _line_not_asked(params: Params) -> str:
    if params["lines"] == "row":
        return _("Only the row scores here. Place the tile without saying which line counts.")
    if params["lines"] == "col":
        return _("Only the column scores here. Place the tile without saying which line counts.")
    return _("Neither row nor column scores here. Place the tile without saying which line counts.")


def _wrong_type(params: Params) -> str:
    if "number" in params:
        return _("Number %(number)s of the tiles must be a text.") % params
    return {
        "options": _("The options must be an object."),
        "deal": _("The deal must be an object."),
        "tiles": _("The tiles of the deal must be a list."),
        "first": _("The seat that starts must be a whole number."),
    }[params["key"]]


def _bad_option(params: Params) -> str:
    return _("The option “%(option)s” has no such value. Choose one of these: %(values)s.") % {
        "option": params["option"],
        "values": _(", ").join(params["values"]),
    }


def _duplicate_tile(params: Params) -> str:
    copies = params["copies"]
    sentence = ngettext(
        "%(tile)s is in the deal too often: there is only %(copies)d such tile.",
        "%(tile)s is in the deal too often: there are only %(copies)d such tiles.",
        copies,
    ) % {"tile": tile_name(params["tile"]), "copies": copies}
    return capfirst(sentence)


REFUSALS: Mapping[str, Callable[[Params], str]] = {
    "malformed": lambda params: _("This is not the text of a move. A move looks like RT3@2,-1 or take 2,-1 or pass."),
    "over": lambda params: _("The match is over, so nothing more can be played."),
    "not-your-turn": lambda params: _("It is the turn of another player. Wait until it is yours."),
    "must-take": lambda params: _("This is a scoring round. Take one of the tiles that may be taken from the line."),
    "not-in-line": lambda params: (
        _("The tile at %(cell)s is not part of the line that scores. Take one that is.") % params
    ),
    "splits": lambda params: (
        _(
            "The tile at %(cell)s must stay: without it the tiles would fall into more groups, or none of the line "
            "would be left. Take another one."
        )
        % params
    ),
    "no-round": lambda params: _("Tiles are taken only in a scoring round. Place a tile, or pass."),
    "not-in-hand": lambda params: (
        _("You do not have %(tile)s. Choose a tile of your own.") % {"tile": tile_name(params["tile"])}
    ),
    "no-exchange": lambda params: _("The stack is empty, so nothing can be exchanged. Pass without an exchange."),
    "occupied": lambda params: capfirst(
        _("%(tile)s lies at %(cell)s already. Choose a free place.")
        % {"tile": tile_name(params["tile"]), "cell": params["cell"]}
    ),
    "no-neighbour": lambda params: _("Nothing lies beside %(cell)s. Choose a place that touches a tile.") % params,
    "frame": lambda params: (
        _("The tiles on the table would be spread over more than %(size)s rows or columns. Choose a place closer by.")
        % params
    ),
    "mismatch": _mismatch,
    "line-missing": lambda params: _("Both the row and the column score here. Say which of them counts."),
    "line-not-asked": _line_not_asked,
    # A table's options, and records from elsewhere
    "player-count": lambda params: _("M is for %(least)s to %(most)s players, and not for %(players)s.") % params,
    "unknown-option": lambda params: _("M has no option “%(option)s”.") % params,
    "bad-option": _bad_option,
    "wrong-type": _wrong_type,
    "missing-key": lambda params: _("“%(key)s” is missing from the deal.") % params,
    "tile-count": lambda params: (
        _("The deal has %(count)s tiles; for so many players it must have %(wanted)s.") % params
    ),
    "unknown-tile": lambda params: _("Number %(number)s of the tiles is not a tile of M.") % params,
    "duplicate-tile": _duplicate_tile,
    "wrong-seat": lambda params: _("The seat that starts is none of the %(players)s seats.") % params,
}
