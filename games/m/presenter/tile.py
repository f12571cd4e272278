"""The body of a tile of M: its outline with notches, the pattern of its colour, the plates and numbers in its corners.

All in units of a cell of 100 by 100.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin

from games.m.presenter.figures import Point

NEAR, FAR = 3, 97
"""The edges of a tile in its cell."""

ROUNDING = 7
PLATE = 29
"""The radius of the quarter disc in each corner."""

NOTCH_PITCH = 9.5
NOTCHES: dict[str, tuple[Point, ...]] = {
    # Along the edge and into the tile, as the outline is walked: wedge, slot, two steps, and the round of a prong.
    "T": ((-4, 0), (0, 7), (4, 0)),
    "C": ((-3.2, 0), (-3.2, 5.5), (3.2, 5.5), (3.2, 0)),
    "S": ((-4, 0), (-4, 7), (0, 7), (0, 3.5), (4, 3.5), (4, 0)),
    "F": ((-3, 0), *((-3 * cos(turn * pi / 6), 3.5 + 3 * sin(turn * pi / 6)) for turn in range(7)), (3, 0)),
}

PATTERNS = {
    "R": (
        '<pattern id="m-pattern-R" width="13" height="13" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path class="m-print-R" d="M0 0H6V13H0Z"/></pattern>'
    ),
    "Y": (
        '<pattern id="m-pattern-Y" width="15" height="15" x="4" y="3" patternUnits="userSpaceOnUse">'
        '<circle class="m-print-Y" cx="4" cy="4" r="3.2"/><circle class="m-print-Y" cx="11.5" cy="11.5" r="3.2"/>'
        "</pattern>"
    ),
    "G": (
        '<pattern id="m-pattern-G" width="13" height="13" x="4.5" y="4.5" patternUnits="userSpaceOnUse">'
        '<path class="m-print-G" d="M0 0H13V3H3V13H0Z"/></pattern>'
    ),
    "B": (
        '<pattern id="m-pattern-B" width="20" height="12" y="2" patternUnits="userSpaceOnUse">'
        '<path class="m-print-B" d="M-5 6Q0 0 5 6T15 6T25 6"/></pattern>'
    ),
}
"""The partner sign of each colour; violet is plain."""


def outline(symbol: str, value: int) -> str:
    """The path of a tile's edge, with `value` notches of the symbol's shape on each of its sides."""
    walk = f"M{NEAR + ROUNDING} {NEAR}"
    for quarter in range(4):
        walk += "".join(f"L{x:.3g} {y:.3g}" for x, y in _turned(_side(symbol, value), quarter))
        corner = [(FAR - ROUNDING, NEAR), (FAR, NEAR), (FAR, NEAR + ROUNDING)]
        begin, bend, end = _turned(iter(corner), quarter)
        walk += f"L{begin[0]} {begin[1]}Q{bend[0]} {bend[1]} {end[0]} {end[1]}"
    return walk + "Z"


def _side(symbol: str, value: int) -> Iterator[Point]:
    """The notches of the upper side, from the left."""
    for notch in range(value):
        middle = 50 + (notch - (value - 1) / 2) * NOTCH_PITCH
        for along, into in NOTCHES[symbol]:
            yield middle + along, NEAR + into


def _turned(points: Iterator[Point], quarters: int) -> Iterator[Point]:
    """The points, turned around the middle of the cell by so many quarters."""
    for x, y in points:
        for _ in range(quarters):
            x, y = 100 - y, x
        yield x, y


def plates() -> str:
    """The four quarter discs on which the value stands."""
    inner = NEAR + PLATE
    corner = (
        f"M{NEAR} {inner}V{NEAR + ROUNDING}Q{NEAR} {NEAR} {NEAR + ROUNDING} {NEAR}H{inner}"
        f"A{PLATE} {PLATE} 0 0 1 {NEAR} {inner}Z"
    )
    return "".join(f'<path d="{corner}" transform="rotate({90 * quarter} 50 50)"/>' for quarter in range(4))


def numbers(value: int) -> str:
    """The value in each corner, in points; of one width in every font."""
    text = str(10 * value)
    width = "" if value == 0 else ' textLength="23" lengthAdjust="spacingAndGlyphs"'
    return "".join(f'<text x="{x}" y="{y}"{width}>{text}</text>' for y in (22.5, 90.5) for x in (16.5, 83.5))
