"""The labels of BlockYou!'s pictures: what the presenter may `say`, each code with its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.blockyou.texts.names import (
    STATUS_NAMES,
    colours_listed,
    place_name,
    seat_name,
    status_name,
    way_name,
    ways_listed,
)
from games.blockyou.texts.verdicts import VERDICTS


def _cards(count: int) -> str:
    return ngettext("%(count)d card left", "%(count)d cards left", count) % {"count": count}


def _seat_at(*, seat: int, direction: int, cards: int, status: str | None, own: bool) -> str:
    given = {"seat": seat_name(seat), "direction": way_name(direction), "cards": _cards(cards)}
    if status is None:  # when the match is over
        if own:
            return _("%(seat)s in the %(direction)s (you): %(cards)s") % given
        return _("%(seat)s in the %(direction)s: %(cards)s") % given
    given["status"] = status_name(status)
    if own:
        return _("%(seat)s in the %(direction)s (you): %(cards)s, %(status)s") % given
    return _("%(seat)s in the %(direction)s: %(cards)s, %(status)s") % given


def _card(*, quarters: str, fingers: tuple[int, ...]) -> str:
    return _("A card, clockwise from the upper left: %(colours)s. Its fingers point %(ways)s.") % {
        "colours": colours_listed(quarters),
        "ways": ways_listed(fingers),
    }


def _own_card(*, quarters: str, fingers: tuple[int, ...]) -> str:
    return _("Your card, clockwise from the upper left: %(colours)s. Its fingers point %(ways)s.") % {
        "colours": colours_listed(quarters),
        "ways": ways_listed(fingers),
    }


def _erred(*, out: bool) -> str:
    if out:
        return _("That was wrong. You are out of this round, and sit out the next one.")
    return _("That was wrong. You are out of this round.")


LABELS: Mapping[str, Callable[..., str]] = {
    # The area
    "board": lambda: _("The area, and the players around it"),
    "row": lambda *, row, colours: _("Row %(row)d: %(colours)s") % {"row": row + 1, "colours": colours_listed(colours)},
    "last-card": lambda *, row, col: _("Changed last: %(place)s") % {"place": place_name(row, col)},
    "claim-waits": lambda *, seat, row, col: (
        _("The claim of %(seat)s waits: %(place)s") % {"seat": seat_name(seat), "place": place_name(row, col)}
    ),
    "field": lambda: _(
        "The area. Arrow keys move the place, Q and E turn the card, Enter claims the place. Your card can also be "
        "turned with R, with the wheel or with a right click."
    ),
    "round-number": lambda *, number: _("Round %(number)d") % {"number": number},
    "card-number": lambda *, number: _("Card %(number)d") % {"number": number},
    "pile": lambda *, cards: (
        ngettext("%(count)d card in the penalty pile", "%(count)d cards in the penalty pile", cards) % {"count": cards}
    ),
    "pile-caption": lambda: _("Pile"),
    "time-so-far": lambda: _("Counted time"),
    "penalties": lambda *, time: _("Penalties %(time)s") % {"time": time},
    # The players
    "seat": lambda *, seat: seat_name(seat),
    "seat-at": _seat_at,
    **{f"status-{status}": name for status, name in STATUS_NAMES.items()},
    "way": lambda *, direction: way_name(direction),
    "sits-out-next": lambda: _("sits out the next round"),
    "cards-left": lambda *, count: _cards(count),
    "time-counted": lambda *, time: _("time so far: %(time)s") % {"time": time},
    "card": _card,
    # The hand
    "own-card": _own_card,
    "claim-label": lambda *, row, col: _("Place the card at row %(row)s, column %(col)s") % {"row": row, "col": col},
    "taken-back": lambda: _("Taken back: your finger left the area, and nothing was claimed."),
    "turn-left": lambda: _("Turn the card to the left (Q)"),
    "turn-right": lambda: _("Turn the card to the right (E)"),
    "nofit": lambda: _("No fit"),
    "state-idle": lambda *, number: (
        _("Your next card lies face down until round %(number)d opens.") % {"number": number}
    ),
    "state-searching": lambda *, out: _("You are searching."),
    "state-placed": lambda *, out: _("You have placed your card in this round."),
    "state-blocked": lambda *, out: _("You are blocked in this round."),
    "state-erred": _erred,
    "state-sitting out": lambda *, out: _("You sit out this round."),
    **{f"verdict-{code}": verdict for code, verdict in VERDICTS.items()},
}
