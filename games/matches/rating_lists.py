"""The reading side of ratings: what a match changed, the best of a game, and what one person has reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, F, Max, Q, QuerySet

from games.contract.registry import Game, all_games
from games.matches.ledger import Rating, RatingBook, RatingChange
from games.matches.skill import SETTLED_AFTER

if TYPE_CHECKING:
    from accounts.people.models import User

BEST = 100
"""Lines of a leaderboard."""

DRAWN = 100
"""Matches that a graph goes back."""


class Ranked(NamedTuple):
    """Somebody's rating and its place among those that are settled; equal ones share it."""

    place: int
    user_id: int
    username: str
    display_name: str
    shown: int
    matches: int


@dataclass(frozen=True)
class Leaderboard:
    """The best of a game. `own` is the viewer's rating if there is one, `own_place` its place once it is settled."""

    lines: Sequence[Ranked]
    own: Rating | None
    own_place: int | None
    recomputing: bool


def leaderboard(*, game: str, viewer: User | None) -> Leaderboard:
    """The best settled ratings of people whose accounts are active. The number of queries is always the same."""
    best = _settled(game).order_by("-shown", "user_id")
    columns = ("user_id", "user__username", "user__display_name", "shown", "matches")
    lines: list[Ranked] = []
    for number, (user_id, username, name, shown, matches) in enumerate(best.values_list(*columns)[:BEST], 1):
        place = lines[-1].place if lines and lines[-1].shown == shown else number
        lines.append(Ranked(place, user_id or 0, username, name, shown, matches))
    own = Rating.objects.filter(book=game, user=viewer).first() if viewer is not None else None
    stale = RatingBook.objects.filter(pk=game, stale_from__isnull=False).exists()
    return Leaderboard(lines, own, _own_place(own, lines), stale)


def _own_place(own: Rating | None, lines: Sequence[Ranked]) -> int | None:
    if own is None or own.matches < SETTLED_AFTER:
        return None
    listed = next((line.place for line in lines if line.user_id == own.user_id), None)
    return listed or 1 + _settled(own.book_id).filter(shown__gt=own.shown).count()


def _settled(game: str) -> QuerySet[Rating]:
    return Rating.objects.filter(book=game, matches__gte=SETTLED_AFTER, user__is_active=True)


@dataclass
class Tally:
    """How matches of one kind ended; first places shared are neither won nor lost."""

    players: int
    mode: str
    won: int = 0
    shared: int = 0
    lost: int = 0

    @property
    def total(self) -> int:
        return self.won + self.shared + self.lost


class Point(NamedTuple):
    """The rating after a match, and when that ended."""

    shown: int
    at: datetime


@dataclass
class Sheet:
    """What one person has reached in one game. `peak` is the highest rating that was not provisional."""

    game: Game
    rating: Rating
    tallies: list[Tally] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    peak: int | None = None

    @property
    def provisional(self) -> bool:
        return self.rating.matches < SETTLED_AFTER

    @property
    def recomputing(self) -> bool:
        return self.rating.book.stale_from is not None

    @property
    def won(self) -> int:
        return sum(tally.won for tally in self.tallies)

    @property
    def shared(self) -> int:
        return sum(tally.shared for tally in self.tallies)

    @property
    def lost(self) -> int:
        return sum(tally.lost for tally in self.tallies)


def rating_sheets(*, user: User) -> list[Sheet]:
    """The person's ratings, in the order of the games; three queries, whatever there is."""
    ratings = Rating.objects.filter(user=user, matches__gt=0).select_related("book")
    found = {rating.book_id: rating for rating in ratings}
    sheets = {game.slug: Sheet(game, found[game.slug]) for game in all_games() if game.slug in found}
    own = RatingChange.objects.in_force().filter(rating__in=found.values())
    kinds = own.order_by("book", "players", "mode").values_list("book_id", "players", "mode")
    # Counted by a column of the index, which the id is not.
    counts = {str(result): Count("result", filter=Q(result=result)) for result in RatingChange.Result}
    peak = Max("shown_after", filter=Q(nth__gte=SETTLED_AFTER))
    for slug, players, mode, won, shared, lost, best in kinds.annotate(**counts, peak=peak):
        if slug in sheets:
            sheets[slug].tallies.append(Tally(players, mode, won, shared, lost))
            sheets[slug].peak = max((each for each in (sheets[slug].peak, best) if each is not None), default=None)
    # Not by finish numbers: with `nth` the last so many of each are one stretch of an index.
    last = own.filter(nth__gt=F("rating__matches") - DRAWN).order_by("nth")
    for slug, shown, at in last.values_list("book_id", "shown_after", "match__finished_at"):
        if slug in sheets and at is not None:
            sheets[slug].points.append(Point(shown, at))
    return list(sheets.values())
