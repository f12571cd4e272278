"""Names that people choose: what may be one, and how to show any name harmlessly inside other text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.text import get_text_list
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

USERNAME_LENGTH = 30
DISPLAY_NAME_LENGTH = 40

# Letters and digits first, so that no name is "." or "..", which browsers take out of an address.
validate_username = RegexValidator(
    r"\A[A-Za-z0-9][A-Za-z0-9_.-]*\Z",
    _("A login name is made of the letters a to z, digits, and . _ - and begins with a letter or a digit."),
    code="username",
)

FIRST_STRONG_ISOLATE = "\u2068"
POP_ISOLATE = "\u2069"
# Marks, embeddings, overrides and isolates: in a name they can only reorder the text around it.
BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Control characters, halves of surrogate pairs, line and paragraph separators, as Unicode's categories.
BREAKING = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Characters that Unicode counts as letters or symbols although they print nothing.
BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
# Zero-width non-joiner and joiner: words of Persian and of Indian languages, and families of emoji, need them.
JOINERS = frozenset("\u200c\u200d")
MARKS_IN_A_ROW = 3
"""Stacked upon one letter; Hebrew, Thai and Burmese do with as many."""

KEPT_NAMES = frozenset({"bot"})
"""What nobody may be called, in small letters: bots are, at every table."""


def may_be_login_name(text: str) -> bool:
    """Whether somebody could have it. Others are not to be looked up: a query with a NUL, which PostgreSQL does not
    have, or with more than SQLite compares, fails instead of finding nobody."""
    return "\0" not in text and len(text) <= USERNAME_LENGTH


def clean_display_name(text: str) -> str:
    """The name as it is stored: NFC, with single blanks inside and none around.

    Raises `ValidationError` for an empty or invisible name, control characters, bidirectional controls, characters that
    can't be seen, a heap of marks upon one letter, a name kept for bots, and one longer than `DISPLAY_NAME_LENGTH`.
    """
    stripped = unicodedata.normalize("NFC", text).strip()
    name = " ".join(part for part in stripped.split(" ") if part)
    validate_display_name(name)
    if unicodedata.normalize("NFKC", name).casefold() in KEPT_NAMES:
        raise ValidationError(_("Bots are called that. Please choose another name."), code="kept")
    return name


def validate_display_name(name: str) -> None:
    """Raises `ValidationError` unless the name may be shown to others."""
    if any(unicodedata.category(character) in BREAKING for character in name):
        raise ValidationError(_("A display name can't contain line breaks or control characters."), code="control")
    if BIDI_CONTROLS.intersection(name):
        raise ValidationError(_("A display name can't contain marks that change the direction of text."), code="bidi")
    if not any(_prints(character) for character in name):
        raise ValidationError(_("Please give a display name that can be seen."), code="empty")
    if _hides_something(name):
        raise ValidationError(_("A display name can't contain characters that can't be seen."), code="hidden")
    if _heaps_marks(name):
        raise ValidationError(_("A display name can't heap so many marks upon one letter."), code="marks")
    if len(name) > DISPLAY_NAME_LENGTH:
        raise ValidationError(
            _("A display name has at most %(limit)d characters."), code="long", params={"limit": DISPLAY_NAME_LENGTH}
        )


def former_player() -> str:
    """What everybody is called who has deleted the account, in the reader's language."""
    return _now("former player")


@lru_cache(maxsize=4096)  # every line about a match has some
def shown_name(name: str) -> str:
    """The name without anything that could reorder or break the text around it, whatever is stored.

    Plain text, still to be escaped. For names that did not pass `clean_display_name`: old rows, imported records.
    """
    return "".join(
        character
        for character in name
        if character not in BIDI_CONTROLS and unicodedata.category(character) not in BREAKING
    )


def isolated_name(name: str) -> str:
    """The name for plain text that holds other words too (titles, attributes, mails): its direction stays its own."""
    return f"{FIRST_STRONG_ISOLATE}{shown_name(name)}{POP_ISOLATE}"


def listed_names(names: Iterable[str]) -> str:
    """The names one after another, as a sentence lists them; each isolated."""
    return get_text_list([isolated_name(name) for name in names], pgettext("the last two of a list", "and"))


def _prints(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS" and character not in BLANK_LETTERS


def _hides_something(name: str) -> bool:
    """Whether a format character (Unicode's Cf) is in it, other than single joiners between characters."""
    parts = re.split(f"[{''.join(JOINERS)}]", name)
    return any(part.strip() == "" for part in parts) or any(
        unicodedata.category(each) == "Cf" for each in "".join(parts)
    )


def _heaps_marks(name: str) -> bool:
    row = 0
    for character in name:
        if character in JOINERS:  # it begins no new letter
            continue
        row = row + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if row > MARKS_IN_A_ROW:
            return True
    return False
