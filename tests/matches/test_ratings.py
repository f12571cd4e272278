"""Rated matches: who may play them, what their end does to the ratings, and what does not count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.errors import BadInput, PeopleOnly
from games.matches.ledger import Rating, RatingBook, RatingChange
from games.matches.models import Match, Seat
from games.matches.services import tables
from games.matches.services.play import agree_to_end, cancel_match, resign
from games.matches.services.results import leave_for_good, void_match
from games.matches.services.sitting import locked_match
from games.matches.services.timing import settle
from tests.matches.conftest import START, sit_down
from tests.matches.ledgers import assert_books_balance, end, play_rated, rated_table, shown
from tests.matches.playing import play_some, play_to_the_end

pytestmark = pytest.mark.django_db

Ending = Callable[[Match], Any]


def flag(match: Match, seats: Sequence[int]) -> Match:
    """The clocks of these seats run out, all at once."""
    with locked_match(slug=match.slug) as sitting:
        leave_for_good(sitting, [sitting.seats[seat] for seat in seats], START, how=Seat.Exit.FLAGGED)
        if sitting.running:
            settle(sitting, START)
    match.refresh_from_db()
    return match


def give_up(match: Match, user: User) -> Match:
    resign(slug=match.slug, caller=Caller(user), moment=START)
    match.refresh_from_db()
    return match


def call_off(match: Match) -> None:
    cancel_match(slug=match.slug, caller=Caller(match.host), moment=START)


def agree(match: Match, people: Sequence[User]) -> None:
    for user in people:
        agree_to_end(slug=match.slug, caller=Caller(user), agreed=True, moment=START)


def void(match: Match) -> None:
    void_match(slug=match.slug, moment=START)


# Who may play one


def test_bots_have_no_seat_at_a_rated_table(alice: User) -> None:
    match = rated_table(alice, seats=2, start=False)
    with pytest.raises(PeopleOnly):
        tables.seat_bot(slug=match.slug, caller=Caller(alice), index=1, level="easy", moment=START)
    assert match.seats.get(index=1).is_free


def test_nobody_is_rated_alone(alice: User) -> None:
    with pytest.raises(BadInput):
        tables.create_table(
            host=alice, game=get_game("blockyou"), options={}, seats=1, public=True, pace="live", seating="lot",
            moment=START, rated=True,
        )  # fmt: skip
    assert not Match.objects.exists()


def test_lot_decides_who_begins_a_rated_match_of_m(alice: User, bob: User) -> None:
    """Elsewhere the most letters M in the name begin; names can be changed."""
    alice.display_name = "Mimmmm"
    alice.save()
    assert {starter(sit_down(alice, bob, moment=hour(at))) for at in range(5)} == {0}
    assert {starter(rated_table(alice, bob, hours=100 + at)) for at in range(40)} == {0, 1}


def hour(number: float) -> datetime:
    return START + timedelta(hours=number)


def starter(match: Match) -> int:
    (seat,) = match.to_move
    with locked_match(slug=match.slug) as sitting:
        sitting.match.status = Match.Status.CLOSED
        sitting.touch(START)
    return int(seat)


# What an end does


def test_match_that_is_played_to_the_end_changes_both_ratings(alice: User, bob: User) -> None:
    match = rated_table(alice, bob)
    play_to_the_end(match)
    assert match.standing is not None
    lines = list(RatingChange.objects.order_by("seat"))
    assert [(line.match, line.rating.user, line.finish_number) for line in lines] == [
        (match, alice, 1),
        (match, bob, 1),
    ]
    assert [line.place for line in lines] == match.standing["places"]
    assert [line.shown_before for line in lines] == [1500, 1500]
    assert match.finish_number == RatingBook.objects.get().last_number == 1
    assert_books_balance()


def test_resignation_flag_and_defeat_cost_the_same(alice: User, bob: User) -> None:
    """In a match of two; the winner gets the same as well."""
    outcomes = []
    endings: list[Ending] = [partial(give_up, user=bob), partial(flag, seats=[1]), partial(end, places=(1, 2))]
    for ending in endings:
        ending(rated_table(alice, bob))
        outcomes.append((shown(alice, bob), list(Rating.objects.order_by("user_id").values_list("mu", "sigma"))))
        RatingBook.objects.all().delete()
        Match.objects.all().delete()
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert outcomes[0][0] == [1579, 1421]


def test_leavers_of_a_larger_match_stand_behind_all_who_stay_however_they_left(
    alice: User, bob: User, carol: User
) -> None:
    """The stand-in may do what it likes: the rating is that of the place."""
    outcomes = []
    leavings: list[Ending] = [partial(give_up, user=alice), partial(flag, seats=[0])]
    for leave in leavings:
        match = leave(rated_table(alice, bob, carol))
        assert match.status == Match.Status.RUNNING
        assert not RatingChange.objects.exists(), "nothing is settled before the end"
        play_to_the_end(match)
        assert match.standing is not None
        assert match.standing["places"][0] == 3
        line = RatingChange.objects.get(seat=0)
        assert (line.rating.user, line.place, line.result, line.shown_after) == (alice, 3, "lost", 1342)
        assert min(shown(bob, carol)) >= 1500
        outcomes.append(list(Rating.objects.filter(user=alice).values_list("mu", "sigma")))
        RatingBook.objects.all().delete()
        Match.objects.all().delete()
    assert outcomes[0] == outcomes[1]


def test_two_who_are_flagged_at_once_share_the_loss(alice: User, bob: User, carol: User) -> None:
    match = flag(rated_table(alice, bob, carol), [1, 2])
    assert match.standing is not None
    assert match.standing["places"] == [1, 2, 2]
    ratings = shown(alice, bob, carol)
    assert ratings == [1658, 1421, 1421]


def test_places_can_be_shared_by_many(alice: User, bob: User, carol: User, mallory: User) -> None:
    play_rated(alice, bob, carol, mallory, places=(1, 1, 3, 3))
    first, second, third, fourth = shown(alice, bob, carol, mallory)
    assert first == second > 1500 > third == fourth
    assert list(RatingChange.objects.order_by("seat").values_list("result", flat=True)) == ["shared"] * 2 + ["lost"] * 2
    assert_books_balance()


def test_pairs_of_block_buster_are_rated_as_pairs(alice: User, bob: User, carol: User, mallory: User) -> None:
    people = (alice, bob, carol, mallory)
    match = rated_table(*people, game=get_game("block_buster"), options={"mode": "pairs"})
    teams = match.game.rules.teams(match.options, 4)
    end(match, [1 if team == 0 else 3 for team in teams])
    ratings = shown(*people, game="block_buster")
    assert [rating > 1500 for rating in ratings if rating] == [team == 0 for team in teams]
    lines = RatingChange.objects.order_by("seat")
    assert [(line.team, line.mode, line.result) for line in lines] == [
        (team, "pairs", "won" if team == 0 else "lost") for team in teams
    ]
    assert_books_balance("block_buster")


def test_partner_of_who_left_keeps_the_pair_s_result(alice: User, bob: User, carol: User, mallory: User) -> None:
    people = (alice, bob, carol, mallory)
    match = rated_table(*people, game=get_game("block_buster"), options={"mode": "pairs"})
    teams = match.game.rules.teams(match.options, 4)
    leaver, partner = [seat for seat in range(4) if teams[seat] == 0]
    flag(match, [leaver])
    assert match.status == Match.Status.RUNNING
    places = [3] * 4
    places[partner], places[leaver] = 1, 4
    places = [2 if teams[seat] == 1 else places[seat] for seat in range(4)]
    end(match, places)
    ratings = shown(*people, game="block_buster")
    assert ratings[partner] > 1500 > ratings[leaver]


def test_games_have_ratings_of_their_own(alice: User, bob: User) -> None:
    play_rated(alice, bob, places=(1, 2))
    play_rated(bob, alice, places=(1, 2), hours=1, game=get_game("block_buster"))
    assert shown(alice, bob) == [1579, 1421]
    assert shown(alice, bob, game="block_buster") == [1421, 1579]
    assert list(Match.objects.order_by("pk").values_list("finish_number", flat=True)) == [1, 1]


# What does not count


def test_matches_without_a_standing_change_nothing(alice: User, bob: User) -> None:
    endings: list[Ending] = [call_off, partial(agree, people=[alice, bob]), void, partial(flag, seats=[0, 1])]
    for finish in endings:
        match = rated_table(alice, bob)
        play_some(match, 1)
        finish(match)
        match.refresh_from_db()
        assert (match.standing, match.finish_number) == (None, None)
    assert not RatingChange.objects.exists()
    assert not Rating.objects.exists()
    assert not RatingBook.objects.filter(stale_from__isnull=False).exists()


def test_unrated_matches_change_nothing(alice: User, bob: User) -> None:
    end(sit_down(alice, bob), (1, 2))
    end(sit_down(alice, bots=1), (1, 2))
    assert not RatingBook.objects.exists()


# Who deletes the account


def test_ratings_of_the_others_stay_when_somebody_deletes_the_account(alice: User, bob: User) -> None:
    """The lines of who is gone keep no name, and the ledger goes on being a chain."""
    play_rated(alice, bob, places=(2, 1))
    before = shown(alice)
    match = rated_table(alice, bob, hours=1)
    bob.delete()
    assert shown(alice) == before
    assert Rating.objects.filter(user=None).count() == 1
    end(match, (1, 2))
    assert Rating.objects.filter(user=None).count() == 2, "who was gone before the end counts as somebody new"
    assert shown(alice) > before
