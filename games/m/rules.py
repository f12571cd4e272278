"""The rules of M as an object that keeps the contract: whose move it is, what is legal, and what follows from it.

A move is refused with one of these codes, looked for in this order:

- `over`; `not-your-turn` (`seat` whose turn it is);
- in a scoring round: `must-take` (any other move), `not-in-line`, `splits` (`cell`);
- a take at any other time: `no-round`;
- a pass: `not-in-hand` (`tile`), `no-exchange` (the stack is empty);
- a placement: `not-in-hand` (`tile`), `occupied` (`cell`, `tile` there), `no-neighbour` (`cell`), `frame` (`size`),
  `mismatch` (`tile`, `neighbour`, `cell` of the neighbour), `line-missing` (row and column both score, and none is
  said), `line-not-asked` (`lines` that score, as a text: "row", "col" or "").

A text that is no move is `malformed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any, TypeVar

from games.contract.errors import IllegalMove
from games.contract.options import complete_options
from games.contract.rules import Rules
from games.contract.values import OPEN, Event, Json, Options, OptionValue, Outcome, Viewer
from games.m import events, notation
from games.m.dealing import (
    HAND_SIZE,
    INFO,
    STARTING_CELLS,
    check_deal,
    draw_deal,
)
from games.m.field import FRAME, line_through, neighbours, placements, room_in_frame
from games.m.position import HIDDEN, Fit, Move, Pass, Place, Position, ScoringRound, Take, Tile, View
from games.m.scoring import CHIPS_AT_START, chips_due, givers_of_chips, places, score, scoring_lines, takeable
from games.m.storage import dump_position, load_position, trace_position
from games.m.tiles import MATCHING

T = TypeVar("T")

ROUNDS_OF_PASSES = 3
"""[ruling] The match has stalled when so many turns of every seat in a row were passes: the last 3n turns."""


class MRules:
    """M for two to six players. Positions are `Position`, moves `Move`, views `View`."""

    info = INFO

    def complete_options(self, given: Mapping[str, Any], players: int) -> dict[str, OptionValue]:
        return complete_options(INFO, given, players)

    def teams(self, options: Options, players: int) -> tuple[int, ...]:
        return tuple(range(players))

    def deal(self, options: Options, players: Sequence[str], rng: Random) -> dict[str, Json]:
        return draw_deal(players, rng)

    def start(self, options: Options, deal: Mapping[str, Any], players: int) -> Position:
        """The position before the first turn. Nothing that ends a match is looked for yet."""
        cells = STARTING_CELLS[str(complete_options(INFO, options, players)["start"])]
        tiles, first = check_deal(deal, players)
        laid = len(cells)
        dealt = laid + HAND_SIZE * players
        return Position(
            table=dict(zip(cells, tiles[:laid], strict=True)),
            hands=tuple(tuple(sorted(tiles[at : at + HAND_SIZE])) for at in range(laid, dealt, HAND_SIZE)),
            stack=tiles[dealt:],
            chips=(CHIPS_AT_START,) * players,
            taken=((),) * players,
            turn=first,
        )

    def to_move(self, position: Position) -> tuple[int, ...]:
        return () if position.to_move is None else (position.to_move,)

    def legal_moves(self, position: Position, seat: int) -> Sequence[Move]:
        """Placements by tile and then row by row, `row` before `col`; passes after them; takes along the line."""
        if seat != position.to_move:
            return ()
        if position.scoring is not None:
            return tuple(Take(cell) for cell in takeable(position.table, position.scoring.line))
        hand = position.hands[seat]
        moves: list[Move] = [move for fit in _fits(position, seat) for move in fit.moves]
        moves.append(Pass())
        if may_exchange(position):
            moves.extend(Pass(tile) for tile in dict.fromkeys(hand))
        return tuple(moves)

    def play(
        self, position: Position, seat: int, move: Move, *, at: int, lag: int = 0
    ) -> tuple[Position, tuple[Event, ...]]:
        if position.reason is not None:
            raise IllegalMove("over")
        if seat != position.to_move:
            raise IllegalMove("not-your-turn", seat=self.to_move(position)[0])
        happened: list[Event] = []
        if position.scoring is not None:
            after = _play_take(position, position.scoring, move, at, happened)
        else:
            match move:
                case Place():
                    after = _play_place(position, move, at, happened)
                case Pass():
                    after = _play_pass(position, move, at, happened)
                case Take():
                    raise IllegalMove("no-round")
        return replace(after, ply=position.ply + 1), tuple(happened)

    def gifts(self, events: Iterable[Event]) -> list[tuple[int, int, int]]:
        """Chips paid for passing: who passes without need makes the one on their right a present."""
        return [(event.params["seat"], event.params["to"], 1) for event in events if event.code == "paid"]

    def due(self, position: Position) -> None:
        """Never: in M nothing happens by time alone."""

    def advance(self, position: Position, at: int) -> tuple[Position, tuple[Event, ...]]:
        return position, ()

    def earns_time(self, position: Position, move: Move) -> bool:
        """A take adds no time to its player's clock: the picks of a scoring round follow quickly on each other."""
        return not isinstance(move, Take)

    def turn_key(self, position: Position, seat: int) -> str:
        """The ply: after any move, what was composed before may no longer fit."""
        return str(position.ply)

    def outcome(self, position: Position) -> Outcome | None:
        if position.reason is None:
            return None
        scores = self.scores(position)
        return Outcome(position.reason, places(scores), scores)

    def scores(self, position: Position) -> tuple[int, ...]:
        return tuple(_score(chips, taken) for chips, taken in zip(position.chips, position.taken, strict=True))

    def view(self, position: Position, viewer: Viewer) -> View:
        chips, stack = open_counts(position)
        scoring = position.scoring
        playing = position.phase == "play"
        return View(
            viewer=viewer,
            phase=position.phase,
            to_move=position.to_move,
            # In one order however the table came to be, so that equal knowledge is drawn as equal bytes.
            table=dict(sorted(position.table.items())),
            hands=tuple(hand if viewer in (OPEN, seat) else None for seat, hand in enumerate(position.hands)),
            hand_sizes=tuple(len(hand) for hand in position.hands),
            stack=stack,
            chips=chips,
            taken=position.taken,
            scores=self.scores(position),
            scoring=scoring,
            takeable=takeable(position.table, scoring.line) if scoring is not None else (),
            fits=tuple(_fits(position, viewer)) if playing and isinstance(viewer, int) else (),
            ply=position.ply,
            outcome=self.outcome(position),
        )

    def view_move(self, position: Position, seat: int, move: Move, viewer: Viewer) -> str:
        """The move's text; that a pass exchanged a tile is seen by all, which tile by its seat alone."""
        if isinstance(move, Pass) and move.tile is not None and viewer not in (OPEN, seat):
            move = Pass(HIDDEN)
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
        seat = position.to_move
        return trace_position(position, legal=0 if seat is None else len(self.legal_moves(position, seat)))


RULES: Rules[Position, Move, View] = MRules()


# Kept, since every view counts it for every seat.
_score = lru_cache(maxsize=4096)(score)


def open_counts(position: Position) -> tuple[tuple[int, ...], int]:
    """What everybody may count. [ruling] The chips of each seat and the size of the stack are public."""
    return position.chips, len(position.stack)


def may_exchange(position: Position) -> bool:
    """Whether a pass may exchange a tile. [ruling] Also without chips, but not when the stack is empty."""
    return bool(position.stack)


def _fits(position: Position, seat: int) -> Iterator[Fit]:
    """Where the seat's tiles may go, on the table and with the chips of everybody as they are now."""
    to_give = sum(position.chips) - position.chips[seat]
    for tile, cell, beside in placements(position.table, position.hands[seat]):
        yield Fit(tile, cell, min(chips_due(beside), to_give), scoring_lines(position.table, tile, cell))


def _play_place(position: Position, move: Place, at: int, happened: list[Event]) -> Position:
    seat = position.turn
    line = _check_place(position, move)
    wanted = chips_due(len(neighbours(position.table, move.cell)))
    chips = list(position.chips)
    for giver, count in givers_of_chips(chips, seat, wanted):
        chips[giver] -= count
        chips[seat] += count
        happened.append(events.chips_taken(at, seat, giver, count))
    placed = replace(
        position,
        table={**position.table, move.cell: move.tile},
        hands=_with(position.hands, seat, _without(position.hands[seat], move.tile)),
        chips=tuple(chips),
        passes=0,
    )
    if line is None:
        return _end_placement(placed, at, happened, scored=False)
    cells = line_through(placed.table, move.cell, line)
    happened.append(events.round_begun(at, seat, line, cells))
    return _pick_or_end(placed, ScoringRound(cells, placer=seat, picker=seat, whole=cells), at, happened)


def _check_place(position: Position, move: Place) -> str | None:
    """The line that the placement scores, None without one. Raises `IllegalMove`."""
    table, tile, cell = position.table, move.tile, move.cell
    if tile not in position.hands[position.turn]:
        raise IllegalMove("not-in-hand", tile=tile)
    if cell in table:
        raise IllegalMove("occupied", cell=notation.format_cell(cell), tile=table[cell])
    beside = neighbours(table, cell)
    if not beside:
        raise IllegalMove("no-neighbour", cell=notation.format_cell(cell))
    columns, rows = room_in_frame(table)
    if cell[0] not in columns or cell[1] not in rows:
        raise IllegalMove("frame", size=FRAME)
    for other in beside:
        if table[other] not in MATCHING[tile]:
            raise IllegalMove("mismatch", tile=tile, neighbour=table[other], cell=notation.format_cell(other))
    lines = scoring_lines(table, tile, cell)
    if len(lines) > 1:
        if move.line is None:
            raise IllegalMove("line-missing")
        return move.line
    if move.line is not None:
        raise IllegalMove("line-not-asked", lines="".join(lines))
    return lines[0] if lines else None


def _play_take(position: Position, scoring: ScoringRound, move: Move, at: int, happened: list[Event]) -> Position:
    if not isinstance(move, Take):
        raise IllegalMove("must-take")
    if move.cell not in scoring.line:
        raise IllegalMove("not-in-line", cell=notation.format_cell(move.cell))
    if move.cell not in takeable(position.table, scoring.line):
        raise IllegalMove("splits", cell=notation.format_cell(move.cell))
    seat = scoring.picker
    tile = position.table[move.cell]
    happened.append(events.tile_taken(at, seat, tile, move.cell))
    taken = replace(
        position,
        table={cell: other for cell, other in position.table.items() if cell != move.cell},
        taken=_with(position.taken, seat, tuple(sorted((*position.taken[seat], tile)))),
    )
    left = tuple(cell for cell in scoring.line if cell != move.cell)
    next_to_pick = (seat - 1) % position.seats
    return _pick_or_end(taken, ScoringRound(left, scoring.placer, next_to_pick, scoring.whole), at, happened)


def _pick_or_end(position: Position, scoring: ScoringRound, at: int, happened: list[Event]) -> Position:
    """The scoring round goes on while any tile of its line may be taken; then its placement's turn ends."""
    if takeable(position.table, scoring.line):
        return replace(position, scoring=scoring)
    happened.append(events.round_over(at))
    return _end_placement(replace(position, scoring=None), at, happened, scored=True)


def _end_placement(position: Position, at: int, happened: list[Event], *, scored: bool) -> Position:
    """The placer draws, and the turn ends. [ruling] Drawing comes after the scoring round."""
    if not position.stack:
        # Nothing is drawn earlier in a turn, so the stack was empty when it began.
        return _end_turn(position, at, happened, last_scored=scored)
    seat = position.turn
    tile, *rest = position.stack
    happened.append(events.tile_drawn(at, seat, tile))
    if not rest:
        happened.append(events.stack_empty(at))
    hands = _with(position.hands, seat, tuple(sorted((*position.hands[seat], tile))))
    return _end_turn(replace(position, hands=hands, stack=tuple(rest)), at, happened)


def _play_pass(position: Position, move: Pass, at: int, happened: list[Event]) -> Position:
    seat = position.turn
    hand, stack, chips = position.hands[seat], position.stack, list(position.chips)
    if move.tile is not None:
        if move.tile not in hand:
            raise IllegalMove("not-in-hand", tile=move.tile)
        if not may_exchange(position):
            raise IllegalMove("no-exchange")
    if chips[seat]:
        right = (seat - 1) % position.seats
        chips[seat] -= 1
        chips[right] += 1
        happened.append(events.pass_paid(at, seat, right))
    if move.tile is not None:
        drew, *rest = stack
        stack = (*rest, move.tile)
        hand = tuple(sorted((*_without(hand, move.tile), drew)))
        happened.append(events.exchanged(at, seat, move.tile, drew))
    passed = replace(
        position, hands=_with(position.hands, seat, hand), stack=stack, chips=tuple(chips), passes=position.passes + 1
    )
    return _end_turn(passed, at, happened)


def _end_turn(position: Position, at: int, happened: list[Event], *, last_scored: bool = False) -> Position:
    """The left neighbour's turn, unless the match has ended. `last_scored`: a placement on an empty stack scored."""
    if last_scored:
        reason = "scored"
    elif not any(True for hand in position.hands for _ in placements(position.table, hand)):
        reason = "blocked"
    elif position.passes >= ROUNDS_OF_PASSES * position.seats:
        reason = "stalled"
    else:
        return replace(position, turn=(position.turn + 1) % position.seats)
    happened.append(events.match_ended(at, reason))
    return replace(position, reason=reason)


def _with(by_seat: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The values by seat, with another one for this seat."""
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])


def _without(hand: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    """The hand with one such tile less."""
    at = hand.index(tile)
    return hand[:at] + hand[at + 1 :]
