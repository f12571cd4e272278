"""What the boards of Block Buster are drawn from: every symbol once, in a hidden part that a page has a single time.

What never changes is in here whole, the empty boards with their coordinates too, so that a push need not bring it.
"""

from __future__ import annotations

from functools import cache
from string import ascii_lowercase

from games.block_buster.blocks import FORMS, Form
from games.block_buster.board import POINT_BLOCK, TILE
from games.block_buster.modes import COLOURS, SHAPES
from games.block_buster.presenter import kit
from games.block_buster.presenter.ornaments import ornaments
from games.block_buster.presenter.outline import UNIT, outline

GUTTER, MARGIN = 8, 3
"""Room for the coordinates, above and to the left, and for the edge of the board on the other sides."""

MOST_LEAD = 6
"""The widest lead in a ring of 12 cells that is not acquired yet."""

_RING = [(x, y) for y in range(TILE) for x in range(TILE) if (x, y) not in POINT_BLOCK]


@cache
def sprite() -> str:
    """The hidden SVG. A block is `<use href="#bb-L4-0"/>`, its form counted as in `FORMS`, 10 units a cell.

    It takes its inks from the class of a colour (`bb-blue`) around it, and its print from `fill` there. The attribute
    `data-cells` tells the page's script which cells a form covers.
    """
    forms = [(f"{block}-{number}", form) for block, all_forms in FORMS.items() for number, form in enumerate(all_forms)]
    shapes = [
        *(_print(colour) for colour in COLOURS),
        *(f'<path id="bb-o-{name}" d="{outline(form)}"/>' for name, form in forms),
        *(_block(name, form) for name, form in forms),
        *(_card(colour, block) for colour in COLOURS for block in FORMS),
        *(_kit_place(block) for block in FORMS),
        _empty_kit(),
        *(_point_block(shape, drawn) for shape, drawn in ornaments().items()),
        *(_sign(colour) for colour in COLOURS),
        *(_lead(colour, lead) for colour in COLOURS for lead in range(1, MOST_LEAD + 1)),
        *(_seal(colour) for colour in COLOURS),
        _TIE,
        *(_contested(shape, colour) for shape in SHAPES for colour in COLOURS),
        *(f'<g id="bb-{shape}-tie"><use href="#bb-{shape}"/><use href="#bb-tie"/></g>' for shape in SHAPES),
        _tile(),
        *(_mat(tiles) for tiles in (3, 4, 5)),
        *(_row_of_shapes(tiles) for tiles in (3, 4, 5)),
        *_ICONS,
    ]
    return (
        '<svg class="bb-sprite" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
        f"{''.join(shapes)}</defs></svg>"
    )


# Colour is never the only sign: each has a mark of its own, printed on every cell and around the number of its lead.
MARKS = {
    "blue": '<circle cx="5" cy="4.7" r="1.9"/>',
    "yellow": '<rect x="3.4" y="3.1" width="3.2" height="3.2"/>',
    "red": '<path d="M5 2.2 7.4 4.7 5 7.2 2.6 4.7Z"/>',
    "green": '<path d="M5 2.6 7.4 6.5H2.6Z"/>',
}


def _print(colour: str) -> str:
    return (
        f'<pattern id="bb-print-{colour}" width="{UNIT}" height="{UNIT}" patternUnits="userSpaceOnUse">'
        f'<g class="bb-mark bb-{colour}">{MARKS[colour]}</g></pattern>'
    )


def _block(name: str, form: Form) -> str:
    """A block: its side and its face from one outline, and the print of its colour."""
    cells = " ".join(f"{x},{y}" for x, y in form)
    edge = f'<use href="#bb-o-{name}"'
    return (
        f'<g id="bb-{name}" data-cells="{cells}">{edge} class="bb-side" y=".8"/>{edge} class="bb-face" y="-.3"/>'
        f'{edge} y="-.3"/></g>'
    )


def _card(colour: str, block: str) -> str:
    """A block as it lies in the tray, in the middle of 50 by 50 units."""
    form = FORMS[block][0]
    x = (50 - UNIT * (max(x for x, _ in form) + 1)) / 2
    y = (50 - UNIT * (max(y for _, y in form) + 1)) / 2
    return (
        f'<g id="bb-{colour}-{block}" class="bb-{colour}" fill="url(#bb-print-{colour})">'
        f'<use href="#bb-{block}-0" x="{x:g}" y="{y:g}"/></g>'
    )


def _kit_place(block: str) -> str:
    (left, top), form = kit.PLACES[block]
    number = FORMS[block].index(form)
    return f'<g id="bb-k-{block}"><use href="#bb-{block}-{number}" x="{UNIT * left}" y="{UNIT * top}"/></g>'


def _empty_kit() -> str:
    """The outlines of all blocks in their places, to be seen where one is gone."""
    return (
        '<g id="bb-kit" class="bb-gone">'
        + "".join(
            f'<use href="#bb-o-{block}-{FORMS[block].index(form)}" x="{UNIT * left}" y="{UNIT * top}"/>'
            for block, ((left, top), form) in kit.PLACES.items()
        )
        + "</g>"
    )


def _point_block(shape: str, drawn: str) -> str:
    return (
        f'<g id="bb-{shape}"><rect class="bb-stone-side" x=".6" y="1.4" width="18.8" height="18.6" rx="2.2"/>'
        f'<rect class="bb-stone" x=".6" y=".3" width="18.8" height="18.6" rx="2.2"/>'
        f'<g transform="translate(0 -.4)">{drawn}</g></g>'
    )


# The plates that carry a number, each in the shape of its colour's mark, around 0, 0.
_PLATES = {
    "blue": '<circle r="5"/>',
    "yellow": '<rect x="-4.6" y="-4.6" width="9.2" height="9.2" rx="1"/>',
    "red": '<path d="M0-6.3 6.3 0 0 6.3-6.3 0Z"/>',
    "green": '<path d="M0-6.6 6.7 5H-6.7Z"/>',
}
_MIDDLES = {"green": 3.7}
"""Where the text on a plate stands, if not in its middle."""


def _plate(colour: str, text: str) -> str:
    return (
        f'<g class="bb-plate">{_PLATES[colour]}</g>'
        f'<text class="bb-number" y="{_MIDDLES.get(colour, 2.3)}">{text}</text>'
    )


def _sign(colour: str) -> str:
    """The colour by itself, 14 by 14 units: in panels, where there is no block to show it."""
    return (
        f'<g id="bb-sign-{colour}" class="bb-{colour}" transform="translate(7 7)">'
        f'<g class="bb-plate">{_PLATES[colour]}</g></g>'
    )


def _lead(colour: str, lead: int) -> str:
    """On a point block: a frame in the colour that leads, and by how many cells."""
    return (
        f'<g id="bb-{colour}-by-{lead}" class="bb-{colour}">'
        '<rect class="bb-frame" x="1.2" y=".9" width="17.6" height="17.4" rx="1.8"/>'
        f'<g transform="translate(15.8 15.2)">{_plate(colour, str(lead))}</g></g>'
    )


def _seal(colour: str) -> str:
    """On a point block that is acquired: a plate with a tick."""
    lift = 1.4 if colour == "green" else 0
    return (
        f'<g id="bb-{colour}-seal" class="bb-{colour}"><g transform="translate(15.8 15.2)">'
        f'<g class="bb-plate">{_PLATES[colour]}</g>'
        f'<path class="bb-tick" d="M-2.2 {lift:g}L-.6 {lift + 1.7:g} 2.3 {lift - 1.6:g}"/></g></g>'
    )


_TIE = (
    '<g id="bb-tie"><g transform="translate(15.8 15.2)"><circle class="bb-tie" r="3.8"/>'
    '<path class="bb-equal" d="M-1.7-.9H1.7M-1.7.9H1.7"/></g></g>'
)


def _contested(shape: str, colour: str) -> str:
    """The point block with each sign of that colour: `bb-A-blue-3` leads by three, `bb-A-blue-own` is acquired."""
    leads = "".join(
        f'<g id="bb-{shape}-{colour}-{lead}"><use href="#bb-{shape}"/><use href="#bb-{colour}-by-{lead}"/></g>'
        for lead in range(1, MOST_LEAD + 1)
    )
    own = f'<use href="#bb-{shape}" class="bb-{colour}"/><use href="#bb-{colour}-seal"/>'
    return f'{leads}<g id="bb-{shape}-{colour}-own">{own}</g>'


def _tile() -> str:
    """A tile of the board: its ground, and the twelve cells of its ring."""
    cells = "".join(
        f"M{UNIT * x + 0.9:g} {UNIT * y + 0.5:g}h8.2q.4 0 .4.4v8.2q0 .4-.4.4h-8.2q-.4 0-.4-.4v-8.2q0-.4.4-.4z"
        for x, y in _RING
    )
    side = TILE * UNIT
    return (
        f'<g id="bb-tile"><rect class="bb-ground" x=".35" y=".35" width="{side - 0.7:g}" height="{side - 0.7:g}"'
        ' rx="1.6"/>'
        f'<path class="bb-cells" d="{cells}"/></g>'
    )


def _mat(tiles: int) -> str:
    """The empty board, light and dark tiles by turns, with the names of its columns and rows."""
    size, step = tiles * TILE, TILE * UNIT
    laid = "".join(
        f'<use href="#bb-tile" class="bb-{"odd" if (x + y) % 2 else "even"}" x="{x * step}" y="{y * step}"/>'
        for y in range(tiles)
        for x in range(tiles)
    )
    columns = "".join(f'<text x="{UNIT * x + 5}" y="-2.9">{ascii_lowercase[x]}</text>' for x in range(size))
    rows = "".join(f'<text x="-4.6" y="{UNIT * y + 6.4:g}">{y + 1}</text>' for y in range(size))
    side = f"{size * UNIT + 3.6:g}"
    return (
        f'<g id="bb-mat-{tiles}"><rect class="bb-mat" x="-1.8" y="-1.8" width="{side}" height="{side}" rx="2.4"/>'
        f'{laid}<g class="bb-names">{columns}{rows}</g></g>'
    )


def _row_of_shapes(tiles: int) -> str:
    """The shapes on a board of that width, in a row, 36 units each, with room for a number."""
    drawn = "".join(f'<use href="#bb-{shape}" x="{36 * number}"/>' for number, shape in enumerate(SHAPES[:tiles]))
    return f'<g id="bb-row-{tiles}">{drawn}</g>'


# Signs of buttons, 24 by 24 units, and a penalty token, 20 by 20.
_ICONS = (
    '<path id="bb-i-turn" class="bb-icon" d="M19 12a7 7 0 1 1-2.6-5.4M17 2v5h-5"/>',
    '<path id="bb-i-flip" class="bb-icon" d="M12 3v18M9 7 3 17h6ZM15 7l6 10h-6Z"/>',
    '<path id="bb-i-zoom" class="bb-icon" d="M15.5 15.5 21 21M10 4a6.5 6.5 0 1 0 .01 0M10 8v5M7.5 10.5h5"/>',
    '<path id="bb-i-back" class="bb-icon" d="M6 6 18 18M18 6 6 18"/>',
    '<path id="bb-i-nudge-left" class="bb-icon" d="M15 5 8 12l7 7"/>',
    '<path id="bb-i-nudge-up" class="bb-icon" d="M5 15 12 8l7 7"/>',
    '<path id="bb-i-nudge-right" class="bb-icon" d="M9 5l7 7-7 7"/>',
    '<path id="bb-i-nudge-down" class="bb-icon" d="M5 9l7 7 7-7"/>',
    '<g id="bb-token"><circle class="bb-token-side" cx="10" cy="11" r="8.5"/>'
    '<circle class="bb-token" cx="10" cy="9.8" r="8.5"/><path class="bb-token-minus" d="M6 9.8h8"/></g>',
)
