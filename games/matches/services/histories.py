"""The history: what each seat of a match that is over is listed and found by."""

from __future__ import annotations

from collections.abc import Sequence

from games.contract.values import MODE
from games.matches.models import Match, Seat
from games.matches.services.sitting import Sitting
from games.matches.standings import seat_result


def enter_in_history(sitting: Sitting) -> None:
    """Write the end of the match to its seats, within its transaction; anew for one that is voided later."""
    match = sitting.match
    results = _results(sitting)
    for seat, result in zip(sitting.seats, results, strict=True):
        seat.finished_at, seat.result = match.finished_at, result
        seat.game_slug, seat.mode = match.game_slug, str(match.options.get(MODE, ""))
        seat.rated, seat.public = match.rated, match.public
        sitting.keep(seat)


def _results(sitting: Sitting) -> Sequence[str]:
    match: Match = sitting.match
    # The game of a match without a standing may be gone: a moderator can still void it.
    if match.standing is None:
        return [Seat.Result.NONE] * len(sitting.seats)
    if len(sitting.seats) == 1:
        return [Seat.Result.ALONE]
    teams = sitting.rules.teams(match.options, len(sitting.seats))
    return [seat_result(seat.index, places=match.standing["places"], teams=teams) for seat in sitting.seats]
