"""What the end of a match of one says of its place among the best times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.matches import result_texts
from games.matches.bests import solo_variant
from games.matches.models import Match
from games.matches.selectors import own_solo_best, solo_place
from games.matches.snapshots import Snapshot

if TYPE_CHECKING:
    from accounts.people.models import User


def is_solo(match: Match) -> bool:
    """Whether somebody plays it alone."""
    return match.seat_count == 1


def asks_for_place(snapshot: Snapshot, user: User | None) -> bool:
    """Whether to draw it for this person asks the database for a place, which is another one from day to day."""
    match = snapshot.match
    return is_solo(match) and match.status == Match.Status.OVER and snapshot.seat_of(user) is not None


def said_of_solo(snapshot: Snapshot, user: User | None) -> str:
    """The person's place, as it is now, said to themselves; "" while the match runs, for others and without one."""
    match = snapshot.match
    if user is None or not asks_for_place(snapshot, user):
        return ""
    best = own_solo_best(game=match.game_slug, variant=solo_variant(match.options), user=user)
    if best is None:
        return ""
    return result_texts.best_so_far(match, best, place=solo_place(best))
