"""How a match ends: by the rules, by leaving, by agreement, or by a moderator's word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from games.contract.registry import Game
from games.matches.errors import NotFound, NotVoided
from games.matches.log import TAKEN_OVER
from games.matches.models import VOIDED, Match, Seat
from games.matches.services.bests import rank_solo
from games.matches.services.clocks import stop_clock
from games.matches.services.histories import enter_in_history
from games.matches.services.leavers import note_leaving, weigh_again
from games.matches.services.ratings import ask_to_recompute, rate_match, rated_seats, restore_lines
from games.matches.services.sitting import Sitting, locked_match

RESIGNED, TIMEOUT, ABANDONED = "resigned", "timeout", "abandoned"
CANCELLED = "cancelled"


def settle_outcome(sitting: Sitting, moment: datetime) -> None:
    """End the match if the rules say that it is over."""
    outcome = sitting.rules.outcome(sitting.position)
    if outcome is not None:
        sitting.match.outcome = outcome.as_json()
        places = standing_places(seats=sitting.seats, places=outcome.places)
        finish_match(sitting, moment, reason=outcome.reason, places=places)


def leave_for_good(sitting: Sitting, seats: Sequence[Seat], moment: datetime, *, how: Seat.Exit) -> None:
    """These players leave, all at once: stand-ins play on, unless that has decided the match.

    It has when one competitor or team is left, who wins, or when nobody is. The log says who has left, and how. At a
    table where bots take over it goes on as long as anybody is there.
    """
    if not seats:
        return
    sitting.require_lock()
    sitting.drop_takeback()
    # Before they have left: who they are, and who has waited for them.
    note_leaving(sitting, seats, moment, how=how)
    at = sitting.match_time(moment)
    order = 1 + max(other.left_order or 0 for other in sitting.seats)
    for seat in seats:
        sitting.note_act(how, at=at, seat=seat.index)
        stop_clock(seat, at)
        seat.kind, seat.left_order, seat.exit, seat.away_until = Seat.Kind.STAND_IN, order, how, None
        if sitting.match.bot_takes_over:
            seat.level = takeover_level(sitting.match.game)
            sitting.note_act(TAKEN_OVER, at=at, seat=seat.index)
        sitting.keep(seat)
    sitting.touch(moment, in_lobby=True)
    reason = RESIGNED if how == Seat.Exit.RESIGNED else TIMEOUT
    stayed = [seat for seat in sitting.seats if seat.left_order is None]
    if not stayed:
        finish_match(sitting, moment, reason=reason if len(seats) == 1 else ABANDONED, places=None)
    elif _is_decided(sitting, stayed):
        places = standing_places(seats=sitting.seats, places=[1] * len(sitting.seats))
        finish_match(sitting, moment, reason=reason, places=places)


def _is_decided(sitting: Sitting, stayed: Sequence[Seat]) -> bool:
    """Whether what is left is no match any more, after others have left."""
    if not any(seat.is_present for seat in stayed):
        return True
    teams = sitting.rules.teams(sitting.match.options, len(sitting.seats))
    return not sitting.match.bot_takes_over and len({teams[seat.index] for seat in stayed}) == 1


def takeover_level(game: Game) -> str:
    """The level of the bot that stands in: the middle one."""
    return game.bot.LEVELS[len(game.bot.LEVELS) // 2]


def finish_match(sitting: Sitting, moment: datetime, *, reason: str, places: Sequence[int] | None) -> None:
    """The match is over, now. Without `places` it has no result, and so no standing."""
    sitting.require_lock()
    match = sitting.match
    # One that was called off is no match that anybody has played.
    match.status = Match.Status.CLOSED if reason == CANCELLED else Match.Status.OVER
    match.reason = reason
    # A match that is voided later has ended when it ended.
    match.finished_at = match.finished_at or max(moment, match.touched_at)
    match.due_at = None
    match.to_move = []
    sitting.drop_takeback()
    for seat in sitting.seats:
        stop_clock(seat, sitting.match_time(moment))
        seat.away_until = None
        sitting.keep(seat)
    match.standing = None
    if places is not None:
        match.standing = {"places": list(places), "scores": list(sitting.rules.scores(sitting.position))}
    if len(sitting.seats) == 1:
        rank_solo(match)
    rate_match(sitting)
    if match.status == Match.Status.OVER:
        enter_in_history(sitting)
    sitting.touch(moment, in_lobby=True)


def standing_places(*, seats: Sequence[Seat], places: Sequence[int]) -> list[int]:
    """Places by seat with leavers behind all who stayed, who left first last; equal results share: 1, 1, 3."""

    def rank(seat: Seat) -> tuple[int, int]:
        return (0, places[seat.index]) if seat.left_order is None else (1, -seat.left_order)

    ranks = [rank(seat) for seat in seats]
    return [1 + sum(other < own for other in ranks) for own in ranks]


def void_match(*, slug: str, moment: datetime) -> dict[str, Any]:
    """A moderator's word: the match has no result. What was played stays in the log.

    Gives what it was before, as plain data: with it a match that was over is restored (`restore_match`). If it has
    changed ratings, those of its game are to be recomputed; who has left it is counted as a leaver no more. Raises
    `NotFound` for one that has not begun.
    """
    with locked_match(slug=slug) as sitting:
        match = sitting.match
        if match.status not in (Match.Status.RUNNING, Match.Status.OVER):
            raise NotFound
        before: dict[str, Any] = {"status": match.status, "reason": match.reason, "standing": match.standing}
        if match.finish_number is not None and match.standing is not None:
            before["ratings"] = rated_seats(match)
            ask_to_recompute(game=match.game_slug, number=match.finish_number, moment=moment)
        finish_match(sitting, moment, reason=VOIDED, places=None)
        weigh_again(sitting, moment)
    return before


def restore_match(*, slug: str, before: Mapping[str, Any], moment: datetime) -> None:
    """Take the voiding of a match that was over back: its result counts again, for ratings, histories and bests.

    `before` is what `void_match` gave. Whatever is computed from it comes out as if it had never been voided; ratings
    by the bookkeeper, as after voiding. Raises `NotVoided`, also for a match that ran then: it stays ended.
    """
    with locked_match(slug=slug) as sitting:
        match = sitting.match
        if match.reason != VOIDED or before["status"] != Match.Status.OVER or not match.is_playable:
            raise NotVoided
        match.reason, match.standing = before["reason"], before["standing"]
        if len(sitting.seats) == 1:
            rank_solo(match)
        if match.finish_number is not None and match.standing is not None:
            restore_lines(sitting, before["ratings"])
            ask_to_recompute(game=match.game_slug, number=match.finish_number, moment=moment)
        enter_in_history(sitting)
        weigh_again(sitting, moment)
        sitting.touch(moment, in_lobby=True)


def end_match(*, slug: str, moment: datetime) -> None:
    """A moderator's word: the running match is over, without a result. Raises `NotFound`, `NotRunning`."""
    with locked_match(slug=slug) as sitting:
        sitting.require_running()
        finish_match(sitting, moment, reason=VOIDED, places=None)
