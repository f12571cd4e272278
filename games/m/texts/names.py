"""The names of colours and tiles. Figure and colour are one text each, since adjectives agree and change places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from games.m.position import Tile


def colour_name(colour: str) -> str:
    """The colour of a letter in a tile's code, by itself."""
    return _COLOURS[colour]()


def tile_name(tile: Tile) -> str:
    """A tile by its code: "red triangle 30", "red 0"."""
    return _tile_name(tile, get_language())


@lru_cache(maxsize=1024)
def _tile_name(tile: Tile, language: str | None) -> str:
    """Kept, since every push of a match names a dozen. The language is that which is in force."""
    figure = tile[:-1]
    return _("%(figure)s %(value)s") % {"figure": _FIGURES[figure](), "value": 10 * int(tile[-1])}


_COLOURS: Mapping[str, Callable[[], str]] = {
    "R": lambda: pgettext("colour", "red"),
    "Y": lambda: pgettext("colour", "yellow"),
    "G": lambda: pgettext("colour", "green"),
    "B": lambda: pgettext("colour", "blue"),
    "V": lambda: pgettext("colour", "violet"),
}

_FIGURES: Mapping[str, Callable[[], str]] = {
    "RT": lambda: _("red triangle"),
    "RC": lambda: _("red cube"),
    "RS": lambda: _("red stairs"),
    "RF": lambda: _("red fork"),
    "R": lambda: pgettext("tile without a figure", "red"),
    "YT": lambda: _("yellow triangle"),
    "YC": lambda: _("yellow cube"),
    "YS": lambda: _("yellow stairs"),
    "YF": lambda: _("yellow fork"),
    "Y": lambda: pgettext("tile without a figure", "yellow"),
    "GT": lambda: _("green triangle"),
    "GC": lambda: _("green cube"),
    "GS": lambda: _("green stairs"),
    "GF": lambda: _("green fork"),
    "G": lambda: pgettext("tile without a figure", "green"),
    "BT": lambda: _("blue triangle"),
    "BC": lambda: _("blue cube"),
    "BS": lambda: _("blue stairs"),
    "BF": lambda: _("blue fork"),
    "B": lambda: pgettext("tile without a figure", "blue"),
    "VT": lambda: _("violet triangle"),
    "VC": lambda: _("violet cube"),
    "VS": lambda: _("violet stairs"),
    "VF": lambda: _("violet fork"),
    "V": lambda: pgettext("tile without a figure", "violet"),
}
