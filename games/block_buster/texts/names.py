"""The names of colours and modes. Colours stand in sentences as nouns: "the turn of Mimi with blue"."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def colour_name(colour: str) -> str:
    """The colour of a code in `modes.COLOURS`, as a noun."""
    return _COLOURS[colour]()


def mode_name(mode: str) -> str:
    """The mode's label."""
    return _MODES[mode]()


def listed(words: list[str]) -> str:
    """Several words in a row."""
    return _(", ").join(words)


_COLOURS: Mapping[str, Callable[[], str]] = {
    "blue": lambda: pgettext("colour", "blue"),
    "yellow": lambda: pgettext("colour", "yellow"),
    "red": lambda: pgettext("colour", "red"),
    "green": lambda: pgettext("colour", "green"),
}

_MODES: Mapping[str, Callable[[], str]] = {
    "standard": lambda: pgettext("mode", "Standard"),
    "two-colours": lambda: pgettext("mode", "Two colours each"),
    "official-duel": lambda: pgettext("mode", "Official duel"),
    "pairs": lambda: pgettext("mode", "Pairs"),
}
