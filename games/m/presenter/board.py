"""The table of M as an SVG: tiles, free places, the scoring line, what happened last, and the stack.

A cell is 100 units. The picture always shows seven by seven cells: tiles lie within six by six, and with the free
places around them never take more than seven.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from games.contract.values import Moment
from games.m.field import Table, open_cells, room_in_frame
from games.m.notation import format_cell, parse_cell
from games.m.position import Cell, ScoringRound, Tile, View
from games.m.presenter.words import Words, drawn_once, signed

SHOWN = 7
UNIT = 100
GUTTER = 32
"""Room for the coordinates, above and to the left."""
MARGIN = 6
"""Room for the edge of the cloth, on the right."""
FOOT = 62
"""Room for the stack and the picks to come, below."""
HOME = (-2, -2)
"""The first column and row shown, unless the tiles have grown out of that; a fixed place keeps the picture still."""

MOST_TILES_OF_STACK = 6
MOST_PICKS = 4

KEPT = 128
"""Pictures kept in a process, so that those who see the same get what was drawn for the first of them."""


class Picture(NamedTuple):
    """What the board shows: of the view what is the same for everybody, but for who may take a tile."""

    phase: str
    tiles: tuple[tuple[Cell, Tile], ...]
    takeable: tuple[Cell, ...]
    may_take: bool
    scoring: ScoringRound | None
    stack: int
    seats: int
    ply: int
    placed: str | None  # the cell of the tile that the last move placed
    won: int  # the chips that it brought
    gone: tuple[tuple[Tile, str], ...]  # tiles that it took, and from which cells


def draw_board(view: View, moment: Moment, words: Words) -> str:
    """The table, with every tile and free place named. Elements that JavaScript needs carry `data-cell`."""
    return _drawn(_picture(view, moment), words)


def _picture(view: View, moment: Moment) -> Picture:
    return Picture(
        phase=view.phase,
        tiles=tuple(view.table.items()),
        takeable=view.takeable,
        may_take=view.may_act and bool(view.takeable),
        scoring=view.scoring,
        stack=view.stack,
        seats=len(view.chips),
        ply=view.ply,
        placed=_placed(moment),
        won=sum(event.params["count"] for event in moment.events if event.code == "chips"),
        gone=tuple((event.params["tile"], event.params["cell"]) for event in moment.events if event.code == "took"),
    )


@lru_cache(maxsize=KEPT)
def _drawn(seen: Picture, words: Words) -> str:
    table = dict(seen.tiles)
    left, top = shown_from(table, seen.scoring)
    width, height = GUTTER + SHOWN * UNIT + MARGIN, SHOWN * UNIT + GUTTER + FOOT
    box = f"{left - GUTTER} {top - GUTTER} {width} {height}"
    parts = [
        f'<svg class="m-board m-in-{seen.phase}" viewBox="{box}"'
        f' role="group" aria-label="{words("board", tiles=len(table))}" data-ply="{seen.ply}">',
        _mat(*room_in_frame(_field(table, seen.scoring)), left, top),
        *_line_behind(seen.scoring, words),
        *(_free_place(cell, words) for cell, _ in open_cells(table)),
        *_tiles(seen, words),
        *_marks(seen, table, words),
        *_foot(seen, left, top, words),
        "</svg>",
    ]
    return "".join(parts)


def shown_from(table: Table, scoring: ScoringRound | None) -> tuple[int, int]:
    """The left and upper edge of the cells shown, in units.

    `HOME`, moved just so far that all free places are seen; in the middle where the frame leaves no choice. While
    tiles are taken nothing moves: the round's line counts as it was.
    """
    field = _field(table, scoring)
    edges = []
    for axis, (home, room) in enumerate(zip(HOME, room_in_frame(field), strict=True)):
        if len(room) < SHOWN:
            edges.append(room.start * UNIT - (SHOWN - len(room)) * UNIT // 2)
            continue
        taken = {cell[axis] for cell in field}
        first = min(max(home, max(taken) + 2 - SHOWN), min(taken) - 1)
        edges.append(first * UNIT)
    return edges[0], edges[1]


def _field(table: Table, scoring: ScoringRound | None) -> Table:
    """The tiles that the picture makes room for: those on the table, and those of the line that a round has taken."""
    whole = scoring.whole if scoring is not None else ()
    return {**dict.fromkeys(whole, ""), **table}


@drawn_once
def _mat(columns: range, rows: range, left: int, top: int) -> str:
    """The cloth under the tiles, as far as the frame reaches, with the coordinates of its columns and rows."""
    xs = range(max(columns.start, -(-left // UNIT)), min(columns.stop, left // UNIT + SHOWN))
    ys = range(max(rows.start, -(-top // UNIT)), min(rows.stop, top // UNIT + SHOWN))
    parts = [
        f'<rect class="m-mat" x="{xs.start * UNIT - 4}" y="{ys.start * UNIT - 4}" width="{len(xs) * UNIT + 8}"'
        f' height="{len(ys) * UNIT + 8}" rx="12"/><g class="m-coordinates" aria-hidden="true">',
        *(f'<text x="{x * UNIT + 50}" y="{ys.start * UNIT - 10}">{signed(x)}</text>' for x in xs),
        *(f'<text class="m-row" x="{xs.start * UNIT - 9}" y="{y * UNIT + 55}">{signed(y)}</text>' for y in ys),
        "</g>",
    ]
    return "".join(parts)


@drawn_once
def _free_place(cell: Cell, words: Words) -> str:
    name = format_cell(cell)
    return (
        f'<g class="m-free" data-cell="{name}" role="img" tabindex="-1" transform="{_moved(cell)}"'
        f' aria-label="{words("free", cell=name)}"><path class="m-reach" d="M0 0H100V100H0Z"/>'
        '<rect x="9" y="8" width="82" height="82" rx="7"/></g>'
    )


def _tiles(seen: Picture, words: Words) -> Iterator[str]:
    """Row by row, as one reads."""
    last = parse_cell(seen.placed) if seen.placed else None
    in_line = set(seen.scoring.line) if seen.scoring else set()
    for cell, tile in sorted(seen.tiles, key=lambda item: (item[0][1], item[0][0])):
        if cell in seen.takeable:
            yield _takeable(cell, tile, words, may_take=seen.may_take, first=cell == seen.takeable[0])
        elif seen.phase == "take":
            yield _lying(cell, tile, words, classes="m-tile m-kept" if cell in in_line else "m-tile m-aside")
        else:
            yield _lying(cell, tile, words, code="last-at" if cell == last else "tile-at")


@drawn_once
def _lying(cell: Cell, tile: Tile, words: Words, *, classes: str = "m-tile", code: str = "tile-at") -> str:
    """A tile with which nothing can be done."""
    return _tile(cell, tile, words, classes, code, ' role="img" tabindex="-1"', "")


@drawn_once
def _takeable(cell: Cell, tile: Tile, words: Words, *, may_take: bool, first: bool) -> str:
    """A tile of the scoring line that may be taken: a button for whose pick it is."""
    classes, name = "m-tile m-takeable", format_cell(cell)
    if not may_take:
        return _tile(cell, tile, words, classes, "may-be-taken", ' role="img" tabindex="-1"', '<use href="#m-open"/>')
    more = f' role="button" tabindex="{0 if first else -1}" data-move="take {name}"'
    more += f' data-label="{words("take", tile=tile)}"'
    return _tile(cell, tile, words, classes, "take-at", more, '<use href="#m-take"/>')


def _tile(cell: Cell, tile: Tile, words: Words, classes: str, code: str, more: str, mark: str) -> str:
    name = format_cell(cell)
    return (
        f'<g class="{classes}" data-cell="{name}"{more} transform="{_moved(cell)}"'
        f' aria-label="{words(code, tile=tile, cell=name)}"><use href="#m-{tile}"/>{mark}</g>'
    )


def _line_behind(scoring: ScoringRound | None, words: Words) -> Iterator[str]:
    """The band on which the tiles of a scoring round lie."""
    if scoring is None:
        return
    xs, ys = [x for x, _ in scoring.line], [y for _, y in scoring.line]
    code = "row-scored" if min(ys) == max(ys) else "col-scored"
    yield (
        f'<rect class="m-line" role="img" aria-label="{words(code)}" x="{min(xs) * UNIT - 9}" y="{min(ys) * UNIT - 9}"'
        f' width="{(max(xs) - min(xs) + 1) * UNIT + 18}" height="{(max(ys) - min(ys) + 1) * UNIT + 18}" rx="16"/>'
    )


def _marks(seen: Picture, table: Table, words: Words) -> Iterator[str]:
    """What the last move did: a ring around the tile placed, the chips it brought, the place of a tile taken."""
    if seen.placed and parse_cell(seen.placed) in table:
        cell = parse_cell(seen.placed)
        yield f'<g transform="{_moved(cell)}"><rect class="m-last" x="-1" y="-3" width="102" height="104" rx="11"/>'
        if seen.won:
            yield (
                f'<g class="m-won" role="img" aria-label="{words("chips-won", count=seen.won)}"'
                f' transform="translate(18 -20)"><rect width="64" height="34" rx="17"/>'
                f'<text x="20" y="25">+{seen.won}</text><use href="#m-chip" x="37" y="7"/></g>'
            )
        yield "</g>"
    for tile, name in seen.gone:
        yield (
            f'<g class="m-gone" role="img" transform="{_moved(parse_cell(name))}"'
            f' aria-label="{words("just-taken", tile=tile, cell=name)}">'
            f'<rect x="5" y="4" width="90" height="90" rx="8"/><use href="#m-{tile}"/></g>'
        )


def _foot(seen: Picture, left: int, top: int, words: Words) -> Iterator[str]:
    """Below the table: the stack, and on the right whose picks come next in a scoring round."""
    yield f'<g class="m-foot" transform="translate({left} {top + SHOWN * UNIT + 12})">'
    yield _stack(seen.stack, words)
    if seen.scoring is not None:
        yield from _picks(seen.scoring, seen.seats, words)
    yield "</g>"


@drawn_once
def _stack(count: int, words: Words) -> str:
    shown = min(count, MOST_TILES_OF_STACK)
    tiles = "".join(f'<use href="#m-back" x="{tile * 9}" y="{-tile * 3}"/>' for tile in range(shown))
    tiles = tiles or '<rect class="m-no-stack" x="4" y="4" width="92" height="92" rx="8"/>'
    left = words("stack", count=count)
    return (
        f'<g aria-hidden="true" transform="scale(.46)">{tiles}</g>'
        f'<text x="{58 + max(shown - 1, 0) * 4}" y="32">{left}</text>'
    )


def _picks(scoring: ScoringRound, seats: int, words: Words) -> Iterator[str]:
    """The signs of the next seats, against the turn of play; arrows between them, and what they mean before them."""
    order = tuple((scoring.picker - pick) % seats for pick in range(min(seats, MOST_PICKS)))
    yield f'<g class="m-picks" role="img" aria-label="{words("picks", seats=order)}">'
    for place, seat in enumerate(reversed(order)):
        at = SHOWN * UNIT - 24 - place * 58
        now = " m-now" if seat == scoring.picker else ""
        yield f'<g class="m-sign{now}" transform="translate({at} 24)"><circle r="20"/><text y="8">{seat + 1}</text>'
        yield "</g>" if place == 0 else '<path d="M25 -6 32 0 25 6"/></g>'
    before = SHOWN * UNIT - 56 - (len(order) - 1) * 58
    yield f'<text class="m-caption" x="{before}" y="32">{words("picks-next")}</text></g>'


def _placed(moment: Moment) -> str | None:
    """The cell of the tile that the last move placed, as text."""
    if moment.move is None or "@" not in moment.move:
        return None
    return moment.move.partition("@")[2].partition("/")[0]


def _moved(cell: Cell) -> str:
    return f"translate({cell[0] * UNIT} {cell[1] * UNIT})"
