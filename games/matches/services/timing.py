"""What is due at a running match by time alone, and doing it: rounds, flags, bots. The same, whoever looks when."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from games.contract.errors import IllegalMove
from games.contract.rules import SetsPace
from games.matches.models import Seat
from games.matches.services.absences import judge_absences
from games.matches.services.clocks import flagged_seats, follow_vacations, run_clocks
from games.matches.services.results import leave_for_good, settle_outcome
from games.matches.services.sitting import CHANCE, Sitting

BOT_PAUSE_MS = (450, 850)
"""How long a bot seems to think: short, but long enough to see what happened before."""


def bring_up_to(sitting: Sitting, moment: datetime) -> None:
    """Do what is due at or before that moment, each thing at its own time.

    The match itself says what that is: its `due_at` only says when a keeper looks, and after an accident that is later.
    """
    match = sitting.match
    while sitting.running and (at := _next_due(sitting, thoughts=False)) is not None and match.moment_of(at) <= moment:
        _do_next(sitting, at)
        settle(sitting, match.moment_of(at))
    if sitting.running and match.due_at is not None and match.due_at <= moment:
        # Looked at too early, as after an upgrade of the house.
        _plan_bots(sitting, sitting.match_time(moment))
        schedule(sitting)


def settle(sitting: Sitting, moment: datetime) -> None:
    """After any change: stand-ins play on, the match ends if it has to, clocks run, and the next look is set."""
    _play_stand_ins(sitting, moment)
    if sitting.running:
        settle_outcome(sitting, moment)
    if sitting.running:
        at = sitting.match_time(moment)
        follow_vacations(sitting, moment)
        run_clocks(sitting, at)
        _plan_bots(sitting, at)
        schedule(sitting)


def _next_due(sitting: Sitting, *, thoughts: bool) -> int | None:
    """The match time at which something is due next, in ms; with `thoughts` also what a keeper has to see to, since
    whoever touches the match can't do it at once."""
    dues = [sitting.rules.due(sitting.position)]
    dues += [seat.flags_at for seat in sitting.seats]
    dues += [seat.away_until for seat in sitting.seats]
    dues += [seat.acts_at for seat in sitting.seats if thoughts or not takes_thought(sitting, seat)]
    return min((due for due in dues if due is not None), default=None)


def _do_next(sitting: Sitting, at: int) -> None:
    """Do one thing that is due at that match time: the game's own first, then flags, then bots.

    If it is nothing of that, a vacation ends: `settle`, which follows, sees who is back.
    """
    due = sitting.rules.due(sitting.position)
    if due is not None and due <= at:
        judge_absences(sitting, sitting.advance(at))
    elif flagged := flagged_seats(sitting, at):
        leave_for_good(sitting, flagged, sitting.match.moment_of(at), how=Seat.Exit.FLAGGED)
    else:
        _play_bot(sitting, at)


def schedule(sitting: Sitting) -> None:
    """Say when this match must be looked at next."""
    at = _next_due(sitting, thoughts=True)
    due_at = sitting.match.moment_of(at) if at is not None else None
    if due_at != sitting.match.due_at:
        sitting.reschedule(due_at)


# Bots


def takes_thought(sitting: Sitting, seat: Seat) -> bool:
    """Whether the bot of the seat needs time for a move: then a keeper has it thought about beside everything else
    (`thoughts.py`). In real time the pause is its time, and the weakest level plays what comes to mind."""
    return bool(seat.level) and not sitting.in_real_time and seat.level != sitting.match.game.bot.LEVELS[0]


def _plan_bots(sitting: Sitting, at: int) -> None:
    """Say when each bot acts next. In real time it looks again whenever what it sees has changed."""
    awake = {index for index in sitting.rules.to_move(sitting.position) if sitting.seats[index].level}
    for seat in sitting.seats:
        acts_at = seat.acts_at
        if seat.index not in awake:
            acts_at = None
        elif acts_at is None or sitting.sees_news(seat):
            # What takes thought is begun at once; it has its pause before it is played.
            acts_at = at if takes_thought(sitting, seat) else at + _pause(sitting, seat, at)
        if acts_at != seat.acts_at:
            seat.acts_at = acts_at
            sitting.keep(seat)
    sitting.all_have_seen()


def _pause(sitting: Sitting, seat: Seat, at: int) -> int:
    bot: Any = sitting.match.game.bot
    if isinstance(bot, SetsPace):
        pause = bot.pause(sitting.rules.view(sitting.position, seat.index), seat.level, CHANCE, at=at)
        return max(1, pause)
    return CHANCE.randint(*BOT_PAUSE_MS)


def _play_bot(sitting: Sitting, at: int) -> None:
    """Let one bot act whose time has come; in real time it may find nothing, and looks on."""
    for seat in sitting.seats:
        if seat.acts_at is not None and seat.acts_at <= at and not takes_thought(sitting, seat):
            seat.acts_at = None
            sitting.keep(seat)
            view = sitting.rules.view(sitting.position, seat.index)
            text = sitting.match.game.bot.choose(view, seat.level, CHANCE)
            if text is not None:
                try:
                    sitting.play(seat, sitting.rules.parse_move(text), arrived=sitting.match.moment_of(at))
                except IllegalMove:
                    # In real time it may come too late, as anybody may; elsewhere it is a bot's fault.
                    if not sitting.in_real_time:
                        raise
            return


def _play_stand_ins(sitting: Sitting, moment: datetime) -> None:
    """Play the seats whose players have left, until it is somebody's turn who is there, or a bot's who stands in."""
    bot = sitting.match.game.bot
    while sitting.running and (seats := [seat for seat in sitting.seats_to_move(Seat.Kind.STAND_IN) if not seat.level]):
        text = bot.stand_in(sitting.rules.view(sitting.position, seats[0].index), CHANCE)
        if text is None:  # games in real time: a stand-in claims nothing
            return
        sitting.play(seats[0], sitting.rules.parse_move(text), arrived=moment)
