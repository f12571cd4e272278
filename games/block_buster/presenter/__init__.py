"""Draws Block Buster for one viewer, plainly: the board as an SVG, the blocks left, a panel for each seat."""

from __future__ import annotations

from html import escape

from games.block_buster.blocks import SQUARES
from games.block_buster.board import FREE, POINT, board_with
from games.block_buster.modes import COLOURS
from games.block_buster.notation import format_cell
from games.block_buster.view import View
from games.contract.rules import Say
from games.contract.values import Drawing, Moment

CELL = 20
"""A cell's side in the drawing's units."""

_CLASSES = {FREE: "bb-free", POINT: "bb-point", **{colour[0]: f"bb-{colour}" for colour in COLOURS}}


def sprite() -> str:
    """Nothing is shared: all is squares."""
    return ""


def draw(view: View, moment: Moment, say: Say) -> Drawing:
    """The view as markup; the block that was placed last is marked."""
    return Drawing(
        board=_board(view, moment, say),
        hand=_hand(view, say) if view.seat is not None else "",
        panels=tuple(_panel(view, seat, say) for seat in range(len(view.tokens))),
    )


def _board(view: View, moment: Moment, say: Say) -> str:
    board = board_with(view.setup.mode.tiles)
    side = board.size * CELL
    last = view.placed[-1].cells if view.placed and moment.move not in (None, "pass") else ()
    squares = "".join(
        f'<rect class="{_CLASSES[letter]}{" bb-last" if (x, y) in last else ""}" x="{CELL * x}" y="{CELL * y}"'
        f' width="{CELL}" height="{CELL}"/>'
        for y, row in enumerate(view.board)
        for x, letter in enumerate(row)
    )
    title = escape(say("board", size=board.size, blocks=len(view.placed)))
    rings = "".join(_ring(view, tile, say) for tile in range(len(view.rings)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="bb-board" viewBox="0 0 {side} {side}">'
        f"<title>{title}</title>{squares}{rings}</svg>"
    )


def _ring(view: View, tile: int, say: Say) -> str:
    ring = view.rings[tile]
    x, y = cell = board_with(view.setup.mode.tiles).point_cells[tile]
    label = say(
        "ring",
        shape=ring.shape,
        cell=format_cell(cell),
        leader=None if ring.leader is None else COLOURS[ring.leader],
        lead=ring.lead,
        free=ring.free,
        acquired=ring.acquirer is not None,
    )
    return f'<text x="{CELL * (x + 1)}" y="{CELL * (y + 1)}"><title>{escape(label)}</title>{ring.shape}</text>'


def _hand(view: View, say: Say) -> str:
    parts = []
    for colour in view.own_colours:
        if colour in view.out:
            parts.append(f"<p>{escape(say('hand-out', colour=COLOURS[colour]))}</p>")
            continue
        fits = "".join(
            "<li>"
            + escape(
                say("fit", block=fit.block, squares=SQUARES[fit.block], joined=fit.joined, jumps=fit.jumps),
            )
            + "</li>"
            for fit in view.fits[colour]
        )
        parts.append(f"<p>{escape(say('hand', colour=COLOURS[colour]))}</p><ul>{fits}</ul>")
    if view.may_act and view.may_pass:
        parts.append(f'<button type="button" data-move="pass">{escape(say("pass"))}</button>')
    return f'<div class="bb-hand">{"".join(parts)}</div>'


def _panel(view: View, seat: int, say: Say) -> str:
    colours = view.colours_of(seat)
    left = sum(SQUARES[block] for colour in colours for block in view.left[colour])
    said = (
        say("colours", colours=tuple(COLOURS[colour] for colour in colours)),
        say("points", points=view.scores[seat]),
        say("tokens", points=view.tokens[seat]),
        say("squares-left", count=left),
    )
    return "".join(f"<span>{escape(text)}</span> " for text in said)
