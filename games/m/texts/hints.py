"""The reasons for a hint: each a part of a sentence about the move."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.m.position import Tile
from games.m.texts.names import colour_name, tile_name


def _scores(*, line: str, count: int) -> str:
    if line == "row":
        return _("begins a scoring round over a row of %(count)d tiles where you pick first") % {"count": count}
    return _("begins a scoring round over a column of %(count)d tiles where you pick first") % {"count": count}


def _no_gap(*, beside: int) -> str:
    if beside == 2:
        return _("leaves the next player no place that brings chips")
    return _("leaves no gap with three neighbours")


def _fills(*, beside: int) -> str:
    if beside == 3:
        return _("fills a gap with three neighbours before somebody else does")
    return _("fills a gap with four neighbours before somebody else does")


def _adds(*, points: int, colour: str) -> str:
    return ngettext(
        "brings you %(points)d point in %(colour)s", "brings you %(points)d points in %(colour)s", points
    ) % {"points": points, "colour": colour_name(colour)}


def _costs(*, points: int, least: int) -> str:
    if least:
        sentence = ngettext(
            "costs you only %(points)d point (no other tile costs less)",
            "costs you only %(points)d points (no other tile costs less)",
            points,
        )
    else:
        sentence = ngettext("costs you %(points)d point now", "costs you %(points)d points now", points)
    return sentence % {"points": points}


def _denies(*, points: int) -> str:
    return ngettext(
        "keeps %(points)d point from the next who picks", "keeps %(points)d points from the next who picks", points
    ) % {"points": points}


def _no_better(*, pays: int) -> str:
    if pays:
        return _("costs a chip (each placement seems to give others more)")
    return _("costs nothing (each placement seems to give others something)")


def _exchange(*, tile: Tile) -> str:
    return _("puts away %(tile)s (it has little in common with the tiles on the table)") % {"tile": tile_name(tile)}


HINTS: Mapping[str, Callable[..., str]] = {
    "scores": _scores,
    "last": lambda: _("ends the match"),
    "chips": lambda *, count: ngettext("takes %(count)d chip", "takes %(count)d chips", count) % {"count": count},
    "no-gap": _no_gap,
    "fills": _fills,
    "only": lambda: _("is the only take there is"),
    "adds": _adds,
    "free": lambda: _("costs you nothing"),
    "costs": _costs,
    "denies": _denies,
    "no-fit": lambda: _("is all that is left (none of your tiles fits)"),
    "no-better": _no_better,
    "exchange": _exchange,
    "best": lambda: _("promises most for the turns that follow"),
}
