"""The sentences of the house about bots: their levels, and where they play for somebody. Plain text."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.people.names import isolated_name


def level(code: str) -> str:
    """A level in a word."""
    words = {
        "easy": pgettext("level of a bot", "easy"),
        "normal": pgettext("level of a bot", "normal"),
        "hard": pgettext("level of a bot", "hard"),
    }
    return words.get(code, code)


def bot(code: str) -> str:
    """A bot of that level, where it stands beside a name."""
    return _("bot (%(level)s)") % {"level": level(code)} if code else _("bot")


def stand_in_of(name: str) -> str:
    """Who has moved in the place of a player who has left; `name` is isolated already."""
    return _("%(name)s (stand-in)") % {"name": name}


def taken_over(name: str) -> str:
    """That a bot plays for who has left."""
    return _("A bot stands in for %(name)s.") % {"name": name}


def returned(name: str) -> str:
    """That somebody who had left plays again."""
    return _("%(name)s is back, and plays on.") % {"name": name}


def eased(name: str) -> str:
    """That the bot of a seat has failed, and an easy one plays on."""
    return _("The bot on the seat of %(name)s found no move in time. An easy one plays on.") % {"name": name}


def plays_your_seat(*, flagged: bool, absent: bool) -> str:
    """To who has left: how, and that they can have their seat back from the bot."""
    if flagged:
        return _("Your time ran out. A bot plays your seat until you take it back.")
    if absent:
        return _("You were away for three rounds. A bot plays your seat until you take it back.")
    return _("You have left this match. A bot plays your seat until you take it back.")


def offer_to_go_on(name: str) -> str:
    """That the reader need not wait for somebody who is away, since a bot would play for them."""
    sentence = _("%(name)s is away. You may wait, or go on: then a bot plays their seat until they are back.")
    return sentence % {"name": isolated_name(name)}
