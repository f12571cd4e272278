"""The rules of Block Buster as an object that keeps the contract: whose turn it is, what is legal, what follows.

A move is refused with one of these codes, looked for in this order:

- `over`; `not-your-turn` (`seat` and `colour` whose turn it is);
- a pass: `can-join` (`colour`, and a `block` that can be joined);
- a placement: `left-out` (`block`: not in this mode), `used` (`block`, `colour`), `off-board` (`cell`, `size` of the
  board), `wrong-shape` (`block`), `not-sorted`, `point-block` (`cell`), `occupied` (`cell`, `colour` there),
  `too-far` (`gap`, `cost`, `tokens` of the player in points, `limit`), `supply` (`gap`, `cost`, `big` and `small`
  tokens that are left).

A text that is no move is `malformed`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from games.block_buster import events, notation
from games.block_buster.blocks import FORMS, by_row, normalised
from games.block_buster.board import Board, Cells
from games.block_buster.dealing import INFO, draw_deal, first_position, settle_options
from games.block_buster.modes import COLOURS, MODES
from games.block_buster.placing import (
    board_of,
    count_places,
    gap_between,
    has_place,
    is_stuck,
    may_pass,
    places,
    room_now,
)
from games.block_buster.position import Move, Pass, Place, Placed, Position
from games.block_buster.rings import all_rings, rings_of
from games.block_buster.scoring import acquired, collections, held, outcome, scores
from games.block_buster.storage import dump_position, load_position, trace_position
from games.block_buster.tokens import BIG, LIMIT, SMALL, cost, payment
from games.block_buster.view import View, view_of
from games.contract.errors import IllegalMove
from games.contract.rules import Rules
from games.contract.values import Event, Json, Options, OptionValue, Outcome, Viewer

T = TypeVar("T")


class BlockBusterRules:
    """Block Buster for two to four players. Positions are `Position`, moves `Move`, views `View`."""

    info = INFO

    def complete_options(self, given: Mapping[str, Any], players: int) -> dict[str, OptionValue]:
        return settle_options(given, players)

    def teams(self, options: Options, players: int) -> tuple[int, ...]:
        return MODES[str(settle_options(options, players)["mode"]), players].teams

    def deal(self, options: Options, players: Sequence[str], rng: Random) -> dict[str, Json]:
        return draw_deal(options, len(players), rng)

    def start(self, options: Options, deal: Mapping[str, Any], players: int) -> Position:
        """The position before the first move. No colour is out yet."""
        return first_position(options, deal, players)

    def to_move(self, position: Position) -> tuple[int, ...]:
        return () if position.to_move is None else (position.to_move,)

    def legal_moves(self, position: Position, seat: int) -> Sequence[Move]:
        """Placements by block (equal ones once), then by form, then row by row; the pass, if allowed, after them."""
        if seat != position.to_move:
            return ()
        room = room_now(position, position.turn)
        moves: list[Move] = list(places(board_of(position), position.left[position.turn], room.free, room.reached))
        if may_pass(position):
            moves.append(Pass())
        return tuple(moves)

    def play(
        self, position: Position, seat: int, move: Move, *, at: int, lag: int = 0
    ) -> tuple[Position, tuple[Event, ...]]:
        if position.reason is not None:
            raise IllegalMove("over")
        if seat != position.to_move:
            raise IllegalMove("not-your-turn", seat=self.to_move(position)[0], colour=COLOURS[position.turn])
        happened: list[Event] = []
        if position.setup.mode.owners.count(seat) > 1:
            happened.append(events.colour_played(at, seat, position.turn))
        match move:
            case Place():
                after = _play_place(position, move, at, happened)
            case Pass():
                after = _play_pass(position, at, happened)
        return replace(after, ply=position.ply + 1), tuple(happened)

    def due(self, position: Position) -> None:
        """Never: in Block Buster nothing happens by time alone."""

    def advance(self, position: Position, at: int) -> tuple[Position, tuple[Event, ...]]:
        return position, ()

    def turn_key(self, position: Position, seat: int) -> str:
        """The ply: after any move, what was composed before may no longer fit."""
        return str(position.ply)

    def outcome(self, position: Position) -> Outcome | None:
        return outcome(position, all_rings(position.setup, position.cells)) if position.reason is not None else None

    def scores(self, position: Position) -> tuple[int, ...]:
        return scores(position, all_rings(position.setup, position.cells))

    def view(self, position: Position, viewer: Viewer) -> View:
        return view_of(position, viewer)

    def view_move(self, position: Position, seat: int, move: Move, viewer: Viewer) -> str:
        """The move's text: everything is seen by everybody."""
        return notation.format_move(move)

    def parse_move(self, text: str) -> Move:
        return notation.parse_move(text)

    def format_move(self, move: Move) -> str:
        return notation.format_move(move)

    def dump(self, position: Position) -> dict[str, Json]:
        return dump_position(position)

    def load(self, data: Mapping[str, Any]) -> Position:
        return load_position(data)

    def trace(self, position: Position) -> dict[str, Json]:
        return trace_position(position, legal=count_legal(position))


RULES: Rules[Position, Move, View] = BlockBusterRules()


def count_legal(position: Position) -> int:
    """How many legal moves there are, without listing them; 0 when the match is over."""
    if position.reason is not None:
        return 0
    room = room_now(position, position.turn)
    placements = count_places(board_of(position), position.left[position.turn], room.free, room.reached)
    return placements + may_pass(position)


def _play_place(position: Position, move: Place, at: int, happened: list[Event]) -> Position:
    colour, board = position.turn, board_of(position)
    seat = position.setup.mode.owners[colour]
    cells = _check_lying(position, board, move)
    gap, (big, small) = _check_gap(position, board, seat, cells)
    if gap:
        happened.append(events.jumped(at, seat, colour, gap, cost(gap)))
    left = list(position.left[colour])
    left.remove(move.block)
    placed = replace(
        position,
        placed=(*position.placed, Placed(colour, move.block, move.cells)),
        cells=_with(position.cells, colour, position.cells[colour] | cells),
        left=_with(position.left, colour, tuple(left)),
        tokens=_with(position.tokens, seat, position.tokens[seat] - big * BIG - small * SMALL),
        supply=(position.supply[0] - big, position.supply[1] - small),
    )
    winner = None
    if _acquire(position, placed, move, at, happened):
        winner = _winner_at_once(placed, seat, at, happened)
    return _end_turn(placed, at, happened, winner=winner)


def _check_lying(position: Position, board: Board, move: Place) -> Cells:
    """The cells of the placement, if that block may lie there, near or far. Raises `IllegalMove`."""
    if move.block not in position.left[position.turn]:
        if move.block not in position.setup.mode.blocks:
            raise IllegalMove("left-out", block=move.block)
        raise IllegalMove("used", block=move.block, colour=COLOURS[position.turn])
    for cell in move.cells:
        if not board.has(cell):
            raise IllegalMove("off-board", cell=notation.format_cell(cell), size=board.size)
    if normalised(move.cells) not in FORMS[move.block]:
        in_order = tuple(sorted(move.cells, key=by_row))
        if normalised(in_order) in FORMS[move.block]:
            raise IllegalMove("not-sorted")
        raise IllegalMove("wrong-shape", block=move.block)
    cells = board.cells_of(move.cells)
    if point := cells & ~board.placeable:
        raise IllegalMove("point-block", cell=notation.format_cell(board.first(point)))
    for colour, taken in enumerate(position.cells):
        if both := taken & cells:
            raise IllegalMove("occupied", cell=notation.format_cell(board.first(both)), colour=COLOURS[colour])
    return cells


def _check_gap(position: Position, board: Board, seat: int, cells: Cells) -> tuple[int, tuple[int, int]]:
    """The gap of a placement, with the big and small tokens that pay for it. Raises `IllegalMove`."""
    gap = gap_between(board, position.cells[position.turn], cells)
    tokens = position.tokens[seat]
    if cost(gap) - tokens > LIMIT:
        raise IllegalMove("too-far", gap=gap, cost=cost(gap), tokens=tokens, limit=LIMIT)
    paid = payment(gap, position.supply)
    if paid is None:
        big, small = position.supply
        raise IllegalMove("supply", gap=gap, cost=cost(gap), big=big, small=small)
    return gap, paid


def _acquire(before: Position, after: Position, move: Place, at: int, happened: list[Event]) -> bool:
    """Tell of the point blocks that have been acquired by this placement, by whichever colour; whether there are any.

    What is acquired once stays so, and only the rings that the block lies on have changed.
    """
    tiles = sorted({board_of(after).tile_of(cell) for cell in move.cells})
    any_new = False
    for tile, was, is_now in zip(
        tiles, rings_of(before.setup, before.cells, tiles), rings_of(after.setup, after.cells, tiles), strict=True
    ):
        if is_now.acquirer is not None and was.acquirer is None:
            happened.append(events.acquired(at, after, is_now.acquirer, tile))
            any_new = True
    return any_new


def _winner_at_once(position: Position, mover: int, at: int, happened: list[Event]) -> int | None:
    """The first seat, from the mover's on, that has acquired a collection, whether or not it is out."""
    setup = position.setup
    sets = acquired(setup, all_rings(setup, position.cells))
    found = collections(setup, sets)
    if not found:
        return None
    seat, shape = min(found, key=lambda collection: (collection[0] - mover) % position.seats)
    happened.append(events.collected(at, seat, shape, sets[seat][shape]))
    return seat


def _play_pass(position: Position, at: int, happened: list[Event]) -> Position:
    colour, board = position.turn, board_of(position)
    room = room_now(position, colour)
    for block in reversed(position.left[colour]):
        if has_place(board, [block], room.free, room.joined):
            raise IllegalMove("can-join", block=block, colour=COLOURS[colour])
    return _end_turn(position, at, happened, passed=True)


def _end_turn(
    position: Position, at: int, happened: list[Event], *, passed: bool = False, winner: int | None = None
) -> Position:
    """Colours that can't go on are out, and the next one plays, unless the match has ended.

    [ruling] A pass is final, and so is having no legal placement after any move, the last one included.
    """
    owners, out = position.setup.mode.owners, set(position.out)
    for colour, owner in enumerate(owners):
        if colour not in out and ((passed and colour == position.turn) or is_stuck(position, colour)):
            out.add(colour)
            happened.append(events.colour_out(at, owner, colour))
    position = replace(position, out=tuple(sorted(out)), winner=winner)
    if winner is not None:
        return _end(position, "collection", at, happened)
    if len(out) == len(owners):
        return _end_played_out(position, at, happened)
    turn = (position.turn + 1) % len(owners)
    while turn in out:
        turn = (turn + 1) % len(owners)
    return replace(position, turn=turn)


def _end_played_out(position: Position, at: int, happened: list[Event]) -> Position:
    """All colours are out. [ruling] Who holds a collection by majorities wins outright."""
    setup = position.setup
    sets = held(setup, all_rings(setup, position.cells))
    found = collections(setup, sets)
    for seat, shape in found:
        happened.append(events.collected(at, seat, shape, sets[seat][shape]))
    return _end(position, "collection" if found else "exhausted", at, happened)


def _end(position: Position, reason: str, at: int, happened: list[Event]) -> Position:
    happened.append(events.match_ended(at, reason))
    return replace(position, reason=reason)


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The values by seat or colour, with another one here."""
    return (*values[:index], value, *values[index + 1 :])
