"""Ratings as rated matches end: each is a line for every player in the game's ledger, and the rating that results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from games.contract.values import MODE
from games.matches.models import Match, Rating, RatingBook, RatingChange, Seat
from games.matches.services.sitting import Sitting
from games.matches.skill import Competitor, Strength, rated
from games.matches.standings import seat_result


class Account(NamedTuple):
    """How a rating stands in the course of the ledger: the strength, and after how many rated matches."""

    strength: Strength = Strength()
    matches: int = 0


def rate_match(sitting: Sitting) -> None:
    """A rated match has ended with a standing: give it a finish number, and change its players' ratings.

    Whoever has left is rated by the place that the standing gives them, whatever made them leave, and whoever played
    their seat on. Does nothing for a match that is not rated, or has no standing. Within the match's transaction.
    """
    match = sitting.match
    if not match.rated or match.standing is None:
        return
    book = locked_book(match.game_slug)
    book.last_number += 1
    match.finish_number = book.last_number
    ratings = _locked_ratings(book, sitting.seats)
    teams = sitting.rules.teams(match.options, len(sitting.seats))
    changes = _facts(match, book, ratings, teams)
    accounts = {rating.pk: Account(Strength(rating.mu, rating.sigma), rating.matches) for rating in ratings}
    fill_in(changes, accounts)
    RatingChange.objects.bulk_create(changes)
    write_ratings(ratings, accounts, dict.fromkeys(accounts, book.last_number))
    book.save(update_fields=["last_number"])


def rated_seats(match: Match) -> list[int]:
    """By seat, the ratings that the match has changed: with these its lines can be written again."""
    lines = RatingChange.objects.in_force().filter(match=match).order_by("seat")
    return list(lines.values_list("rating_id", flat=True))


def restore_lines(sitting: Sitting, rating_ids: Sequence[int]) -> None:
    """A match that was void counts again at its finish number: its lines stand in the ledger, to be recomputed from.

    The lines are still there as long as nobody has recomputed without them. What they say of before comes from the
    lines above; whatever of that is wrong is recomputed from above as well. Within the match's transaction.
    """
    match = sitting.match
    assert match.finish_number is not None
    book = locked_book(match.game_slug)
    if RatingChange.objects.filter(match=match, edition__lte=book.edition).exists():
        return
    rows = Rating.objects.select_for_update(no_key=True).filter(pk__in=rating_ids).order_by("user_id", "pk")
    by_id = {rating.pk: rating for rating in rows}
    ratings = [by_id[pk] for pk in rating_ids]
    teams = sitting.rules.teams(match.options, len(sitting.seats))
    changes = _facts(match, book, ratings, teams)
    accounts = {rating.pk: _account_above(rating, match.finish_number) for rating in ratings}
    fill_in(changes, accounts)
    RatingChange.objects.bulk_create(changes)
    # A recompute stores those that were changed last at its beginning or below.
    for rating in ratings:
        rating.last_number = max(rating.last_number, match.finish_number)
    Rating.objects.bulk_update(ratings, ("last_number",))


def _account_above(rating: Rating, number: int) -> Account:
    """How the rating stood before that finish number, by the ledger in force."""
    above = RatingChange.objects.in_force().filter(rating=rating, finish_number__lt=number)
    last = above.order_by("-finish_number").first()
    return Account(Strength(last.mu_after, last.sigma_after), last.nth) if last is not None else Account()


def fill_in(changes: Sequence[RatingChange], accounts: dict[int, Account]) -> None:
    """Fill in what one match, given as its lines in the order of seats, has changed; `accounts` go with it.

    The only arithmetic of the ledger: the same for a match that ends now and for one that is recomputed.
    """
    before = [accounts[change.rating_id] for change in changes]
    after = rated(
        [
            Competitor(account.strength, change.team, change.place)
            for account, change in zip(before, changes, strict=True)
        ]
    )
    for change, account, strength in zip(changes, before, after, strict=True):
        change.nth = account.matches + 1
        change.mu_before, change.sigma_before = account.strength.mu, account.strength.sigma
        change.shown_before = account.strength.shown
        change.mu_after, change.sigma_after, change.shown_after = strength.mu, strength.sigma, strength.shown
        accounts[change.rating_id] = Account(strength, change.nth)


def write_ratings(ratings: Iterable[Rating], accounts: dict[int, Account], numbers: dict[int, int]) -> None:
    """Store the accounts, with the finish numbers of their last changes, as the ratings."""
    changed = list(ratings)
    for rating in changed:
        strength, rating.matches = accounts[rating.pk]
        rating.mu, rating.sigma, rating.shown = strength.mu, strength.sigma, strength.shown
        rating.last_number = numbers[rating.pk]
    Rating.objects.bulk_update(changed, ("mu", "sigma", "shown", "matches", "last_number"), batch_size=200)


def ask_to_recompute(*, game: str, number: int, moment: datetime) -> None:
    """What the ledger of that game says from that finish number on is wrong: a keeper will recompute it."""
    book = locked_book(game)
    book.stale_from = min(number, book.stale_from or number)
    book.asked_at = moment
    book.asks += 1
    book.save(update_fields=["stale_from", "asked_at", "asks"])


def locked_book(game: str) -> RatingBook:
    """The book of that game, locked until the transaction ends; begun if there is none yet.

    It comes after the match's own row, and before the ratings.
    """
    found = RatingBook.objects.select_for_update(no_key=True).filter(pk=game).first()
    if found is None:
        RatingBook.objects.bulk_create([RatingBook(pk=game)], ignore_conflicts=True)
        found = RatingBook.objects.select_for_update(no_key=True).get(pk=game)
    return found


def _locked_ratings(book: RatingBook, seats: Sequence[Seat]) -> list[Rating]:
    """The ratings by seat, locked in the order of their users; who is new, or nobody any more, gets one."""
    users = sorted(seat.user_id for seat in seats if seat.user_id is not None)
    known = set(Rating.objects.filter(book=book, user__in=users).values_list("user_id", flat=True))
    Rating.objects.bulk_create([Rating(book=book, user_id=user) for user in users if user not in known])
    rows = Rating.objects.select_for_update(no_key=True).filter(book=book, user__in=users).order_by("user_id")
    by_user = {rating.user_id: rating for rating in rows}
    # Who deleted the account in the middle of the match counts as somebody new.
    return [
        by_user[seat.user_id] if seat.user_id is not None else Rating.objects.create(book=book, user=None)
        for seat in seats
    ]


def _facts(match: Match, book: RatingBook, ratings: Sequence[Rating], teams: Sequence[int]) -> list[RatingChange]:
    """The match's lines without the numbers."""
    assert match.standing is not None
    assert match.finish_number is not None
    places = match.standing["places"]
    return [
        RatingChange(
            book=book,
            match=match,
            rating=rating,
            edition=book.edition,
            finish_number=match.finish_number,
            seat=seat,
            team=teams[seat],
            place=places[seat],
            result=seat_result(seat, places=places, teams=teams),
            players=len(ratings),
            mode=str(match.options.get(MODE, "")),
        )
        for seat, rating in enumerate(ratings)
    ]
