"""What the boards of BlockYou! are drawn from: every symbol once, in a hidden part that the page includes once."""

from __future__ import annotations

from functools import cache

from games.blockyou.presenter.card import QUARTER

MIDDLE = QUARTER

SIGNS = {
    # The sign of each colour in its quarter of 100 by 100; white has none.
    1: '<path d="M50 28 73 68H27Z"/>',
    2: '<path d="M28 72C22 42 42 26 74 27 76 59 58 78 28 72ZM28 72 58 42" class="by-leaf"/>',
    3: '<path d="M50 24C58 38 67 46 67 58A17 17 0 0 1 33 58C33 46 42 38 50 24Z"/>',
    4: '<path d="M50 24 57 42 76 43 61 55 66 73 50 63 34 73 39 55 24 43 43 42Z"/>',
    5: '<path d="M31 31H69V69H31ZM43 43V57H57V43Z" fill-rule="evenodd"/>',
}

STATUS_SIGNS = {
    # 32 by 32, in the colour of the words beside them.
    "searching": '<circle class="by-line" cx="13" cy="13" r="9"/><path class="by-line" d="M20 20 28 28"/>',
    "placed": '<path class="by-line" d="M4 17 12 26 28 6"/>',
    "blocked": '<circle class="by-line" cx="16" cy="16" r="12"/><path class="by-line" d="M8 24 24 8"/>',
    "erred": '<path class="by-line" d="M6 6 26 26M26 6 6 26"/>',
    "sitting-out": '<path class="by-line" d="M10 5V27M22 5V27"/>',
    "idle": '<path d="M6 13h5v6H6zM14 13h5v6H14zM22 13h5v6H22z"/>',
}

# Up, its tip at the edge of the card: a forefinger, the folded hand with a thumb, and a cuff.
FINGER = (
    '<path class="by-hand-shape" d="M94 31V6a6 6 0 0 1 12 0V24h5a6 6 0 0 1 6 6V40a7 7 0 0 1-7 7H90a7 7 0 0 1-7-7V35'
    'a5 5 0 0 1 5-5z"/><path class="by-cuff" d="M88 49h24v8H88z"/>'
)
FURTHER = 38
"""How much further from the middle a finger reaches that points to a corner."""


@cache
def sprite() -> str:
    """The hidden SVG. A quarter is `<use href="#by-q3"/>`, 100 by 100 units; a finger and a card's edge 200 by 200."""
    shapes = [_quarter(0, ""), *(_quarter(colour, sign) for colour, sign in SIGNS.items())]
    shapes += [_finger(way) for way in range(8)]
    shapes += [f'<g id="by-s-{status}" class="by-sign">{drawn}</g>' for status, drawn in STATUS_SIGNS.items()]
    shapes += _PIECES
    return (
        '<svg class="by-sprite" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
        f"{''.join(shapes)}</defs></svg>"
    )


def _quarter(colour: int, sign: str) -> str:
    return f'<g id="by-q{colour}" class="by-q by-c{colour}"><rect width="100" height="100"/>{sign}</g>'


def _finger(way: int) -> str:
    out = f" translate(0 {-FURTHER})" if way % 2 else ""
    return f'<g id="by-f{way}" transform="rotate({45 * way} {MIDDLE} {MIDDLE}){out}">{FINGER}</g>'


_PIECES = (
    # Below and around a card that lies or hovers.
    '<rect id="by-under" class="by-under" x="2" y="5" width="200" height="200" rx="12"/>',
    '<path id="by-edge" class="by-edge" d="M100 0V200M0 100H200M0 0H200V200H0Z"/>',
    # The back of a card, 200 by 200: two pairs of quarters that point at each other.
    '<g id="by-back"><use href="#by-under"/><rect class="by-back-face" width="200" height="200" rx="10"/>'
    '<path class="by-back-print" d="M100 30 170 100 100 170 30 100ZM100 66 66 100 100 134 134 100Z"'
    ' fill-rule="evenodd"/></g>',
    # The same small, 30 by 36, beside the number of a player's cards.
    '<g id="by-cards"><rect class="by-back-face" x="7" y="0" width="23" height="30" rx="4"/>'
    '<rect class="by-back-face by-front" x="0" y="5" width="23" height="30" rx="4"/></g>',
    # A turn by a quarter, as the sign of a button, 32 by 32.
    '<g id="by-to-right" class="by-sign"><path class="by-line" d="M26 17A10.500 10.500 0 1 1 21 7"/>'
    '<path d="M17 1 27 7 18 14Z"/></g>',
    '<g id="by-to-left" class="by-sign"><path class="by-line" d="M6 17A10.500 10.500 0 1 0 11 7"/>'
    '<path d="M15 1 5 7 14 14Z"/></g>',
    # That something is allowed, or not; for the pictures of the rules.
    '<g id="by-yes"><circle class="by-yes" cx="0" cy="0" r="26"/><path class="by-tick" d="M-12 1-3 11 13-10"/></g>',
    '<g id="by-no"><circle class="by-no" cx="0" cy="0" r="26"/><path class="by-tick" d="M-10-10 10 10M10-10-10 10"/>'
    "</g>",
)
