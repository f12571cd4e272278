"""The labels of M's pictures: what the presenter may `say`, each code with its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.m.position import Tile
from games.m.texts.names import colour_name, tile_name


def _tile_at(*, tile: Tile, cell: str) -> str:
    return _("%(tile)s at %(cell)s") % {"tile": tile_name(tile), "cell": cell}


def _board(*, tiles: int) -> str:
    return ngettext("The table, with %(count)d tile", "The table, with %(count)d tiles", tiles) % {"count": tiles}


def _stack(*, count: int) -> str:
    if count == 0:
        return _("the stack is empty")
    return ngettext("%(count)d in the stack", "%(count)d in the stack", count) % {"count": count}


def _chips(*, count: int) -> str:
    return ngettext("%(count)d chip", "%(count)d chips", count) % {"count": count}


def _held(*, tile: Tile, places: int) -> str:
    if places == 0:
        return _("%(tile)s, fits nowhere now") % {"tile": tile_name(tile)}
    return ngettext("%(tile)s, fits %(count)d place", "%(tile)s, fits %(count)d places", places) % {
        "tile": tile_name(tile),
        "count": places,
    }


def _earns(*, chips: int, lines: tuple[str, ...]) -> str:
    """What a placement earns: chips, and the line or lines ("row", "col") that it scores."""
    earned = _chips(count=chips) if chips else _("no chips")
    match lines:
        case ("row", "col"):
            return _("%(chips)s, scores the row or the column") % {"chips": earned}
        case ("row",):
            return _("%(chips)s, scores the row") % {"chips": earned}
        case ("col",):
            return _("%(chips)s, scores the column") % {"chips": earned}
        case _none:
            return earned


def _pass(*, pays: bool) -> str:
    return _("Pass, pay 1 chip") if pays else _("Pass for free")


def _exchange(*, tile: Tile, pays: bool) -> str:
    if pays:
        return _("Pass, pay 1 chip, and exchange %(tile)s") % {"tile": tile_name(tile)}
    return _("Pass, and exchange %(tile)s") % {"tile": tile_name(tile)}


def _hand_size(*, count: int) -> str:
    return ngettext("%(count)d tile in hand", "%(count)d tiles in hand", count) % {"count": count}


def _sum(*, colour: str, points: int, counts: bool) -> str:
    named = {"colour": colour_name(colour), "points": points}
    if counts:
        return _("%(colour)s: %(points)d points, added") % named
    return _("%(colour)s: %(points)d points, taken off") % named


LABELS: Mapping[str, Callable[..., str]] = {
    # The table
    "board": _board,
    "tile-at": _tile_at,
    "last-at": lambda *, tile, cell: _("%(tile)s at %(cell)s, placed last") % {"tile": tile_name(tile), "cell": cell},
    "take-at": lambda *, tile, cell: _("Take %(tile)s at %(cell)s") % {"tile": tile_name(tile), "cell": cell},
    "take": lambda *, tile: _("Take %(tile)s") % {"tile": tile_name(tile)},
    "may-be-taken": lambda *, tile, cell: (
        _("%(tile)s at %(cell)s, may be taken") % {"tile": tile_name(tile), "cell": cell}
    ),
    "just-taken": lambda *, tile, cell: _("%(tile)s was taken from %(cell)s") % {"tile": tile_name(tile), "cell": cell},
    "free": lambda *, cell: _("free place at %(cell)s") % {"cell": cell},
    "row-scored": lambda: _("The row that is being scored"),
    "col-scored": lambda: _("The column that is being scored"),
    "stack": _stack,
    "picks": lambda *, seats: (
        _("Next to pick: %(seats)s")
        % {"seats": _(", ").join(_("seat %(number)d") % {"number": seat + 1} for seat in seats)}
    ),
    "picks-next": lambda: _("picks next:"),
    "seat": lambda *, seat: _("seat %(number)d") % {"number": seat + 1},
    "chips-won": lambda *, count: ngettext("%(count)d chip taken", "%(count)d chips taken", count) % {"count": count},
    # The hand
    "hand": lambda: _("Your tiles"),
    "hand-empty": lambda: _("You have no tiles."),
    "held": _held,
    "tile": lambda *, tile: tile_name(tile),
    "hint-choose": lambda: _("Choose a tile to see where it fits."),
    "hint-think": lambda: _("See where your tiles fit while you wait."),
    "hint-take": lambda: _("Take a marked tile."),
    "hint-wait": lambda: _("It is not your turn yet."),
    "place": lambda *, tile, cell: _("Place %(tile)s at %(cell)s") % {"tile": tile_name(tile), "cell": cell},
    "earns": _earns,
    "pass": _pass,
    "exchange": lambda: _("Pass and exchange"),
    "exchange-first": lambda: _("choose a tile first"),
    "exchange-wait": lambda: _("on your turn"),
    "exchange-not": lambda: _("the stack is empty"),
    "exchange-tile": _exchange,
    "which-line": lambda: _("Which line counts?"),
    "score-row": lambda: pgettext("scoring", "Row"),
    "score-col": lambda: pgettext("scoring", "Column"),
    "back": lambda: _("Back"),
    # The players
    "points": lambda *, points: ngettext("%(points)d point", "%(points)d points", abs(points)) % {"points": points},
    "chips": _chips,
    "chips-changed": lambda *, change: (
        ngettext("%(change)s chip", "%(change)s chips", abs(change))
        % {"change": f"+{change}" if change > 0 else f"−{-change}"}
    ),
    "hand-size": _hand_size,
    "taken": lambda: _("Taken tiles by colour"),
    "sum": _sum,
    "passed": lambda: _("passed"),
}
