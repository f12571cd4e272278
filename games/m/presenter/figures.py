"""The four impossible figures of M, drawn from their geometry: triangle, cube, stairs and fork.

Each is a text of SVG shapes around the middle of a tile of 100 by 100 units. A face has one of three tones by its
class, `m-lit`, `m-mid` or `m-dim`; the colours of the tile come from the stylesheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt

Point = tuple[float, float]
Solid = tuple[float, float, float]

MIDDLE = 50.0
SLOPE = sqrt(3) / 2


def figures() -> dict[str, str]:
    """The shapes of every figure, by the letter of its symbol."""
    return {"T": _triangle(), "C": _cube(), "S": _stairs(), "F": _fork()}


def path(points: Iterable[Point]) -> str:
    """The path data of a closed polygon, to a tenth of a unit."""
    return "M" + "L".join(f"{x:.3g} {y:.3g}" for x, y in points) + "Z"


def _face(tone: str, points: Iterable[Point]) -> str:
    return f'<path class="m-{tone}" d="{path(points)}"/>'


def _fitted(size: float, faces: Sequence[tuple[str, Sequence[Point]]]) -> Iterator[tuple[str, list[Point]]]:
    """The faces in the middle of the tile, the wider of their extents `size` units."""
    fit = _fit(size, [point for _, points in faces for point in points])
    for tone, points in faces:
        yield tone, [fit(point) for point in points]


def _fit(size: float, points: Sequence[Point]) -> Callable[[Point], Point]:
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    scale = size / max(right - left, bottom - top)
    return lambda point: (
        MIDDLE + (point[0] - (left + right) / 2) * scale,
        MIDDLE - 1 + (point[1] - (top + bottom) / 2) * scale,
    )


def _triangle(size: float = 62, side: int = 8) -> str:
    """Three equal beams, each of which lies before the next: every face is the last one, turned by a third.

    Points are counted along two sides of a triangle of `side` units; a beam shows two strips, each a unit wide.
    """

    def turned(point: Point) -> Point:
        return side - point[0] - point[1], point[0]

    face: list[Point] = [(0, 1), (1, 0), (side - 1, 0), (2, side - 3), (2, side - 4), (side - 3, 1)]
    faces = []
    for tone in ("mid", "dim", "lit"):
        faces.append((tone, [(i + j / 2, -j * SLOPE) for i, j in face]))
        face = [turned(point) for point in face]
    return "".join(_face(tone, points) for tone, points in _fitted(size, faces))


def _cube(size: float = 57, edge: float = 7, beam: float = 1.3, depth: float = 0.42) -> str:
    """A crate of beams seen from above and the right, whose farthest upright passes in front of the nearest side.

    x to the right, y up, z away; each plane of beams is a square with a square hole.
    """
    scale = size / (edge * (1 + depth))
    low = MIDDLE + size / 2
    left = MIDDLE - size / 2
    far = edge - beam

    def seen(solid: Solid) -> Point:
        x, y, z = solid
        return left + (x + depth * z) * scale, low - (y + depth * z) * scale

    def frame(tone: str, plane: Callable[[float, float], Solid]) -> str:
        rings = [
            [seen(plane(p, q)) for p, q in ((a, a), (b, a), (b, b), (a, b))] for a, b in ((0.0, edge), (beam, far))
        ]
        return f'<path class="m-{tone}" fill-rule="evenodd" d="{path(rings[0])}{path(rings[1])}"/>'

    upright_side = [(beam, beam, far), (beam, far, far), (beam, far, edge), (beam, beam, edge)]
    upright = [(0.0, beam, far), (beam, beam, far), (beam, far, far), (0.0, far, far)]
    return "".join(
        (
            frame("mid", lambda p, q: (p, q, far)),
            frame("dim", lambda p, q: (beam, p, q)),
            frame("lit", lambda p, q: (p, beam, q)),
            frame("lit", lambda p, q: (p, edge, q)),
            frame("dim", lambda p, q: (edge, p, q)),
            frame("mid", lambda p, q: (p, q, 0.0)),
            _face("dim", map(seen, upright_side)),
            _face("mid", map(seen, upright)),
        )
    )


def _stairs(size: float = 70, pitch: float = 0.68, plinth: float = 0.35) -> str:
    """Twelve blocks around a court, each a step above the last, and the first a step above the twelfth.

    They climb four blocks towards the right, four towards us, two to the left and two away from us. The eye is so
    placed that the two blocks missing on the far sides hide just the height climbed: 2 * 2 * pitch = 12 steps.
    """
    legs = ((1, 0), 4), ((0, 1), 4), ((-1, 0), 2), ((0, -1), 2)
    step = 2 * 2 * pitch / 12
    spots = [(0, 0)]
    for (right, near), blocks in legs:
        for _ in range(blocks):
            spots.append((spots[-1][0] + right, spots[-1][1] + near))

    def seen(right: float, near: float, up: float) -> Point:
        return right - near, (right + near) * pitch - up

    faces: list[tuple[str, list[Point]]] = []
    # From the farthest to the nearest, as painters do.
    for block in (0, 1, 2, 3, 11, 4, 10, 5, 6, 7, 9, 8):
        i, j = spots[block]
        top = block * step
        foot = top - 1.15 if block in (0, 1, 2, 3, 11) else -plinth
        near_right = [(i + 1, j), (i + 1, j + 1)]
        near_left = [(i, j + 1), (i + 1, j + 1)]
        for tone, (one, other) in (("dim", near_right), ("mid", near_left)):
            faces.append((tone, [seen(*one, top), seen(*other, top), seen(*other, foot), seen(*one, foot)]))
        faces.append(("lit", [seen(*corner, top) for corner in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))]))
    return "".join(_face(tone, points) for tone, points in _fitted(size, faces))


def _fork(size: float = 74, width: float = 10, length: float = 50, back: float = 10) -> str:
    """Two square prongs on the left that arrive as three round ones on the right.

    Six parallel lines run to the lower right, `width` apart; what lies between two of them is solid at one end and
    air at the other. The tones run out in points between the ends, so that nothing stops where the eye could see it.
    """

    def on(line: float, along: float) -> Point:
        """The point of the line, so far from the slanted back edge."""
        across = line * width
        return (along - across) * SLOPE, (along - across) / 2 + across

    def below(point: Point) -> Point:
        return point[0], point[1] + width

    radius = width * SLOPE / 2

    def rim(prong: int, side: int) -> Point:
        """Where the round end of a prong (0, 1, 2) meets its upper (-1) or lower (1) line."""
        x, y = on(2 * prong + 0.5, length)
        return x - side * radius / 2, y + side * radius * SLOPE

    rear, front = on(0, 0), on(4, 0)
    inner, inner_front = on(1, back), on(3, back)
    room = length - back
    faces: list[tuple[str, Sequence[Point]]] = [
        ("dim", [inner, below(inner), inner_front]),
        ("mid", [inner, below(inner), on(2, back + 0.62 * room), on(1, back + 0.3 * room)]),
        (
            "lit",
            [
                *(rear, rim(0, -1), rim(0, 1), inner, inner_front),
                *(on(3, back + 0.75 * room), on(4, back + 0.3 * room), front),
            ],
        ),
        ("lit", [rim(1, -1), rim(1, 1), on(3, back + 0.62 * room), on(2, back + 0.12 * room)]),
        ("mid", [front, rim(2, -1), rim(2, 1), below(front)]),
    ]
    lines = [
        [rim(0, -1), rear, front, below(front), rim(2, 1)],
        [rim(0, 1), inner, inner_front, rim(1, 1)],
        [inner, below(inner), rim(1, -1)],
        [front, rim(2, -1)],
    ]
    fit = _fit(size, [point for line in lines for point in line])
    drawn = "".join(_face(tone, map(fit, points)) for tone, points in faces)
    edges = "".join("M" + "L".join(f"{x:.3g} {y:.3g}" for x, y in map(fit, line)) for line in lines)
    scale = fit(on(0, 1))[0] - fit(on(0, 0))[0]
    tall = radius * scale / SLOPE
    ends = ""
    for prong in range(3):
        x, y = fit(on(2 * prong + 0.5, length))
        ends += (
            f'<ellipse class="m-dim" cx="{x:.3g}" cy="{y:.3g}" rx="{tall / sqrt(3):.3g}" ry="{tall:.3g}"'
            f' transform="rotate(30 {x:.3g} {y:.3g})"/>'
        )
    return f'<g stroke="none">{drawn}</g><path fill="none" d="{edges}"/>{ends}'
