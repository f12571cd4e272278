"""Rated matches for tests: a few through the services, or very many straight into the tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import accumulate
from random import Random
from typing import Any

from openskill.models import BradleyTerryFull

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.ledger import Rating, RatingBook, RatingChange
from games.matches.models import Match, Seat
from games.matches.services.clocks import USUAL_LIMITS
from games.matches.services.ratings import Account, fill_in, write_ratings
from games.matches.services.results import finish_match
from games.matches.services.sitting import locked_match
from tests.matches.conftest import START, sit_down


def rated_table(*people: User, hours: float = 0, **table: Any) -> Match:
    """A rated table with these people in this order, so many hours after the start; started unless told otherwise."""
    asked = {"seats": len(people), "clock": USUAL_LIMITS[Match.Pace.LIVE], **table}
    return sit_down(*people, rated=True, moment=START + timedelta(hours=hours), **asked)


def play_rated(*people: User, places: Sequence[int], hours: float = 0, **table: Any) -> Match:
    """A rated match that ended with these places, so many hours after the start."""
    return end(rated_table(*people, hours=hours, **table), places, hours)


def end(match: Match, places: Sequence[int], hours: float = 0) -> Match:
    """The match ends by its rules, with these places."""
    with locked_match(slug=match.slug) as sitting:
        reason = match.game.info.reasons[0]
        finish_match(sitting, START + timedelta(hours=hours), reason=reason, places=places)
    match.refresh_from_db()
    return match


def shown(*people: User, game: str = "m") -> list[int]:
    """The ratings as people see them; everybody has played."""
    ratings = dict(Rating.objects.filter(book=game).values_list("user_id", "shown"))
    return [ratings[person.pk] for person in people]


def replayed(game: str = "m") -> dict[int, tuple[float, float]]:
    """The strengths that the matches themselves lead to, by user: by the library alone, and without the ledger."""
    model = BradleyTerryFull()
    strengths: dict[int, tuple[float, float]] = {}
    for match in Match.objects.filter(game_slug=game, rated=True, standing__isnull=False).order_by("finish_number"):
        users = [seat.user_id or 0 for seat in match.seats.order_by("index")]
        teams = match.game.rules.teams(match.options, len(users))
        assert match.standing is not None
        rows = [
            [
                model.rating(*strengths.get(users[seat], (25.0, 25.0 / 3)))
                for seat in range(len(users))
                if teams[seat] == t
            ]
            for t in sorted(set(teams))
        ]
        ranks = [float(match.standing["places"][teams.index(team)]) for team in sorted(set(teams))]
        after = [iter(team) for team in model.rate(rows, ranks=ranks)]
        for seat, user in enumerate(users):
            rating = next(after[teams[seat]])
            strengths[user] = (rating.mu, rating.sigma)
    return strengths


def assert_books_balance(game: str = "m") -> None:
    """The ledger is a chain from the first rating to the shown one, and all of it follows from the matches."""
    expected = replayed(game)
    ratings = list(Rating.objects.filter(book=game))
    assert {rating.user_id for rating in ratings if rating.matches} == set(expected)
    for rating in ratings:
        mu, sigma = expected.get(rating.user_id or 0, (25.0, 25.0 / 3))
        assert abs(rating.mu - mu) < 1e-9
        assert abs(rating.sigma - sigma) < 1e-9
        lines = list(RatingChange.objects.in_force().filter(rating=rating).order_by("finish_number"))
        assert [line.nth for line in lines] == list(range(1, len(lines) + 1))
        assert rating.matches == len(lines)
        assert rating.last_number == (lines[-1].finish_number if lines else 0)
        assert 1500 + sum(line.shown_after - line.shown_before for line in lines) == rating.shown
        at = (25.0, 25.0 / 3, 1500)
        for line in lines:
            assert (line.mu_before, line.sigma_before, line.shown_before) == at
            at = (line.mu_after, line.sigma_after, line.shown_after)
        assert at == (rating.mu, rating.sigma, rating.shown)
    assert not RatingChange.objects.filter(match__standing__isnull=True).exists()


BATCH = 2000


def write_history(*, people: int, matches: int, rng: Random, game: str = "m") -> list[User]:
    """Very many finished rated matches of two to four, between people of whom some play far more than others.

    Written in batches, with the ledger's own arithmetic; the people, who plays most in front.
    """
    rules = get_game(game).rules
    options = rules.complete_options({}, 2)
    # As large as they are: what a list must not read, and what a plan must not scan.
    deal = rules.deal(options, ["", ""], rng)
    position = rules.dump(rules.start(options, deal, 2))
    book = RatingBook.objects.create(pk=game, last_number=matches)
    named = [
        User(username=f"p{number}", display_name=f"P {number}", email=f"p{number}@example.org")
        for number in range(people)
    ]
    users = User.objects.bulk_create(named, batch_size=BATCH)
    ratings = Rating.objects.bulk_create([Rating(book=book, user=user) for user in users], batch_size=BATCH)
    accounts = {rating.pk: Account() for rating in ratings}
    numbers = dict.fromkeys(accounts, 0)
    weights = list(accumulate((1 + number) ** -0.5 for number in range(people)))
    for first in range(1, matches + 1, BATCH):
        stored: list[Match] = []
        seats: list[Seat] = []
        lines: list[RatingChange] = []
        for number in range(first, min(first + BATCH, matches + 1)):
            chosen = list(dict.fromkeys(rng.choices(range(people), cum_weights=weights, k=rng.choice((2, 2, 3, 4)))))
            while len(chosen) < 2:
                chosen = list(dict.fromkeys([*chosen, rng.randrange(people)]))
            match = _finished(number, len(chosen), rng, game, deal, position)
            stored.append(match)
            assert match.standing is not None
            seats += [
                Seat(
                    match=match,
                    index=index,
                    user=users[who],
                    left_order=None,
                    finished_at=match.finished_at,
                    game_slug=game,
                    result="won" if place == 1 else "lost",
                    rated=True,
                    public=True,
                )
                for (index, who), place in zip(enumerate(chosen), match.standing["places"], strict=True)
            ]
            changes = [
                RatingChange(
                    book=book,
                    match=match,
                    rating=ratings[who],
                    edition=1,
                    finish_number=number,
                    seat=index,
                    team=index,
                    place=place,
                    result="won" if place == 1 else "lost",
                    players=len(chosen),
                )
                for (index, who), place in zip(enumerate(chosen), match.standing["places"], strict=True)
            ]
            fill_in(changes, accounts)
            numbers.update((change.rating_id, number) for change in changes)
            lines += changes
        Match.objects.bulk_create(stored)
        Seat.objects.bulk_create(seats)
        RatingChange.objects.bulk_create(lines)
    write_ratings(ratings, accounts, numbers)
    return users


def _finished(number: int, players: int, rng: Random, game: str, deal: Any, position: Any) -> Match:
    moment = START + timedelta(minutes=number)
    places = list(range(1, players + 1))
    rng.shuffle(places)
    return Match(
        game_slug=game,
        options={"start": "zigzag"},
        seat_count=players,
        rated=True,
        status=Match.Status.OVER,
        reason="scored",
        finish_number=number,
        created_at=moment,
        touched_at=moment,
        started_at=moment,
        epoch=moment,
        finished_at=moment,
        standing={"places": places, "scores": [0] * players},
        deal=deal,
        position=position,
    )
