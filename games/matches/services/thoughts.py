"""Moves of bots that take thought: a keeper takes them on, has them thought about, and plays what came of it.

Between taking and playing no transaction is open and nothing is locked, and anything may happen to the match: a move is
played only if its turn is still the same. Taking says at the match until when nobody else should; whoever took it may
die meanwhile, and then it is taken again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from games.contract.registry import Game
from games.matches.log import EASED
from games.matches.models import Seat
from games.matches.services.sitting import CHANCE, Sitting, locked_match
from games.matches.services.timing import BOT_PAUSE_MS, bring_up_to, schedule, settle, takes_thought

TAKEN_FOR = timedelta(seconds=5)
"""A move that somebody has taken on is theirs for so long. Who needs longer is most likely the first to see that, and
goes on; another keeper may then think as well, and the first move counts."""


@dataclass(frozen=True)
class Thought:
    """A turn of a bot. `turn` is another text when the move can't be meant any more; it comes at `plays_at` at the
    earliest. `position` is the whole of it: the bot is given what the seat sees.
    """

    slug: str
    game: Game
    seat: int
    level: str
    turn: str
    plays_at: datetime
    position: Any

    @property
    def view(self) -> Any:
        """What the seat may know."""
        return self.game.rules.view(self.position, self.seat)

    @property
    def key(self) -> tuple[str, int, str, str]:
        """The same for the same turn, however often it is taken."""
        return (self.slug, self.seat, self.level, self.turn)


def take_thoughts(sitting: Sitting, moment: datetime) -> Sequence[Thought]:
    """What bots of the match have to think about, and nobody sees to; from now on the caller does."""
    if not sitting.running:
        return ()
    match, at = sitting.match, sitting.match_time(moment)
    found = []
    for seat in sitting.seats:
        if seat.acts_at is None or seat.acts_at > at or not takes_thought(sitting, seat):
            continue
        plays_at = match.moment_of(seat.acts_at + CHANCE.randint(*BOT_PAUSE_MS))
        turn = match.turn_key(sitting.position, seat.index)
        found.append(Thought(match.slug, match.game, seat.index, seat.level, turn, plays_at, sitting.position))
        seat.acts_at = at + TAKEN_FOR // timedelta(milliseconds=1)
        sitting.keep(seat)
    if found:
        schedule(sitting)
    return found


def play_thought(thought: Thought, *, move: str, moment: datetime) -> Sequence[Thought]:
    """Play that move if it is still the turn for which it was thought; otherwise only what is due is done. What bots
    have to think about then is taken at once, as by `take_thoughts`.

    Raises `IllegalMove`, and then nothing has changed; `NotFound` if somebody else holds the match at the moment.
    """
    with locked_match(slug=thought.slug, skip_locked=True) as sitting:
        seat = _seat_of(thought, sitting, moment)
        if seat is None:
            return ()
        sitting.play(seat, sitting.rules.parse_move(move), arrived=moment)
        settle(sitting, moment)
        return take_thoughts(sitting, moment)


def ease_bot(thought: Thought, *, moment: datetime) -> None:
    """Let the weakest level play the seat from now on, since this one finds no move. Raises `NotFound` as above."""
    with locked_match(slug=thought.slug, skip_locked=True) as sitting:
        seat = _seat_of(thought, sitting, moment)
        if seat is not None:
            seat.level = thought.game.bot.LEVELS[0]
            sitting.note_act(EASED, at=sitting.match_time(moment), seat=seat.index)
            settle(sitting, moment)


def _seat_of(thought: Thought, sitting: Sitting, moment: datetime) -> Seat | None:
    """The seat whose bot waits for that thought, with nobody seeing to it any more; None if the match has moved on."""
    match, seat = sitting.match, sitting.seats[thought.seat]
    bring_up_to(sitting, moment)
    if not sitting.running or seat.level != thought.level or seat.acts_at is None:
        return None
    if match.turn_key(sitting.position, seat.index) != thought.turn:
        return None
    seat.acts_at = None
    sitting.keep(seat)
    return seat
