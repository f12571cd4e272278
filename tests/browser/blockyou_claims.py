"""Which claims of BlockYou! come to what, as the rules have it, and deals in which they can be made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

from games.blockyou.area import legal_placements, safe_placements
from games.blockyou.claims import points_at
from games.blockyou.placement import PLACEMENTS, Placement
from games.blockyou.position import FINAL_ROUND, Position
from games.blockyou.rules import RULES
from games.blockyou.timing import HOLD
from games.contract.values import Event
from tests.browser.server import Site

LATER_MS = 40
"""Between two claims of which the later one must not know of the earlier; less than `HOLD`."""


def position_of(site: Site, slug: str) -> Position:
    """All of the match, hidden cards too."""
    found: Position = RULES.load(site.ask("position", slug=slug))
    return found


def deal_in_which(players: int, can: Callable[[Position], Any]) -> dict[str, Any]:
    """The first deal in whose first round, just opened, that can be done."""
    for seed in count():
        deal = RULES.deal({}, [""] * players, Random(seed))
        start = RULES.start({}, deal, players)
        opens = RULES.due(start)
        assert opens is not None
        if can(RULES.advance(start, opens)[0]):
            return dict(deal)
    raise AssertionError("there is always a next seed")


def safe(position: Position, seat: int) -> tuple[Placement, ...]:
    """Where the seat's card can be placed well."""
    return safe_placements(position.area.colours, position.face_up(seat), position.setup.compass[seat])


def quiet(position: Position, seat: int) -> Placement | None:
    """A safe placement that blocks nobody."""
    return next((claim for claim in safe(position, seat) if not points_at(position, seat, claim)), None)


def wrong(position: Position, seat: int) -> Placement:
    """A placement whose colours do not match."""
    legal = legal_placements(position.area.colours, position.face_up(seat))
    return next(claim for claim in PLACEMENTS if claim not in legal)


def self_block(position: Position, seat: int, victim: int) -> Placement | None:
    """A placement that fits, and points at its own seat and at the victim; the last of three has the final then."""
    legal = legal_placements(position.area.colours, position.face_up(seat))
    for claim in legal:
        if {seat, victim} <= set(points_at(position, seat, claim)):
            after, _ = _in_turn(position, (seat, claim))
            if after.phase == FINAL_ROUND:
                return claim
    return None


def contest(position: Position, first: int, second: int) -> tuple[Placement, Placement] | None:
    """Claims of two seats for the same place, of which the one made later bounces; its seat could then place well."""
    return next(_contests(position, first, second), None)


def _contests(position: Position, first: int, second: int) -> Iterator[tuple[Placement, Placement]]:
    for early in safe(position, first):
        for late in safe(position, second):
            after, codes = _in_turn(position, (first, early), (second, late))
            if codes == ["placed", "bounced"] and after.seats[second].may_claim and quiet(after, second):
                yield early, late


def _in_turn(position: Position, *claims: tuple[int, Placement]) -> tuple[Position, list[str]]:
    """The position after these claims, each a little later, with the verdicts on them in order."""
    at = position.now + 1000
    happened: list[Event] = []
    for seat, claim in claims:
        position, events = RULES.play(position, seat, claim, at=at)
        happened += events
        at += LATER_MS
    position, events = RULES.advance(position, at + HOLD)
    happened += events
    return position, [event.code for event in happened if event.code in ("placed", "bounced", "dropped", "wrong")]
