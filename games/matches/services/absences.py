"""Absent players in games played in real time: who lets round after round pass, and is away, has left."""

from __future__ import annotations

from collections.abc import Iterable

from games.contract.values import ROUND_OVER, Event
from games.matches.models import Seat
from games.matches.selectors import presence_of
from games.matches.services.results import leave_for_good
from games.matches.services.sitting import Sitting

IDLE_ROUNDS = 3
"""Rounds in a row without a claim; whoever is away too when the last of them ends has left."""


def judge_absences(sitting: Sitting, events: Iterable[Event]) -> None:
    """For each round that has ended: who claimed nothing in it, though they might have; judged once, as it ends."""
    for event in events:
        # A match that this very round has ended by the rules has its result.
        if event.code == ROUND_OVER and sitting.rules.outcome(sitting.position) is None:
            _judge_round(sitting, event)


def _judge_round(sitting: Sitting, event: Event) -> None:
    idle = []
    for seat in sitting.seats:
        if seat.index not in event.params["searched"] or seat.kind != Seat.Kind.PERSON:
            continue
        seat.idle_rounds = 0 if seat.has_claimed else seat.idle_rounds + 1
        if seat.idle_rounds >= IDLE_ROUNDS:
            idle.append(seat)
    for seat in sitting.seats:
        seat.has_claimed = False
        sitting.keep(seat)
    moment = sitting.match.moment_of(event.at)
    here = presence_of(match=sitting.match, moment=moment) if idle else {}
    # Whose account is gone is nowhere.
    absent = [seat for seat in idle if not here.get(seat.index)]
    leave_for_good(sitting, absent, moment, how=Seat.Exit.ABSENT)
