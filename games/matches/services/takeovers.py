"""Takeovers: at a table that wants it so, a bot stands in for who has left, until they have their seat back.

That a bot takes the seat is part of leaving (`results.py`). Who does not come back has left, as everywhere.
"""

from __future__ import annotations

from datetime import datetime

from accounts.people.limits import wait_for
from games.matches.callers import Caller
from games.matches.errors import NotRunning, NotSeated, Refused, TooOften
from games.matches.log import RETURNED
from games.matches.models import Match, Seat
from games.matches.services.admission import require_time_for_more
from games.matches.services.leavers import forgive_leaving
from games.matches.services.outages import counted
from games.matches.services.presence import renew_presence
from games.matches.services.sitting import Sitting, locked_match
from games.matches.services.timing import bring_up_to, settle

TIME_BACK = 10
"""Live, whoever comes back has this part of the match's time at least: the clock may have run out on them."""


def return_to_seat(*, slug: str, caller: Caller, moment: datetime) -> None:
    """The player has the seat back that a bot has taken; done twice it is the same.

    A move that the bot has not yet found comes too late. Raises `NotSeated` where there is no such seat, `NotRunning`
    once the match is over, `TooMany`, `TooOften`; what was due before has been done all the same.
    """
    user = caller.require_user()
    with locked_match(slug=slug, caller=caller) as sitting:
        seat = sitting.seat_held_by(caller)
        sitting.require_running()
        moment = counted(moment)
        bring_up_to(sitting, moment)
        try:
            if not sitting.running:
                raise NotRunning
            if not seat.is_present:
                if not seat.is_taken_over:
                    raise NotSeated
                require_time_for_more(user)
                wait = wait_for(action="return", user=user, address=caller.address)
                if wait is not None:
                    raise TooOften(wait=wait)
                _give_back(sitting, seat, moment)
        except Refused as error:
            sitting.refuse(error)
    renew_presence(slug=slug, user=user, moment=moment)


def _give_back(sitting: Sitting, seat: Seat, moment: datetime) -> None:
    forgive_leaving(sitting, seat, moment)
    seat.kind, seat.level, seat.left_order, seat.exit = Seat.Kind.PERSON, "", None, ""
    seat.acts_at, seat.wants_end = None, False
    # The round that runs is none that they have let pass.
    seat.idle_rounds, seat.has_claimed = 0, True
    _give_time(sitting.match, seat)
    sitting.keep(seat)
    sitting.note_act(RETURNED, at=sitting.match_time(moment), seat=seat.index)
    sitting.touch(moment, in_lobby=True)
    settle(sitting, moment)


def _give_time(match: Match, seat: Seat) -> None:
    """By turns all of a move's time; live what was left, and enough to go on with."""
    if match.clock_main is None:
        return
    least = match.clock_main if match.pace == Match.Pace.TURNS else match.clock_main // TIME_BACK
    seat.clock_left, seat.clock_since = max(seat.clock_left or 0, least), None
