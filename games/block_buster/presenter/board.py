"""The board of Block Buster as an SVG: the point blocks with who leads around them, the blocks placed, the last move.

A cell is 10 units. What never changes, the empty board, is a symbol of the sprite; a block is a `<use>` of its form.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.block_buster.blocks import FORMS, normalised
from games.block_buster.board import TILE, board_with
from games.block_buster.modes import COLOURS
from games.block_buster.notation import format_cell
from games.block_buster.position import Placed
from games.block_buster.presenter.outline import UNIT
from games.block_buster.presenter.sprite import GUTTER, MARGIN
from games.block_buster.presenter.words import Words
from games.block_buster.view import View
from games.contract.values import Moment

_NUMBERS = {(block, form): number for block, forms in FORMS.items() for number, form in enumerate(forms)}

SAID_BY_THE_SCRIPT = (
    ("say-free", ("cell",)),
    ("say-taken", ("cell", "colour")),
    ("say-point", ("cell", "ring")),
    ("say-place", ("block", "cell")),
    ("say-joined", ()),
    ("say-first", ()),
    ("say-jump", ("gap", "cost")),
    ("say-too-far", ("gap", "cost", "reach")),
    ("say-covers-point", ("cell",)),
    ("say-covers-block", ("cell",)),
    ("say-leads", ("point", "colour", "lead")),
    ("say-nobody", ("point",)),
    ("say-acquired", ("point", "colour")),
    ("say-nowhere", ("block",)),
)
"""Sentences that the page's script completes by itself, with the names that stand in them in braces."""


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
        f' data-colours="{"|".join(words("colour-name", colour=COLOURS[colour]) for colour in colours)}"'
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
    return "".join(
        f' data-{code}="{words(code, **{name: f"{{{name}}}" for name in names})}"' for code, names in SAID_BY_THE_SCRIPT
    )


def _ring(view: View, tile: int, moment: Moment, words: Words) -> str:
    """A point block with its ornament; who leads around it, and by how much, or who has acquired it."""
    ring = view.rings[tile]
    cell = board_with(view.setup.mode.tiles).point_cells[tile]
    leader = None if ring.leader is None else COLOURS[ring.leader]
    acquired = ring.acquirer is not None
    label = words(
        "ring",
        shape=ring.shape,
        cell=format_cell(cell),
        leader=leader,
        lead=ring.lead,
        free=ring.free,
        acquired=acquired,
    )
    at = f'x="{cell[0] * UNIT}" y="{cell[1] * UNIT}"'
    owned = mark = ""
    if acquired:
        owned = f' class="bb-{leader}"'
        mark = f'<use href="#bb-{leader}-seal" {at}/>'
    elif leader is not None:
        mark = f'<use href="#bb-{leader}-by-{ring.lead}" {at}/>'
    elif any(ring.counts):
        mark = f'<use href="#bb-tie" {at}/>'
    new = ' class="bb-new"' if acquired and _is_new(tile, moment) else ""
    return f'<g{new} role="img" aria-label="{label}"><use href="#bb-{ring.shape}" {at}{owned}/>{mark}</g>'


def _is_new(tile: int, moment: Moment) -> bool:
    return any(event.code == "acquired" and event.params["tile"] == tile for event in moment.events)


def _blocks(view: View, colour: int, words: Words) -> str:
    """The blocks of a colour, each in one piece; they are listed in the group's name."""
    own = [placed for placed in view.placed if placed.colour == colour]
    if not own:
        return ""
    code = COLOURS[colour]
    listed = tuple((placed.block, format_cell(placed.cells[0])) for placed in own)
    drawn = "".join(f'<use href="#{_symbol(placed)}" {_at(placed)}/>' for placed in own)
    return (
        f'<g class="bb-{code}" fill="url(#bb-print-{code})" role="img"'
        f' aria-label="{words("blocks", colour=code, blocks=listed)}">{drawn}</g>'
    )


def _last(view: View, moment: Moment, words: Words) -> Iterator[str]:
    """Around the block that was placed last, and what its jump cost."""
    if not view.placed or moment.move in (None, "pass"):
        return
    placed = view.placed[-1]
    label = words("last", colour=COLOURS[placed.colour], block=placed.block, cell=format_cell(placed.cells[0]))
    outline = f"#bb-o-{_symbol(placed)[3:]}"
    yield f'<use class="bb-last" href="{outline}" {_at(placed)} role="img" aria-label="{label}"/>'
    for event in moment.events:
        if event.code == "jumped":
            x, y = placed.cells[0]
            yield (
                f'<g class="bb-paid" role="img" aria-label="{words("paid", cost=event.params["cost"])}"'
                f' transform="translate({x * UNIT + 5} {y * UNIT})"><rect x="-7" y="-5" width="14" height="9" rx="4"/>'
                f'<text y="2">−{event.params["cost"]}</text></g>'
            )


def _symbol(placed: Placed) -> str:
    return f"bb-{placed.block}-{_NUMBERS[placed.block, normalised(placed.cells)]}"


def _at(placed: Placed) -> str:
    left = min(x for x, _ in placed.cells)
    return f'x="{left * UNIT}" y="{placed.cells[0][1] * UNIT}"'
