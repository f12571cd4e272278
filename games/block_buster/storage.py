"""Positions of Block Buster as plain data: for storage, both ways, and as the lines of `record trace`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from games.block_buster.board import board_with
from games.block_buster.modes import COLOURS, MODES
from games.block_buster.notation import format_board, format_move, parse_move
from games.block_buster.placing import board_of
from games.block_buster.position import Place, Placed, Position, Setup
from games.contract.values import Json


def dump_position(position: Position) -> dict[str, Json]:
    """The whole position, but for what follows from the blocks on the board."""
    setup = position.setup
    return {
        "mode": setup.mode.name,
        "layout": list(setup.layout),
        "collection": setup.collection,
        "placed": [[placed.colour, format_move(Place(placed.block, placed.cells))] for placed in position.placed],
        "tokens": list(position.tokens),
        "supply": list(position.supply),
        "turn": position.turn,
        "out": list(position.out),
        "ply": position.ply,
        "reason": position.reason,
        "winner": position.winner,
    }


def load_position(data: Mapping[str, Any]) -> Position:
    """The position that was dumped."""
    tokens = tuple(data["tokens"])
    mode = MODES[data["mode"], len(tokens)]
    board = board_with(mode.tiles)
    placed = tuple(_placed(colour, text) for colour, text in data["placed"])
    cells = [0] * len(mode.owners)
    used: list[Counter[str]] = [Counter() for _colour in mode.owners]
    for block in placed:
        cells[block.colour] |= board.cells_of(block.cells)
        used[block.colour][block.block] += 1
    big, small = data["supply"]
    return Position(
        setup=Setup(mode, tuple(data["layout"]), data["collection"]),
        placed=placed,
        cells=tuple(cells),
        left=tuple(_left(mode.blocks, counts) for counts in used),
        tokens=tokens,
        supply=(big, small),
        turn=data["turn"],
        out=tuple(data["out"]),
        ply=data["ply"],
        reason=data["reason"],
        winner=data["winner"],
    )


def trace_position(position: Position, *, legal: int) -> dict[str, Json]:
    """A line of `record trace`, all but its `ply`; `legal` is the number of legal moves as texts."""
    colour = position.colour
    return {
        "phase": position.phase,
        "seat": position.to_move,
        "colour": None if colour is None else COLOURS[colour],
        "board": list(format_board(board_of(position), position.placed)),
        "left": {COLOURS[colour]: [*sorted(left)] for colour, left in enumerate(position.left)},
        "tokens": list(position.tokens),
        "supply": list(position.supply),
        "out": [COLOURS[colour] for colour in position.out],
        "legal": legal,
    }


def _placed(colour: int, text: str) -> Placed:
    move = parse_move(text)
    assert isinstance(move, Place)
    return Placed(colour, move.block, move.cells)


def _left(blocks: tuple[str, ...], used: Counter[str]) -> tuple[str, ...]:
    left = Counter(blocks) - used
    return tuple(block for block in dict.fromkeys(blocks) for _copy in range(left[block]))
