"""The names of colours, directions and places, and what players do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.blockyou.notation import CLAIM

DEGREES = 90


def colour_name(colour: str) -> str:
    """The colour of a digit."""
    return _COLOURS[int(colour)]()


def colours_listed(quarters: str) -> str:
    """The colours of some quarters, in their order."""
    return _(", ").join(colour_name(colour) for colour in quarters)


def way_name(direction: int) -> str:
    """A direction by its number, clockwise from 0, north."""
    return _WAYS[direction]()


def ways_listed(fingers: Iterable[int]) -> str:
    """Directions by their numbers."""
    return _(", ").join(map(way_name, fingers))


def seat_name(seat: int) -> str:
    """A seat where no name may stand."""
    return _("seat %(number)d") % {"number": seat + 1}


def seats_listed(seats: Iterable[int]) -> str:
    """Several of them."""
    return _(", ").join(map(seat_name, seats))


def place_name(row: int, col: int) -> str:
    """A window by its upper left quarter, counted from 1."""
    return _("row %(row)d, column %(col)d") % {"row": row + 1, "col": col + 1}


def claim_place(claim: str) -> str:
    """The place of a claim's text, as `3,0/2`."""
    row, col, _turn = CLAIM.fullmatch(claim).groups()  # type: ignore[union-attr]
    return place_name(int(row), int(col))


def status_name(status: str) -> str:
    """What a player does, in a word or two: it stands in the picture, where there is room for some ten letters."""
    return STATUS_NAMES[status]()


STATUS_NAMES: Mapping[str, Callable[[], str]] = {
    "searching": lambda: pgettext("player", "searching"),
    "placed": lambda: pgettext("player", "placed"),
    "blocked": lambda: pgettext("player", "blocked"),
    "erred": lambda: pgettext("player", "erred"),
    "sitting out": lambda: pgettext("player", "sits out"),
    "idle": lambda: pgettext("player", "ready"),
}

_COLOURS: tuple[Callable[[], str], ...] = (
    lambda: pgettext("colour", "white"),
    lambda: pgettext("colour", "orange"),
    lambda: pgettext("colour", "light green"),
    lambda: pgettext("colour", "sky blue"),
    lambda: pgettext("colour", "magenta"),
    lambda: pgettext("colour", "indigo"),
)

_WAYS: tuple[Callable[[], str], ...] = (
    lambda: _("north"),
    lambda: _("north-east"),
    lambda: _("east"),
    lambda: _("south-east"),
    lambda: _("south"),
    lambda: _("south-west"),
    lambda: _("west"),
    lambda: _("north-west"),
)
