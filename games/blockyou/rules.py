"""The rules of BlockYou! as an object that keeps the contract: who may claim, what follows, and what time alone does.

A claim is refused with one of these codes: `over`; `nofit-in-company` (said in a match of several); then those of
`claims`, solo only `not-open`. A text that is no claim is `malformed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from games.blockyou import notation, results, rounds, solo
from games.blockyou.area import legal_placements, safe_placements
from games.blockyou.claims import accept_claim
from games.blockyou.dealing import INFO, draw_deal, start_position
from games.blockyou.placement import PLACEMENTS, Placement
from games.blockyou.position import NOFIT, OVER, Move, Position
from games.blockyou.storage import dump_position, load_position, trace_position
from games.blockyou.verdicts import verdicts
from games.blockyou.view import BlockYouView, view_of
from games.contract.errors import IllegalMove
from games.contract.options import complete_options
from games.contract.rules import Rules
from games.contract.values import OPEN, Event, Json, Options, OptionValue, Outcome, Verdict, Viewer

CLAIMS: tuple[Move, ...] = PLACEMENTS
SOLO_CLAIMS: tuple[Move, ...] = (*PLACEMENTS, NOFIT)
"""What may be claimed, right or wrong: every placement by number, and solo that there is none."""


class BlockYouRules:
    """BlockYou! for one to five players. Positions are `Position`, moves `Move`, views `BlockYouView`."""

    info = INFO

    def complete_options(self, given: Mapping[str, Any], players: int) -> dict[str, OptionValue]:
        return complete_options(INFO, given, players)

    def teams(self, options: Options, players: int) -> tuple[int, ...]:
        return tuple(range(players))

    def deal(self, options: Options, players: Sequence[str], rng: Random) -> dict[str, Json]:
        return draw_deal(len(players), rng)

    def start(self, options: Options, deal: Mapping[str, Any], players: int) -> Position:
        return start_position(self.complete_options(options, players), deal, players)

    def to_move(self, position: Position) -> tuple[int, ...]:
        """The seats that search and have no claim waiting: others must not be told who these are."""
        return tuple(seat for seat, state in enumerate(position.seats) if state.may_claim)

    def legal_moves(self, position: Position, seat: int) -> Sequence[Move]:
        """Every claim is an act that is allowed, however it ends."""
        if not position.seats[seat].may_claim:
            return ()
        return SOLO_CLAIMS if position.solo else CLAIMS

    def play(
        self, position: Position, seat: int, move: Move, *, at: int, lag: int = 0
    ) -> tuple[Position, tuple[Event, ...]]:
        """Does all that is due at `at` or before first: its events come in front."""
        position, due = self.advance(position, at)
        if position.phase == OVER:
            raise IllegalMove("over")
        happened = list(due)
        if position.solo:
            position = solo.play_claim(position, move, at=at, happened=happened)
        elif isinstance(move, Placement):
            position = accept_claim(position, seat, move, at=at, lag=lag, happened=happened)
        else:
            raise IllegalMove("nofit-in-company")
        return position, tuple(happened)

    def due(self, position: Position) -> int | None:
        return solo.next_due(position) if position.solo else rounds.next_due(position)

    def advance(self, position: Position, at: int) -> tuple[Position, tuple[Event, ...]]:
        do_next = solo.do_next if position.solo else rounds.do_next
        happened: list[Event] = []
        while (due := self.due(position)) is not None and due <= at:
            position = do_next(position, due, happened)
        return position.reached(max(at, position.now)), tuple(happened)

    def turn_key(self, position: Position, seat: int) -> str:
        """The round, or solo the card: a claim composed for one is never meant for the next."""
        return str(position.round)

    def outcome(self, position: Position) -> Outcome | None:
        return results.outcome(position)

    def scores(self, position: Position) -> tuple[int, ...]:
        return results.scores(position)

    def solo_ranks(self, outcome: Outcome) -> bool:
        """Only who has cleared the queue has a time to compare."""
        return outcome.reason == "cleared"

    def verdicts(self, events: Iterable[Event]) -> Sequence[Verdict]:
        return verdicts(events)

    def view(self, position: Position, viewer: Viewer) -> BlockYouView:
        return view_of(position, viewer)

    def view_move(self, position: Position, seat: int, move: Move, viewer: Viewer) -> str:
        """A claim is its seat's alone; what is public of it once it is committed, events tell."""
        return notation.format_move(move) if viewer in (OPEN, seat) else notation.HIDDEN

    def parse_move(self, text: str) -> Move:
        return notation.parse_move(text)

    def format_move(self, move: Move) -> str:
        return notation.format_move(move)

    def dump(self, position: Position) -> dict[str, Json]:
        return dump_position(position)

    def load(self, data: Mapping[str, Any]) -> Position:
        return load_position(data)

    def trace(self, position: Position) -> dict[str, Json]:
        return trace_position(position)

    def random_move(self, position: Position, seat: int, rng: Random) -> Move:
        """Right mostly, so that matches end; else what fits, a finger at oneself or not, or anything at all."""
        colours, face = position.area.colours, position.face_up(seat)
        safe: Sequence[Move] = safe_placements(colours, face, position.setup.compass[seat])
        if position.solo and not safe:
            safe = (NOFIT,)
        drawn = rng.random()
        if safe and drawn < RIGHT:
            return rng.choice(safe)
        fitting = legal_placements(colours, face)
        if fitting and drawn < FITTING:
            return rng.choice(fitting)
        return rng.choice(self.legal_moves(position, seat))


RIGHT, FITTING = 0.7, 0.85
"""How often a random player at most claims what is safe, and what is safe or at least fits."""

RULES: Rules[Position, Move, BlockYouView] = BlockYouRules()
