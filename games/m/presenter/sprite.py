"""What the boards of M are drawn from: every symbol once, in a hidden part that the page includes a single time."""

from __future__ import annotations

from functools import cache

from games.m.position import COLOURS, SYMBOLS, Tile
from games.m.presenter import tile as body
from games.m.presenter.figures import figures
from games.m.tiles import COPIES


@cache
def sprite() -> str:
    """The hidden SVG. A tile is `<use href="#m-RT3"/>`, 100 by 100 units."""
    shapes = [*body.PATTERNS.values()]
    shapes += [f'<path id="m-edge-{symbol}{value}" d="{body.outline(symbol, value)}"/>' for symbol, value in _edges()]
    shapes += [f'<g id="m-figure-{symbol}" class="m-figure">{drawn}</g>' for symbol, drawn in figures().items()]
    shapes += [f'<g id="m-value-{value}" class="m-value">{body.numbers(value)}</g>' for value in range(5)]
    shapes.append(f'<g id="m-plates" class="m-plates">{body.plates()}</g>')
    shapes += [_tile(code) for code in COPIES]
    shapes += [_swatch(colour) for colour in COLOURS]
    shapes += _MARKS
    return (
        '<svg class="m-sprite" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
        f"{''.join(shapes)}</defs></svg>"
    )


def _edges() -> list[tuple[str, int]]:
    return [("", 0), *((symbol, value) for symbol in SYMBOLS for value in range(1, 5))]


def _tile(code: Tile) -> str:
    """A tile: its shadow, its side and its face from one outline, then what is printed on it."""
    colour, symbol, value = code[0], code[1:-1], code[-1]
    edge = f'<use href="#m-edge-{symbol}{value}"'
    printed = f'{edge} y="-1" fill="url(#m-pattern-{colour})"/>' if colour in body.PATTERNS else ""
    figure = f'<use href="#m-figure-{symbol}" y="-1"/>' if symbol else ""
    return (
        f'<g id="m-{code}" class="m-{colour}">'
        f'{edge} class="m-shade" x="1" y="4"/>{edge} class="m-side" y="2"/>{edge} class="m-face" y="-1"/>{printed}'
        f'<use href="#m-plates" y="-1"/><use href="#m-value-{value}" y="-1"/>{figure}</g>'
    )


_MARKS = (
    # A chip lying flat, 20 by 20.
    '<g id="m-chip"><circle class="m-chip-side" cx="10" cy="11.200" r="8.800"/>'
    '<circle class="m-chip-face" cx="10" cy="9.800" r="8.800"/>'
    '<circle class="m-chip-inlay" cx="10" cy="9.800" r="5.600"/></g>',
    # The back of a tile, 100 by 100.
    '<g id="m-back"><use href="#m-edge-0" class="m-shade" x="1" y="4"/>'
    '<use href="#m-edge-0" class="m-back-side" y="2"/><use href="#m-edge-0" class="m-back-face" y="-1"/>'
    '<path class="m-back-print" d="M50 17 82 49 50 81 18 49ZM50 33 66 49 50 65 34 49Z" fill-rule="evenodd"/></g>',
    # A place where the chosen tile fits, what it brings there, and that it scores its row or its column.
    '<g id="m-spot"><rect class="m-spot" x="8" y="7" width="84" height="84" rx="8"/></g>',
    '<g id="m-earns-1"><use href="#m-chip" transform="translate(35 34) scale(1.5)"/></g>',
    '<g id="m-earns-2"><use href="#m-chip" transform="translate(24 34) scale(1.5)"/>'
    '<use href="#m-chip" transform="translate(46 34) scale(1.5)"/></g>',
    '<g id="m-earns-3"><use href="#m-chip" transform="translate(35 24) scale(1.5)"/>'
    '<use href="#m-chip" transform="translate(24 44) scale(1.5)"/>'
    '<use href="#m-chip" transform="translate(46 44) scale(1.5)"/></g>',
    '<g id="m-scores-row"><path class="m-score" d="M16 35 2 49 16 63ZM84 35 98 49 84 63Z"/></g>',
    '<g id="m-scores-col"><path class="m-score" d="M36 15 50 1 64 15ZM36 83 50 97 64 83Z"/></g>',
    # The same as signs of their own, for the choice between the two.
    '<g id="m-line-row"><path class="m-score" d="M28 24 2 50 28 76V58H72V76L98 50 72 24V42H28Z"/></g>',
    '<g id="m-line-col"><path class="m-score" d="M24 28 50 2 76 28H58V72H76L50 98 24 72H42V28Z"/></g>',
    # That a tile may be taken: an arrow off the table.
    '<g id="m-take"><rect class="m-take-ring" x="1" y="-1" width="98" height="100" rx="10"/>'
    '<circle class="m-take-disc" cx="50" cy="84" r="16"/>'
    '<path class="m-take-sign" d="M50 73 60 84H54V94H46V84H40Z"/></g>',
    # The same while another picks: only a ring.
    '<g id="m-open"><rect class="m-open-ring" x="1" y="-1" width="98" height="100" rx="10"/></g>',
    # That something is allowed, or not; for the pictures of the rules.
    '<g id="m-yes"><circle class="m-yes" cx="50" cy="49" r="17"/><path class="m-tick" d="M42 49 48 56 59 43"/></g>',
    '<g id="m-no"><circle class="m-no" cx="50" cy="49" r="17"/><path class="m-tick" d="M43 42 57 56M57 42 43 56"/></g>',
)


def _swatch(colour: str) -> str:
    """A small piece of the colour with its pattern, 40 by 40."""
    shape = '<rect width="40" height="40" rx="6"'
    printed = f'{shape} fill="url(#m-pattern-{colour})"/>' if colour in body.PATTERNS else ""
    return f'<g id="m-swatch-{colour}" class="m-{colour}">{shape} class="m-face"/>{printed}</g>'
