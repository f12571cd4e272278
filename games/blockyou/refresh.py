"""Refreshing the area: a card nobody owns is put on it where nobody can place any more."""

from __future__ import annotations

from dataclasses import replace

from games.blockyou import events
from games.blockyou.area import first_legal
from games.blockyou.placement import PLACEMENTS, Placement
from games.blockyou.position import Position, fully_covered
from games.contract.values import Event

STRIDE = 53
"""How far apart the starts of the search are from one round to the next."""

MIDDLE = Placement(3, 3, 0)
"""Where the card goes if it fits nowhere."""


def refresh(position: Position, at: int, number: int, happened: list[Event]) -> Position:
    """The area with the top penalty card put on it, fingers ignored. `number` is the round, and says where to look.

    With the pile empty the lowest card that is fully covered takes its place; with none, nothing happens.
    """
    if position.pile:
        card, pile = position.pile[0], position.pile[1:]
    elif covered := fully_covered(position):
        card, pile = covered[0], ()
    else:
        return position
    face = position.setup.face(card)
    placement = first_legal(position.area.colours, face, STRIDE * number % len(PLACEMENTS)) or MIDDLE
    happened.append(events.refreshed(at, card, placement))
    area = position.area.with_card(card, face, placement)
    return replace(position, pile=pile).with_area(area, at=at, seat=None, effective=at)
