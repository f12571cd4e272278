"""The sentences of the house about hints. Plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.contract.registry import Game
from games.contract.rules import SaysHints
from games.contract.values import Hint, Params

MOST_REASONS = 3
"""Who reads more forgets the first."""

_BEGINS_WITH_I = re.compile(r"h?[ií](?![aeou])", re.IGNORECASE)


def why(game: Game, hint: Hint) -> str:
    """Why the move of the hint is worth playing, as a sentence: of each kind of reason the weightiest."""
    assert isinstance(game.texts, SaysHints), "texts say what the bot of their game hints at"
    weightiest: dict[str, Params] = {}
    for code, params in hint.why:
        weightiest.setdefault(code, params)
    said = [game.texts.hint(code, params) for code, params in weightiest.items()]
    return _("Hint: this %(reasons)s.") % {"reasons": listed_reasons(said[:MOST_REASONS])}


def listed_reasons(reasons: Sequence[str]) -> str:
    """One reason or several, as a sentence lists them."""
    *first, last = reasons
    if not first:
        return last
    if _BEGINS_WITH_I.match(last):
        # As in Spanish, where “y” becomes “e” before this sound.
        words = pgettext(
            "the last two reasons for a hint, the second beginning with the sound i", "%(one)s and %(other)s"
        )
    else:
        words = pgettext("the last two reasons for a hint", "%(one)s and %(other)s")
    return words % {"one": pgettext("between the reasons for a hint", ", ").join(first), "other": last}


def no_hint(what: str) -> str:
    """Why no hint is given."""
    sentences = {
        "rated": _("In a rated match there are no hints."),
        "alone": _("Alone you play for the best times, so there are no hints."),
        "company": _("There are hints only where you play against bots and nobody else."),
        "game": _("In this game there are no hints."),
        "failed": _("No hint could be found just now. Please try again in a moment."),
        "busy": _("Many people ask for a hint just now. Please try again in a moment."),
    }
    return sentences.get(what, _("There is nothing to suggest just now. Please ask again when something has changed."))
