"""The reading side of histories: the matches that one person has finished, by what is asked of them, and how many.

All of it is read from the seats, where services/histories.py has written what is asked for: however many matches
there are, a page takes a stretch of one index, and the rows that it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.contrib.auth import get_user_model
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from games.contract.registry import all_games
from games.matches.models import Match, Seat, known_games

if TYPE_CHECKING:
    from accounts.people.models import User


class Cursor(NamedTuple):
    """The last match of a page: the next one begins below it, whatever has ended meanwhile."""

    finished_at: datetime
    match: int


@dataclass(frozen=True)
class Asked:
    """What is asked of the matches; what is left out is not.

    `result` is a `Seat.Result`; `opponent` somebody else who sat there; they ended from `since` on and before `until`.
    """

    game: str = ""
    mode: str = ""
    result: str = ""
    opponent: User | None = None
    rated: bool | None = None
    since: datetime | None = None
    until: datetime | None = None


EVERYTHING = Asked()

_SHOWN_OF_SEATS = ("index", "user__display_name", "user__deleted_at", "name", "kind", "left_order", "exit")
_SHOWN_OF_MATCHES = ("slug", "game_slug", "options", "rated", "started_at", "finished_at", "reason", "standing")


def finished_matches(
    *, user: User, viewer: User | None, asked: Asked = EVERYTHING, before: Cursor | None = None, limit: int = 20
) -> list[Match]:
    """Matches that this person has finished and the viewer may know of, newest first, after the cursor `before`.

    Two queries. Private matches are listed for those who sat there.
    """
    seats = _asked_for(_finished(user, viewer), asked)
    if before is not None:
        # The first condition is where the index is entered; the other one sorts out those of the same moment.
        seats = seats.filter(finished_at__lte=before.finished_at)
        seats = seats.filter(Q(finished_at__lt=before.finished_at) | Q(match_id__lt=before.match))
    seated = Seat.objects.select_related("user").only("match", *_SHOWN_OF_SEATS).order_by("index")
    people = Prefetch("match__seats", queryset=seated)
    shown = (f"match__{column}" for column in _SHOWN_OF_MATCHES)
    listed = seats.select_related("match").only("match", *shown).prefetch_related(people)
    return [seat.match for seat in listed.order_by("-finished_at", "-match_id")[:limit]]


def finished_until(*, user: User, viewer: User | None, asked: Asked = EVERYTHING, until: Cursor) -> int:
    """How many of the same matches there are down to the cursor, itself included. One query."""
    seats = _asked_for(_finished(user, viewer), asked).filter(finished_at__gte=until.finished_at)
    return seats.filter(Q(finished_at__gt=until.finished_at) | Q(match_id__gte=until.match)).count()


def finished_counts(*, user: User, viewer: User | None) -> Sequence[tuple[str, int]]:
    """Of each game that the person has finished matches of: its title, and how many that the viewer may know of."""
    rows = _finished(user, viewer).values_list("game_slug")
    # Of rows, not of ids, which the index does not have.
    counts = dict(rows.annotate(number=Count("*")).order_by("game_slug"))
    return [(game.info.title, counts[game.slug]) for game in all_games() if game.slug in counts]


def people_called(name: str) -> list[User]:
    """Whose login name that is; or else those who are shown by that name, two of them at the most."""
    people = get_user_model().objects.filter(deleted_at=None)
    return list(people.filter(username__iexact=name)) or list(people.filter(display_name__iexact=name)[:2])


def _finished(user: User, viewer: User | None) -> QuerySet[Seat]:
    seats = Seat.objects.filter(user=user, finished_at__isnull=False, game_slug__in=known_games())
    if viewer == user:
        return seats
    return seats.filter(Q(public=True) | Q(_sat_there(viewer))) if viewer is not None else seats.filter(public=True)


def _asked_for(seats: QuerySet[Seat], asked: Asked) -> QuerySet[Seat]:
    equal = {"game_slug": asked.game, "mode": asked.mode, "result": asked.result}
    seats = seats.filter(**{column: value for column, value in equal.items() if value})
    if asked.rated is not None:
        seats = seats.filter(rated=asked.rated)
    if asked.since is not None:
        seats = seats.filter(finished_at__gte=asked.since)
    if asked.until is not None:
        seats = seats.filter(finished_at__lt=asked.until)
    return seats if asked.opponent is None else seats.filter(_sat_there(asked.opponent))


def _sat_there(user: User) -> Exists:
    # The moment is the same at all seats of a match: two histories in the same order can be merged by it.
    same = Seat.objects.filter(user=user, match=OuterRef("match"), finished_at=OuterRef("finished_at"))
    return Exists(same)
