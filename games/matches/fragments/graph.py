"""Draws how a rating went: a line over the matches, as an SVG that says in words what it shows."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import ngettext

from games.matches.rating_lists import Point

WIDTH, HEIGHT = 480, 190
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 12, 30
"""Margins, for the numbers beside and the dates below."""

STEPS = (10, 20, 50, 100, 200, 500, 1000)
MOST_LINES = 5


def draw_graph(points: Sequence[Point], *, title: str, name: str) -> SafeString:
    """The ratings after each match, oldest first, at least one; `name` makes the ids of this drawing its own."""
    shown = [point.shown for point in points]
    levels = _levels(min(shown), max(shown))
    low, high = levels[0], levels[-1]

    def y(level: int) -> str:
        return f"{TOP + (high - level) / (high - low) * (HEIGHT - TOP - BOTTOM):.1f}"

    def x(index: int) -> str:
        along = index / (len(points) - 1) if len(points) > 1 else 0.5
        return f"{LEFT + along * (WIDTH - LEFT - RIGHT):.1f}"

    grid = format_html_join(
        "",
        '<path class="graph-level" d="M{} {}H{}"/><text class="graph-number" x="{}" y="{}" dy="0.35em">{}</text>',
        ((LEFT, y(level), WIDTH - RIGHT, LEFT - 8, y(level), str(level)) for level in levels),
    )
    line = " ".join(f"{x(index)},{y(level)}" for index, level in enumerate(shown))
    last = len(points) - 1
    return format_html(
        '<svg class="rating-graph" viewBox="0 0 {} {}" role="img" aria-labelledby="{}-title {}-desc">'
        '<title id="{}-title">{}</title><desc id="{}-desc">{}</desc>{}'
        '<polyline class="graph-line" points="{}"/><circle class="graph-now" cx="{}" cy="{}" r="4"/>{}</svg>',
        *(WIDTH, HEIGHT, name, name, name, title, name, _in_words(points)),
        *(grid, line, x(last), y(shown[last]), _dates(points)),
    )


def _levels(lowest: int, highest: int) -> list[int]:
    """Round numbers from below the lowest to above the highest, as many as the height bears."""
    for step in STEPS:
        first, end = lowest // step, -(-highest // step)
        if end - first < MOST_LINES:
            return [level * step for level in range(first, max(end, first + 1) + 1)]
    return [lowest, highest]


def _dates(points: Sequence[Point]) -> SafeString:
    ends = [(LEFT, "start", points[0]), (WIDTH - RIGHT, "end", points[-1])] if len(points) > 1 else []
    return format_html_join(
        "",
        '<text class="graph-date" x="{}" y="{}" text-anchor="{}">{}</text>',
        ((at, HEIGHT - 6, anchor, _day(point)) for at, anchor, point in ends),
    )


def _in_words(points: Sequence[Point]) -> str:
    shown = [point.shown for point in points]
    return ngettext(
        "After %(count)s match, on %(last)s: %(now)s.",
        "%(count)s matches, from %(first)s to %(last)s: from %(begin)s to %(now)s, lowest %(low)s, highest %(high)s.",
        len(points),
    ) % {
        "count": len(points),
        "first": _day(points[0]),
        "last": _day(points[-1]),
        "begin": shown[0],
        "now": shown[-1],
        "low": min(shown),
        "high": max(shown),
    }


def _day(point: Point) -> str:
    return date_format(localtime(point.at), "DATE_FORMAT")
