"""What lies before each player: score, chips, the size of the hand, and the taken tiles by colour."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.contract.values import Moment
from games.m.position import COLOURS, Tile, View
from games.m.presenter.words import Words, drawn_once, signed
from games.m.scoring import COLOURS_THAT_COUNT, points_by_colour

MOST_CHIPS_DRAWN = 10

KEPT = 4096
"""Panels kept in a process: all see the same, and most are as they were a move ago."""


class Panel(NamedTuple):
    """What a panel shows."""

    seat: int
    now: bool
    chips: int
    change: int  # by how many chips the last move made the seat richer or poorer
    hand_size: int
    hand: tuple[Tile, ...]  # as far as it lies open
    passed: bool
    score: int
    taken: tuple[Tile, ...]
    new: frozenset[str]  # the colours of which the seat has just taken a tile


def draw_panel(view: View, seat: int, moment: Moment, words: Words) -> str:
    """The panel of a seat. The hand is shown in it where the viewer knows it without holding it."""
    panel = Panel(
        seat=seat,
        now=view.to_move == seat,
        chips=view.chips[seat],
        change=_change(seat, moment),
        hand_size=view.hand_sizes[seat],
        hand=view.hands[seat] or () if seat != view.seat else (),
        passed=moment.seat == seat and moment.move is not None and moment.move.startswith("pass"),
        score=view.scores[seat],
        taken=view.taken[seat],
        new=_just_taken(seat, moment),
    )
    return _drawn(panel, words)


@lru_cache(maxsize=KEPT)
def _drawn(panel: Panel, words: Words) -> str:
    return (
        f'<div class="m-panel{" m-now" if panel.now else ""}"><div class="m-counts">'
        f'<span class="m-sign-of-seat" role="img" aria-label="{words("seat", seat=panel.seat)}">{panel.seat + 1}</span>'
        f"{_chips(panel.chips, panel.change, words)}"
        f'<span class="m-hand-size" role="img" aria-label="{words("hand-size", count=panel.hand_size)}">'
        '<svg viewBox="0 0 100 100" aria-hidden="true"><use href="#m-back"/></svg>'
        f"{panel.hand_size}</span>"
        + (f'<span class="tag">{words("passed")}</span>' if panel.passed else "")
        + draw_points(panel.score, words)
        + f"</div>{_taken(panel.taken, panel.new, words)}{_open_hand(panel.hand, words) if panel.hand else ''}</div>"
    )


@drawn_once
def draw_points(points: int, words: Words) -> str:
    """A score."""
    return f'<span class="m-points" role="img" aria-label="{words("points", points=points)}">{signed(points)}</span>'


@drawn_once
def _chips(count: int, change: int, words: Words) -> str:
    """The chips as a row that overlaps, their number, and by how much it has just changed."""
    drawn = min(count, MOST_CHIPS_DRAWN)
    width = 20 + 8 * max(drawn - 1, 0)
    row = "".join(f'<use href="#m-chip" x="{8 * chip}"/>' for chip in range(drawn))
    row = row or '<circle class="m-no-chip" cx="10" cy="10" r="8"/>'
    changed = ""
    if change:
        kind = "m-gain" if change > 0 else "m-loss"
        shown = f"{'+' if change > 0 else ''}{signed(change)}"
        label = words("chips-changed", change=change)
        changed = f'<span class="m-change {kind}" role="img" aria-label="{label}">{shown}</span>'
    pile = f'<svg viewBox="0 0 {width} 21" width="{width}" height="21" aria-hidden="true">{row}</svg>'
    return f'<span class="m-chips" role="img" aria-label="{words("chips", count=count)}">{pile}{count}</span>{changed}'


def _change(seat: int, moment: Moment) -> int:
    """By how many chips the last move made the seat richer or poorer."""
    change = 0
    for event in moment.events:
        params = event.params
        if event.code == "chips":
            count = params["count"]
            change += count if params["seat"] == seat else -count if params["giver"] == seat else 0
        elif event.code == "paid":
            change += (params["to"] == seat) - (params["seat"] == seat)
    return change


def _just_taken(seat: int, moment: Moment) -> frozenset[str]:
    """The colours of which the seat has just taken a tile."""
    return frozenset(
        event.params["tile"][0] for event in moment.events if event.code == "took" and event.params["seat"] == seat
    )


@drawn_once
def _taken(tiles: tuple[Tile, ...], new: frozenset[str], words: Words) -> str:
    """The points taken in each colour, with the sign they have in the score: the best two are added."""
    points = points_by_colour(tiles)
    best = sorted((colour for colour in COLOURS if points[colour]), key=lambda colour: -points[colour])
    counting = best[:COLOURS_THAT_COUNT]
    cells = []
    for colour in COLOURS:
        counts = colour in counting
        classes = "m-sum" + (" m-added" if counts else " m-taken-off" if points[colour] else " m-none")
        classes += " m-new" if colour in new else ""
        sign = "+" if counts else "−" if points[colour] else ""
        cells.append(
            f'<li class="{classes}" aria-label="{words("sum", colour=colour, points=points[colour], counts=counts)}">'
            f'<svg viewBox="0 0 40 40" aria-hidden="true"><use href="#m-swatch-{colour}"/></svg>'
            f'<span aria-hidden="true">{sign}{points[colour]}</span></li>'
        )
    return f'<ul class="m-taken" aria-label="{words("taken")}">{"".join(cells)}</ul>'


def _open_hand(hand: tuple[Tile, ...], words: Words) -> str:
    tiles = "".join(
        f'<svg viewBox="0 0 100 100" role="img" aria-label="{words("tile", tile=tile)}"><use href="#m-{tile}"/></svg>'
        for tile in hand
    )
    return f'<div class="m-open-hand">{tiles}</div>'
