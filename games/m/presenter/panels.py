"""What lies before each player: score, chips, the size of the hand, and the taken tiles by colour."""

from __future__ import annotations

from games.contract.values import Moment
from games.m.position import COLOURS, Tile, View
from games.m.presenter.words import Words, drawn_once, signed
from games.m.scoring import COLOURS_THAT_COUNT, points_by_colour

MOST_CHIPS_DRAWN = 10


def draw_panel(view: View, seat: int, moment: Moment, words: Words) -> str:
    """The panel of a seat. The hand is shown in it where the viewer knows it without holding it."""
    now = " m-now" if view.to_move == seat else ""
    hand = view.hands[seat]
    open_hand = _open_hand(hand, words) if hand and seat != view.seat else ""
    passed = moment.seat == seat and moment.move is not None and moment.move.startswith("pass")
    return (
        f'<div class="m-panel{now}"><div class="m-counts">'
        f'<span class="m-sign-of-seat" role="img" aria-label="{words("seat", seat=seat)}">{seat + 1}</span>'
        f"{_chips(view.chips[seat], _change(seat, moment), words)}"
        f'<span class="m-hand-size" role="img" aria-label="{words("hand-size", count=view.hand_sizes[seat])}">'
        '<svg viewBox="0 0 100 100" aria-hidden="true"><use href="#m-back"/></svg>'
        f"{view.hand_sizes[seat]}</span>"
        + (f'<span class="tag">{words("passed")}</span>' if passed else "")
        + draw_points(view.scores[seat], words)
        + f"</div>{_taken(view.taken[seat], _just_taken(seat, moment), words)}{open_hand}</div>"
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
