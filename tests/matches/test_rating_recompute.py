"""Voiding a rated match: from its finish number on everything is written anew, and counts all at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches import attendants, bookkeeper
from games.matches.bookkeeper import Bookkeeper
from games.matches.ledger import Rating, RatingBook, RatingChange
from games.matches.models import Match
from games.matches.services import recompute as recompute_module
from games.matches.services.ratings import ask_to_recompute
from games.matches.services.recompute import TAKEN_FOR, deviation, recompute, stale_games
from games.matches.services.results import void_match
from tests.matches.conftest import START, Clock
from tests.matches.crowds import at_once
from tests.matches.ledgers import assert_books_balance, end, play_rated, rated_table, shown, write_history
from tests.sizes import size

pytestmark = pytest.mark.django_db

People = list[User]


@pytest.fixture
def people(alice: User, bob: User, carol: User, mallory: User, time: Clock, monkeypatch: pytest.MonkeyPatch) -> People:
    # A test must keep its connection; the bookkeeper is used to having its own.
    monkeypatch.setattr(attendants, "close_old_connections", lambda: None)
    return [alice, bob, carol, mallory]


def play_at_random(people: People, count: int, rng: Random, first: int = 0) -> list[Match]:
    """So many rated matches of two to four of these people, with any places, ties among them."""
    played = []
    for number in range(first, first + count):
        sitters = rng.sample(people, rng.randint(2, 4))
        marks = [rng.randrange(len(sitters)) for _ in sitters]
        places = [1 + sum(other < own for other in marks) for own in marks]
        played.append(play_rated(*sitters, places=places, hours=number))
    return played


def void(match: Match) -> None:
    void_match(slug=match.slug, moment=START)


def ledger() -> list[dict[str, Any]]:
    return [dict(line) for line in RatingChange.objects.in_force().order_by("finish_number", "seat").values()]


# Any match of a random sequence


@pytest.mark.soak
def test_voiding_any_match_leaves_a_ledger_that_leads_to_the_shown_ratings(people: People) -> None:
    """One after the other until none is left; then everybody stands where they began."""
    rng = Random(4)
    played = play_at_random(people, size("rated matches voided", ci=14, soak=60), rng)
    assert_books_balance()
    rng.shuffle(played)
    for match in played:
        void(match)
        assert recompute(game="m")
        assert_books_balance()
        assert deviation(game="m") < 1e-9
    assert not RatingChange.objects.exists()
    assert set(Rating.objects.values_list("mu", "shown", "matches", "last_number")) == {(25.0, 1500, 0, 0)}
    assert RatingBook.objects.get().last_number == len(played), "numbers are never given twice"


def test_several_matches_voided_before_the_keeper_looks(people: People) -> None:
    played = play_at_random(people, 10, Random(5))
    for index in (7, 2, 5):
        void(played[index])
    assert RatingBook.objects.get().stale_from == 3
    assert recompute(game="m")
    assert_books_balance()


def test_recompute_from_zero_gives_the_same(people: People) -> None:
    played = play_at_random(people, 12, Random(6))
    void(played[4])
    recompute(game="m")
    before = list(Rating.objects.order_by("pk").values())
    out = StringIO()
    call_command("ratings", "recompute", "m", stdout=out)
    after = list(Rating.objects.order_by("pk").values())
    for old, new in zip(before, after, strict=True):
        assert new == {**old, "mu": pytest.approx(old["mu"], abs=1e-9), "sigma": pytest.approx(old["sigma"], abs=1e-9)}
    assert "m: 12 rated matches; off by 0 at most." in out.getvalue()
    assert_books_balance()


def test_pairs_and_their_leavers_are_recomputed_like_everybody(people: People) -> None:
    table = {"game": get_game("block_buster"), "options": {"mode": "pairs"}}
    first = play_rated(*people, places=(1, 3, 1, 3), hours=0, **table)
    left = rated_table(*people, hours=1, **table)
    with_leaver = end(left, (4, 2, 1, 2), hours=1)
    after_both = shown(*people, game="block_buster")
    assert recompute(game="block_buster") is False, "nothing was voided"
    void(first)
    recompute(game="block_buster")
    alone = shown(*people, game="block_buster")
    assert alone != after_both
    assert alone[0] < 1500 < alone[2]
    assert deviation(game="block_buster") < 1e-9
    void(with_leaver)
    recompute(game="block_buster")
    assert shown(*people, game="block_buster") == [1500] * 4


def test_lines_above_the_voided_match_are_left_alone(people: People) -> None:
    played = play_at_random(people, 8, Random(7))
    above = [line for line in ledger() if line["finish_number"] < 6]
    void(played[5])
    recompute(game="m")
    assert [line for line in ledger() if line["finish_number"] < 6] == above


def test_running_and_unrated_matches_that_are_voided_ask_for_nothing(people: People) -> None:
    played = play_rated(*people[:2], places=(1, 2))
    void(rated_table(*people[:2], hours=1))
    assert stale_games() == []
    void(played)
    assert stale_games() == ["m"]
    recompute(game="m")
    void(played)
    assert stale_games() == [], "it has no lines any more"


# Until the swap, and while it is prepared


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recompute_module, "MATCHES_A_STEP", 3)


def between_steps(monkeypatch: pytest.MonkeyPatch, *acts: Callable[[], Any]) -> None:
    """The acts happen one by one after the first steps of a recompute."""
    left = list(acts)
    prepare = recompute_module._Work.prepare

    def prepared(work: Any, upto: int) -> None:
        prepare(work, upto)
        if left:
            left.pop(0)()

    monkeypatch.setattr(recompute_module._Work, "prepare", prepared)


@pytest.mark.usefixtures("small_steps")
def test_nothing_changes_before_the_swap(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a recompute is written, and neither ledger nor ratings show any of it."""
    played = play_at_random(people, 12, Random(8))
    before, seen = (ledger(), shown(*people)), []
    void(played[1])
    between_steps(monkeypatch, *[lambda: seen.append((ledger(), shown(*people)))] * 3)
    assert recompute(game="m")
    assert seen == [before] * 3
    assert ledger() != before[0]
    assert_books_balance()


@pytest.mark.usefixtures("small_steps")
def test_matches_that_finish_meanwhile_are_taken_along(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(9)
    played = play_at_random(people, 10, rng)
    void(played[2])
    between_steps(monkeypatch, *[partial(play_at_random, people, 4, rng, 100 + 10 * at) for at in range(3)])
    assert recompute(game="m")
    assert RatingBook.objects.get().last_number == 22
    assert_books_balance()


@pytest.mark.usefixtures("small_steps")
def test_match_voided_meanwhile_begins_the_recompute_anew(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above or below the one that is being worked on: both are out in the end, and nothing half done is left."""
    played = play_at_random(people, 14, Random(10))
    void(played[6])
    between_steps(monkeypatch, lambda: void(played[8]), lambda: void(played[1]))
    assert recompute(game="m")
    assert stale_games() == []
    assert_books_balance()
    book = RatingBook.objects.get()
    assert (book.taken_until, book.asked_at) == (None, None)
    assert not RatingChange.objects.filter(edition__gt=book.edition).exists()


@pytest.mark.usefixtures("small_steps")
def test_keeper_that_dies_is_followed_by_another(people: People, time: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has prepared never counts; another keeper waits until it must be gone."""
    played = play_at_random(people, 12, Random(11))
    void(played[3])
    before = ledger()

    def die() -> None:
        raise KeyboardInterrupt

    between_steps(monkeypatch, die)
    with pytest.raises(KeyboardInterrupt):
        recompute(game="m")
    assert RatingChange.objects.filter(edition=2).exists()
    assert ledger() == before
    assert recompute(game="m") is False, "for all that the other one knows, it is still at it"
    time.tick(seconds=TAKEN_FOR.total_seconds())
    assert recompute(game="m")
    assert_books_balance()


@pytest.mark.usefixtures("small_steps")
def test_keeper_that_was_held_up_for_too_long_gives_way(
    people: People, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = play_at_random(people, 12, Random(12))
    void(played[0])
    others: list[bool] = []

    def fall_asleep() -> None:
        time.tick(seconds=TAKEN_FOR.total_seconds() + 1)
        others.append(recompute(game="m"))

    between_steps(monkeypatch, fall_asleep)
    assert recompute(game="m") is False, "the other one has done it"
    assert others == [True]
    assert_books_balance()


@pytest.mark.usefixtures("small_steps")
def test_failure_is_not_in_the_way_of_the_next_try(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    played = play_at_random(people, 8, Random(13))
    void(played[0])
    between_steps(monkeypatch, lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        recompute(game="m")
    assert recompute(game="m")
    assert_books_balance()


# Who does it


def test_bookkeeper_puts_every_stale_game_right(people: People) -> None:
    alice, bob, *_ = people
    void(play_rated(alice, bob, places=(1, 2)))
    void(play_rated(alice, bob, places=(1, 2), hours=1, game=get_game("block_buster")))
    assert stale_games() == ["m", "block_buster"]
    Bookkeeper()._look()
    assert stale_games() == []
    assert shown(alice, bob) == shown(alice, bob, game="block_buster") == [1500, 1500]


def test_bookkeeper_outlives_a_failure(people: People, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    void(play_rated(*people[:2], places=(1, 2)))
    with monkeypatch.context() as patched:
        patched.setattr(bookkeeper, "recompute", lambda game: 1 / 0)
        Bookkeeper()._look()
    assert "could not put ratings right" in caplog.text
    Bookkeeper()._look()
    assert stale_games() == []


def test_bookkeeper_stops_when_told(transactional_db: None) -> None:
    keeper = bookkeeper.start_bookkeeper()
    keeper.stop()
    assert not keeper._thread.is_alive()


def test_command_tells_of_a_ledger_that_is_wrong(people: People) -> None:
    with pytest.raises(CommandError, match="No rated match"):
        call_command("ratings", "check", "m")
    play_at_random(people, 3, Random(14))
    call_command("ratings", "check", "m", stdout=StringIO())
    line = RatingChange.objects.order_by("pk").first()
    assert line is not None
    RatingChange.objects.filter(pk=line.pk).update(mu_after=line.mu_after + 1e-6)
    with pytest.raises(SystemExit):
        call_command("ratings", "check", "m", stdout=StringIO())
    call_command("ratings", "recompute", "m", stdout=StringIO())
    assert_books_balance()
    void(Match.objects.get(finish_number=2))
    with pytest.raises(CommandError, match="from match 2 on"):
        call_command("ratings", "check", "m", stdout=StringIO())


# Many at once

ROUNDS = 4


@pytest.mark.django_db(transaction=True)
def test_matches_of_the_same_people_that_finish_at_once_come_one_after_the_other(people: People) -> None:
    """Nobody's change is lost, no number is given twice, and nobody waits for ever."""
    for number in range(ROUNDS):
        tables = [rated_table(*Random(at).sample(people, 4), hours=10 * number + at) for at in range(6)]
        at_once([partial(end, match, (1, 2, 2, 4)) for match in tables])
        assert RatingBook.objects.get().last_number == 6 * (number + 1)
        assert_books_balance()


@pytest.mark.django_db(transaction=True)
def test_first_rated_matches_of_all_that_finish_at_once_begin_one_book(people: People) -> None:
    alice, bob, carol, mallory = people
    tables = [
        rated_table(alice, bob),
        rated_table(carol, mallory),
        rated_table(bob, carol),
        rated_table(mallory, alice),
    ]
    at_once([partial(end, match, (1, 2)) for match in tables])
    assert Rating.objects.count() == 4
    assert_books_balance()


@pytest.mark.django_db(transaction=True)
def test_voiding_finishing_and_recomputing_at_once(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recompute_module, "MATCHES_A_STEP", 2)
    rng = Random(15)
    played = play_at_random(people, 12, rng)
    for number in range(ROUNDS):
        tables = [rated_table(*rng.sample(people, 3), hours=100 + 10 * number + at) for at in range(3)]
        voided = [played.pop(rng.randrange(len(played))) for _ in range(2)]
        jobs: list[Callable[[], Any]] = [partial(end, match, (2, 1, 3)) for match in tables]
        jobs += [partial(void, match) for match in voided]
        jobs += [partial(recompute, game="m")] * 2
        rng.shuffle(jobs)
        at_once(jobs)
        recompute(game="m")
        assert stale_games() == []
        assert_books_balance()
        played += tables


# The whole history of a large house


@pytest.mark.soak
def test_first_match_of_a_long_history_is_voided(time: Clock) -> None:
    matches = size("matches below the voided one", ci=1200, soak=100_000)
    write_history(people=matches // 20, matches=matches, rng=Random(16))
    time.tick(days=365)
    with transaction.atomic():
        ask_to_recompute(game="m", number=1, moment=START + timedelta(days=365))
    assert deviation(game="m") < 1e-9
    Match.objects.filter(finish_number=1).update(reason="voided", standing=None)
    assert deviation(game="m") > 1
    assert recompute(game="m")
    assert deviation(game="m") < 1e-9
    assert RatingChange.objects.filter(edition=2).count() == RatingChange.objects.count()
