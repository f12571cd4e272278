"""Recomputing the ratings of a game: what stands below a voided match is written anew, and counts all at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby

from django.db import transaction
from django.db.models import F

from games.matches import clock
from games.matches.ledger import Rating, RatingBook, RatingChange, RatingChangeQuerySet
from games.matches.models import VOIDED
from games.matches.services.ratings import Account, fill_in, locked_book, write_ratings
from games.matches.skill import Strength

MATCHES_A_STEP = 500
"""Recomputed in one go; what a match that ends meanwhile may have to wait for is no longer than that."""

TAKEN_FOR = timedelta(minutes=2)
"""A keeper that has not gone on for so long is gone, and another one begins anew."""


class Overtaken(Exception):
    """Another match was voided meanwhile, or another keeper has taken over: begin anew."""


def stale_games() -> list[str]:
    """Games whose ratings are to be recomputed, the one that was asked for first in front."""
    stale = RatingBook.objects.filter(stale_from__isnull=False)
    return list(stale.order_by("asked_at").values_list("game_slug", flat=True))


def recompute(*, game: str) -> bool:
    """Put the ratings of that game right, if they are stale and nobody is at it; whether that was done.

    The new lines are prepared beside those in force, in short transactions. The last one holds the book: it adds what
    has ended meanwhile, takes the old lines away, and stores the ratings.
    """
    while (work := _Work.begin(game)) is not None:
        try:
            for upto in work.steps():
                work.prepare(upto)
            work.swap()
        except Overtaken:
            work.let_go()
        except Exception:
            work.let_go()
            raise
        else:
            return True
    return False


def deviation(*, game: str) -> float:
    """How far the ledger in force and the ratings are from what a replay from zero gives, at most.

    Only in the middle of a recompute more than a hair; a whole number in points shown counts as well.
    """
    accounts: dict[int, Account] = {}
    furthest = 0.0
    for stored in _matches(RatingChange.objects.in_force().filter(book=game)):
        if _is_void(stored[0]):
            continue
        replayed = [_copy(change, change.edition) for change in stored]
        for change in replayed:
            accounts.setdefault(change.rating_id, Account())
        fill_in(replayed, accounts)
        for ours, theirs in zip(stored, replayed, strict=True):
            furthest = max(furthest, *(abs(getattr(ours, name) - getattr(theirs, name)) for name in _NUMBERS))
    for rating in Rating.objects.filter(book=game):
        strength, matches = accounts.get(rating.pk, Account())
        stored_numbers = (rating.mu, rating.sigma, rating.shown, rating.matches)
        replayed_numbers = (strength.mu, strength.sigma, strength.shown, matches)
        pairs = zip(stored_numbers, replayed_numbers, strict=True)
        furthest = max(furthest, *(abs(one - other) for one, other in pairs))
    return furthest


_FACTS = ("book_id", "match_id", "rating_id", "finish_number", "seat", "team", "place", "result", "players", "mode")
_NUMBERS = ("nth", "mu_before", "sigma_before", "shown_before", "mu_after", "sigma_after", "shown_after")


class _Work:
    """One recompute under way, from the book as it was when it began."""

    def __init__(self, book: RatingBook) -> None:
        assert book.stale_from is not None
        self.book = book
        self.begins = book.stale_from
        self.done = book.stale_from - 1
        self.accounts: dict[int, Account] = {}
        self.numbers: dict[int, int] = {}

    @classmethod
    def begin(cls, game: str) -> _Work | None:
        """Take the book; None if there is nothing to do, or another keeper has taken it."""
        now = clock.now()
        with transaction.atomic():
            book = locked_book(game)
            if book.stale_from is None or (book.taken_until is not None and book.taken_until > now):
                return None
            # What a keeper that is gone has left behind.
            RatingChange.objects.filter(book=book, edition__gt=book.edition).delete()
            book.taken_until = now + TAKEN_FOR
            book.save(update_fields=["taken_until"])
        return cls(book)

    def steps(self) -> Iterator[int]:
        """Finish numbers up to which to prepare next, until the last match that has ended is near."""
        while True:
            last = RatingBook.objects.values_list("last_number", flat=True).get(pk=self.book.pk)
            if last - self.done <= MATCHES_A_STEP:
                return
            yield self.done + MATCHES_A_STEP

    def prepare(self, upto: int) -> None:
        """Write the lines up to that number, of an edition that does not count yet. Raises `Overtaken`."""
        changes = self._recomputed(upto)
        with transaction.atomic():
            RatingChange.objects.bulk_create(changes, batch_size=500)
            book = locked_book(self.book.pk)
            self._check(book)
            book.taken_until = clock.now() + TAKEN_FOR
            book.save(update_fields=["taken_until"])
        self.book.taken_until = book.taken_until

    def swap(self) -> None:
        """The new lines count from now on, and the ratings are theirs. Raises `Overtaken`."""
        with transaction.atomic():
            book = locked_book(self.book.pk)
            self._check(book)
            RatingChange.objects.bulk_create(self._recomputed(book.last_number), batch_size=500)
            outdated = RatingChange.objects.filter(book=book, edition__lte=book.edition)
            outdated.filter(finish_number__gte=self.begins).delete()
            self._store_ratings()
            book.edition += 1
            book.stale_from = book.asked_at = book.taken_until = None
            book.save(update_fields=["edition", "stale_from", "asked_at", "taken_until"])

    def let_go(self) -> None:
        """Whoever comes next need not wait for us."""
        RatingBook.objects.filter(pk=self.book.pk, taken_until=self.book.taken_until).update(taken_until=None)

    def _check(self, book: RatingBook) -> None:
        if (book.asks, book.taken_until) != (self.book.asks, self.book.taken_until):
            raise Overtaken

    def _recomputed(self, upto: int) -> list[RatingChange]:
        """The lines after those done, up to that number, as the next edition has them."""
        rows = RatingChange.objects.filter(
            book=self.book, edition__lte=self.book.edition, finish_number__gt=self.done, finish_number__lte=upto
        )
        written: list[RatingChange] = []
        for changes in _matches(rows):
            for change in changes:
                self.accounts.setdefault(change.rating_id, self._account_before(change))
                self.numbers.setdefault(change.rating_id, 0)
            if not _is_void(changes[0]):
                anew = [_copy(change, self.book.edition + 1) for change in changes]
                fill_in(anew, self.accounts)
                self.numbers.update((change.rating_id, change.finish_number) for change in anew)
                written += anew
        self.done = upto
        return written

    def _account_before(self, change: RatingChange) -> Account:
        """How the rating stood before its first line that is recomputed: nothing above has changed."""
        if self.begins <= 1:
            return Account()
        return Account(Strength(change.mu_before, change.sigma_before), change.nth - 1)

    def _store_ratings(self) -> None:
        """Of all who had a line below. Whose only lines there are void has been changed last above them."""
        below = Rating.objects.filter(book=self.book, last_number__gte=self.begins)
        ratings = list(below.select_for_update(no_key=True).order_by("user_id", "pk"))
        for rating in ratings:
            if not self.numbers[rating.pk]:
                above = RatingChange.objects.filter(rating=rating, finish_number__lt=self.begins).order_by("-nth")
                self.numbers[rating.pk] = above.values_list("finish_number", flat=True).first() or 0
        write_ratings(ratings, self.accounts, self.numbers)


def _matches(changes: RatingChangeQuerySet) -> Iterator[list[RatingChange]]:
    """The lines match by match, in the order in which these ended, each in the order of its seats."""
    rows = changes.annotate(reason=F("match__reason")).order_by("finish_number", "seat")
    for _number, lines in groupby(rows.iterator(), key=lambda change: change.finish_number):
        yield list(lines)


def _is_void(change: RatingChange) -> bool:
    return bool(change.reason == VOIDED)  # type: ignore[attr-defined]


def _copy(change: RatingChange, edition: int) -> RatingChange:
    """The facts alone, as a line of that edition."""
    return RatingChange(edition=edition, **{name: getattr(change, name) for name in _FACTS})
