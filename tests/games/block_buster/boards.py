"""Positions of Block Buster drawn in ASCII from a1 on: `b y r g` colours, `.` free, `#` point blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.block_buster.board import POINT, board_with
from games.block_buster.dealing import FIXED_LAYOUTS
from games.block_buster.modes import COLOURS, MODES
from games.block_buster.position import Placed, Position, Setup
from games.block_buster.rules import RULES
from games.block_buster.tokens import FULL_SUPPLY
from games.contract.errors import IllegalMove
from games.contract.values import Event

LETTERS = "".join(colour[0] for colour in COLOURS)

LACKING_ONE = """
    bbbbbbbb....
    b##bb##b.##.
    b##.b##..##.
    ............
    ........bbbb
    .##..##.b##b
    .##..##..##.
    .....yyy....
"""
"""Blue has acquired two point blocks A, and lacks one cell of the third."""


def position(
    drawing: str,
    *,
    mode: str = "standard",
    players: int = 2,
    layout: Sequence[str] | None = None,
    collection: int | None = None,
    left: Mapping[str, str] | None = None,
    **fields: Any,
) -> Position:
    """A position in the middle of a match; colour 0 plays unless `turn` is given.

    `left` has the blocks left by the letter of a colour, as a text; colours not named have all of theirs.
    """
    played = MODES[mode, players]
    board = board_with(played.tiles)
    cells: list[list[tuple[int, int]]] = [[] for _colour in played.owners]
    for y, row in enumerate(drawing.split()):
        for x, letter in enumerate(row):
            assert (letter == POINT) == (board.rows[y][x] == POINT), f"not as on the board: {x}, {y}"
            if letter in LETTERS:
                cells[LETTERS.index(letter)].append((x, y))
    given: dict[str, Any] = {"tokens": (0,) * players, "supply": FULL_SUPPLY, "ply": 20} | fields
    blocks = {letter: tuple(names.split()) for letter, names in (left or {}).items()}
    return Position(
        setup=Setup(played, tuple(layout or FIXED_LAYOUTS[played.tiles]), collection or played.collections[0]),
        placed=tuple(Placed(colour, "drawn", tuple(own)) for colour, own in enumerate(cells) if own),
        cells=tuple(map(board.cells_of, cells)),
        left=tuple(blocks.get(LETTERS[colour], played.blocks) for colour in range(len(played.owners))),
        **given,
    )


def start(mode: str = "standard", players: int = 2, **options: Any) -> Position:
    """The first position of a match with the fixed layout."""
    layout = list(FIXED_LAYOUTS[MODES[mode, players].tiles])
    return RULES.start({"mode": mode, **options}, {"layout": layout}, players)


def play(begun: Position, *texts: str) -> Position:
    """The position after these moves, each by the seat that is to move."""
    for text in texts:
        begun, _ = play_one(begun, text)
    return begun


def play_one(begun: Position, text: str) -> tuple[Position, tuple[Event, ...]]:
    """The position after one move of the seat that is to move, and the events."""
    seat = begun.to_move
    assert seat is not None, "the match is over"
    return RULES.play(begun, seat, RULES.parse_move(text), at=1000)


def refusal(begun: Position, text: str, seat: int | None = None) -> IllegalMove:
    """How the rules refuse a move of the seat (by default the one to move)."""
    mover = begun.to_move if seat is None else seat
    assert mover is not None
    try:
        RULES.play(begun, mover, RULES.parse_move(text), at=1000)
    except IllegalMove as refused:
        return refused
    raise AssertionError(f"{text} was not refused")


def legal(begun: Position) -> list[str]:
    """The texts of all legal moves of the seat that is to move."""
    assert begun.to_move is not None
    return [RULES.format_move(move) for move in RULES.legal_moves(begun, begun.to_move)]


def told(events: Sequence[Event]) -> list[tuple[str, dict[str, Any]]]:
    """Codes and parameters."""
    return [(event.code, dict(event.params)) for event in events]
