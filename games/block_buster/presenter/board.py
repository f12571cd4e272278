"""The board of Block Buster as an SVG: the point blocks with who leads around them, the blocks placed, the last move.

A cell is 10 units. What never changes, the empty board, is a symbol of the sprite; a block is a `<use>` of its form.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from games.block_buster.blocks import FORMS, Cell, normalised
from games.block_buster.board import TILE, board_with
from games.block_buster.modes import COLOURS
from games.block_buster.notation import format_cell
from games.block_buster.presenter.outline import UNIT
from games.block_buster.presenter.sprite import GUTTER, MARGIN
from games.block_buster.presenter.words import SAID_BY_THE_SCRIPT, Words
from games.block_buster.view import View
from games.contract.values import Moment


def draw_board(view: View, moment: Moment, words: Words) -> str:
    """The board, with all rings named, and the blocks of each colour listed in its name.

    What the script needs to preview a placement it reads from `data-` attributes: the rows as in `View.board`, the
    layout, the colours in play, and its sentences (`data-say-...`, with parameters in braces).
    """
    mode = view.setup.mode
    side = mode.tiles * TILE * UNIT
    box = f"-{GUTTER} -{GUTTER} {side + GUTTER + MARGIN} {side + GUTTER + MARGIN}"
    colours = range(len(mode.owners))
    parts = [
        f'<svg class="bb-board bb-of-{mode.tiles}" viewBox="{box}" role="group"'
        f' aria-label="{words("board", size=mode.tiles * TILE, blocks=len(view.placed))}" data-ply="{view.ply}"'
        f' data-rows="{" ".join(view.board)}" data-layout="{" ".join(view.setup.layout)}"'
        f' data-colours="{"|".join(words.sentence(COLOURS[colour]) for colour in colours)}"'
        f'{_sentences(view, words)}><use href="#bb-mat-{mode.tiles}"/>',
        *(_blocks(view, colour, words) for colour in colours),
        *(_ring(view, tile, moment, words) for tile in range(len(view.rings))),
        *_last(view, moment, words),
        _field(view, side, words),
        "</svg>",
    ]
    return "".join(parts)


def _field(view: View, side: int, words: Words) -> str:
    """What catches pointers, and has the focus, where somebody plays: the only stop for the tabulator on the board."""
    if view.seat is None or view.phase == "over":
        return ""
    return (
        f'<rect id="bb-field" class="bb-field" width="{side}" height="{side}" tabindex="0" role="application"'
        f' aria-label="{words("field")}"/>'
    )


def _sentences(view: View, words: Words) -> str:
    """Only who sits at the table gets them."""
    if view.seat is None or view.phase == "over":
        return ""
    return "".join(f' data-{code}="{words.sentence(code)}"' for code in SAID_BY_THE_SCRIPT)


def _ring(view: View, tile: int, moment: Moment, words: Words) -> str:
    """A point block with its ornament; who leads around it, and by how much, or who has acquired it."""
    ring = view.rings[tile]
    x, y = cell = board_with(view.setup.mode.tiles).point_cells[tile]
    point, symbol, new = f"{ring.shape} {format_cell(cell)}", ring.shape, ""
    if ring.leader is None:
        label = words.sentence("ring-nobody").format(point=point, free=ring.free)
        symbol += "-tie" if any(ring.counts) else ""
    else:
        colour, lead = COLOURS[ring.leader], ring.lead
        named = words.sentence(colour)
        if ring.acquirer is None:
            label = words.sentence("ring-leads").format(point=point, colour=named, lead=lead, free=ring.free)
            symbol += f"-{colour}-{lead}"
        else:
            label = words.sentence("ring-acquired").format(point=point, colour=named)
            symbol += f"-{colour}-own"
            new = ' class="bb-new"' if _is_new(tile, moment) else ""
    return f'<use href="#bb-{symbol}" x="{x * UNIT}" y="{y * UNIT}" role="img" aria-label="{label}"{new}/>'


def _is_new(tile: int, moment: Moment) -> bool:
    return any(event.code == "acquired" and event.params["tile"] == tile for event in moment.events)


def _blocks(view: View, colour: int, words: Words) -> str:
    """The blocks of a colour, each in one piece; they are listed in the group's name."""
    own = [(placed.block, placed.cells) for placed in view.placed if placed.colour == colour]
    if not own:
        return ""
    code = COLOURS[colour]
    listed = tuple(f"{block} {' '.join(map(format_cell, cells))}" for block, cells in own)
    return (
        f'<g class="bb-{code}" fill="url(#bb-print-{code})" role="img"'
        f' aria-label="{words("blocks", colour=code, blocks=listed)}">{"".join(_use(*block) for block in own)}</g>'
    )


def _last(view: View, moment: Moment, words: Words) -> Iterator[str]:
    """Around the block that was placed last, and what its jump cost."""
    if not view.placed or moment.move in (None, "pass"):
        return
    placed = view.placed[-1]
    x, y = placed.cells[0]
    label = words("last", colour=COLOURS[placed.colour], block=placed.block, cell=format_cell((x, y)))
    outline = _use(placed.block, placed.cells).replace("#bb-", "#bb-o-", 1).removesuffix("/>")
    yield f'{outline} class="bb-last" role="img" aria-label="{label}"/>'
    for event in moment.events:
        if event.code == "jumped":
            cost = event.params["cost"]
            yield (
                f'<g class="bb-paid" role="img" aria-label="{words("paid", cost=cost)}"'
                f' transform="translate({x * UNIT + 5} {y * UNIT})"><rect x="-7" y="-5" width="14" height="9" rx="4"/>'
                f'<text y="2">−{cost}</text></g>'
            )


@cache  # a few thousand short texts at most: one for each placement there is
def _use(block: str, cells: tuple[Cell, ...]) -> str:
    """The block where it lies."""
    number = FORMS[block].index(normalised(cells))
    left, top = min(x for x, _ in cells), cells[0][1]
    return f'<use href="#bb-{block}-{number}" x="{left * UNIT}" y="{top * UNIT}"/>'
