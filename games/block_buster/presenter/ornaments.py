"""The five ornaments that tell the shapes of point blocks apart, drawn from their geometry like inlaid tiles.

Each is a text of SVG shapes around the middle of a point block of 20 by 20 units, in two tones by class: `bb-light`
and `bb-tint`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import cos, pi, sin

Point = tuple[float, float]

MIDDLE = 10.0


def ornaments() -> dict[str, str]:
    """The shapes of every ornament, by the letter of its point block."""
    return {"A": _rosette(), "B": _diamonds(), "C": _windmill(), "D": _rings(), "E": _cross()}


def _polar(radius: float, turn: float) -> Point:
    """The point so far from the middle, so many full turns clockwise from straight up."""
    return MIDDLE + radius * sin(2 * pi * turn), MIDDLE - radius * cos(2 * pi * turn)


def _polygon(tone: str, *loops: Iterable[Point]) -> str:
    data = "".join("M" + "L".join(f"{x:.3g} {y:.3g}" for x, y in points) + "Z" for points in loops)
    return f'<path class="bb-{tone}" fill-rule="evenodd" d="{data}"/>'


def _disc(tone: str, radius: float, middle: Point = (MIDDLE, MIDDLE)) -> str:
    return f'<circle class="bb-{tone}" cx="{middle[0]:.3g}" cy="{middle[1]:.3g}" r="{radius:g}"/>'


def _square(radius: float, turn: float = 0) -> Iterator[Point]:
    return (_polar(radius, turn + quarter / 4) for quarter in range(4))


def _rosette(petals: int = 8, length: float = 6.9) -> str:
    """Eight petals around a heart."""
    data = ""
    for petal in range(petals):
        tip, left, right = (
            _polar(length, petal / petals),
            *(_polar(4.6, (petal + side) / petals) for side in (-0.42, 0.42)),
        )
        data += f"M{MIDDLE:g} {MIDDLE:g}Q{left[0]:.3g} {left[1]:.3g} {tip[0]:.3g} {tip[1]:.3g}"
        data += f"Q{right[0]:.3g} {right[1]:.3g} {MIDDLE:g} {MIDDLE:g}Z"
    return f'<path class="bb-light" d="{data}"/>' + _disc("stone", 2.1) + _disc("tint", 1.3)


def _diamonds() -> str:
    """A diamond within a diamond, and a dot in each corner."""
    dots = "".join(_disc("tint", 1, point) for point in _square(7.7, 1 / 8))
    return _polygon("light", _square(7.4), _square(4.9)) + _polygon("tint", _square(3)) + dots


def _windmill() -> str:
    """Four triangles that chase each other, with smaller ones behind."""
    sails, shades = [], []
    for quarter in range(4):
        turn = quarter / 4
        sails.append([(MIDDLE, MIDDLE), _polar(6.3, turn), _polar(6.3 * 2**0.5, turn + 1 / 8)])
        shades.append([(MIDDLE, MIDDLE), _polar(6.3, turn + 1 / 4), _polar(6.3 * 2**0.5 / 2, turn + 1 / 8)])
    return _polygon("light", *sails) + _polygon("tint", *shades)


def _rings() -> str:
    """A ring around a disc."""
    return _disc("light", 6.8) + _disc("stone", 4.8) + _disc("tint", 3.1)


def _cross(arm: float = 1.7, reach: float = 6.4, wide: float = 3.4) -> str:
    """A cross whose arms widen, and a square in each corner."""
    points: list[Point] = []
    for quarter in range(4):
        turn = quarter / 4
        up, side = _polar(1, turn), _polar(1, turn + 1 / 4)
        ahead, aside = (up[0] - MIDDLE, up[1] - MIDDLE), (side[0] - MIDDLE, side[1] - MIDDLE)
        for far, off in ((arm * 0.75, -arm * 0.75), (reach, -wide), (reach, wide)):
            points.append((MIDDLE + far * ahead[0] + off * aside[0], MIDDLE + far * ahead[1] + off * aside[1]))
    corners = "".join(
        f'<rect class="bb-tint" x="{x - 0.9:.3g}" y="{y - 0.9:.3g}" width="1.8" height="1.8" rx=".4"/>'
        for x, y in _square(7.6, 1 / 8)
    )
    return _polygon("light", points) + corners
