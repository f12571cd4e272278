"""What must hold of every match that is stored, whatever has happened to it."""

from __future__ import annotations

from games.contract.values import Event
from games.matches.log import event_of
from games.matches.models import Match
from games.matches.takebacks import TAKEN_BACK


def assert_sound(match: Match) -> None:
    """The log is without gaps, never goes back in time, and leads from the deal to the stored position.

    In real time the same goes for its events: what is stored of them is what the moves make happen, each once.
    """
    match.refresh_from_db()
    rules = match.game.rules
    moves = list(match.moves.filter(undone=False).order_by("ply", "id"))
    assert match.takebacks == match.moves.filter(undone=True).count()
    assert match.takebacks == match.entries.filter(of_house=True, code=TAKEN_BACK).count()
    assert [move.ply for move in moves] == list(range(1, match.ply + 1))
    position = rules.start(match.options, match.deal or {}, match.seat_count)
    happened: list[Event] = []
    for move in moves:
        position, events = rules.play(position, move.seat, rules.parse_move(move.text), at=move.at, lag=move.lag)
        happened += events
    position, events = rules.advance(position, match.reached)
    assert rules.dump(position) == match.position
    entries = list(match.entries.order_by("pk"))
    if match.in_real_time:
        assert [event_of(entry) for entry in entries if not entry.of_house] == [*happened, *events]
    elif match.status == Match.Status.RUNNING:
        assert match.to_move == list(rules.to_move(position))
    # A claim counts as of when it arrived, also if an act of the house has had the lock before it.
    of_house, of_game = ([entry.at for entry in entries if entry.of_house is own] for own in (True, False))
    for times in ([move.at for move in moves], of_house, of_game):
        assert times == sorted(times)
