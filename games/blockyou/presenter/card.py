"""A card turned and drawn: four quarters and two pointing fingers, 200 by 200 units, from the symbols of the sprite."""

from __future__ import annotations

from games.blockyou.cards import CardFace, turned

QUARTER = 100
"""The side of a quarter, in units."""

PLACES = ((0, 0), (QUARTER, 0), (QUARTER, QUARTER), (0, QUARTER))
"""Where the quarters lie, clockwise from the top left."""


def draw_card(card: CardFace, turn: int = 0) -> str:
    """The card as shapes. The page's script draws the same when it is turned there."""
    shown = turned(card, turn)
    quarters = "".join(
        f'<use href="#by-q{colour}" x="{x}" y="{y}"/>' for colour, (x, y) in zip(shown.quarters, PLACES, strict=True)
    )
    fingers = "".join(f'<use class="by-finger" data-way="{way}" href="#by-f{way}"/>' for way in shown.fingers)
    return f'<use href="#by-under"/>{quarters}<use href="#by-edge"/>{fingers}'
