"""The outlines of blocks as SVG path data: a little smaller than their cells, with rounded corners."""

from __future__ import annotations

from games.block_buster.blocks import Cell, Form

UNIT = 10
"""A cell's side in the drawing's units."""

INSET = 0.5
"""How far a block stays within its cells, so that two that touch are seen as two."""

OUTER, INNER = 1.8, 0.8
"""The radius of a corner that points out, and of one that points in."""

_RIGHT, _DOWN, _LEFT, _UP = (1, 0), (0, 1), (-1, 0), (0, -1)


def outline(form: Form) -> str:
    """The block in this form as one closed path. A block hangs together and has no hole."""
    corners = _corners(form)
    parts = []
    for number, (point, come, go) in enumerate(corners):
        # Walked clockwise, the block lies on the right: inwards is a quarter turn on from where one goes.
        x = UNIT * point[0] + INSET * (-come[1] - go[1])
        y = UNIT * point[1] + INSET * (come[0] + go[0])
        radius = OUTER if (-come[1], come[0]) == go else INNER
        before, after = (x - radius * come[0], y - radius * come[1]), (x + radius * go[0], y + radius * go[1])
        parts.append(f"{'L' if number else 'M'}{_xy(before)}Q{_xy((x, y))} {_xy(after)}")
    return "".join(parts) + "Z"


def _corners(form: Form) -> list[tuple[Cell, Cell, Cell]]:
    """Each corner in turn: where it is, and the directions in which one comes and goes."""
    cells = set(form)
    edges: dict[Cell, tuple[Cell, Cell]] = {}
    for x, y in form:
        for start, way, beside in (
            ((x, y), _RIGHT, (x, y - 1)),
            ((x + 1, y), _DOWN, (x + 1, y)),
            ((x + 1, y + 1), _LEFT, (x, y + 1)),
            ((x, y + 1), _UP, (x - 1, y)),
        ):
            if beside not in cells:
                edges[start] = (way, (start[0] + way[0], start[1] + way[1]))
    start = at = form[0]
    come = _UP
    corners = []
    while True:
        go, then = edges[at]
        if go != come:
            corners.append((at, come, go))
        come, at = go, then
        if at == start:
            return corners


def _xy(point: tuple[float, float]) -> str:
    return f"{point[0]:.4g} {point[1]:.4g}"
