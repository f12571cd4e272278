"""The best times: the best of each person with the same choices, public by design, and the place that each has."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from games.matches.callers import Caller
from games.matches.models import Match, SoloBest
from games.matches.services.play import resign
from games.matches.services.results import void_match
from games.matches.views import solo
from tests.matches.alone import begun, ended
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.crowds import at_once
from tests.sizes import size

pytestmark = pytest.mark.django_db

ADDRESS = "/best-times/blockyou/"


def listed(user: User | None = None, **choices: str) -> list[tuple[str, ...]]:
    """Place, name and time of each row, and "you" in one's own."""
    response = browser(user).get(ADDRESS, choices)
    assert response.status_code == 200
    rows = re.findall(r"<tr(?: class=\"own\")?>\s*<td.*?</tr>", text_of(response), re.S)
    return [tuple(re.sub("<[^>]+>|[\u2068\u2069]", " ", row).split()[:-1]) for row in rows]


def test_each_person_stands_once_with_the_best_the_lowest_first(alice: User, bob: User, carol: User) -> None:
    ended(alice, 200_000)
    ended(alice, 90_500, minutes=1)
    ended(alice, 120_000, minutes=2)
    ended(bob, 61_001, minutes=3)
    assert listed() == [("1", "Bob", "1:01.001"), ("2", "Alice", "1:30.500")]
    assert listed(alice) == [("1", "Bob", "1:01.001"), ("2", "Alice", "you", "1:30.500")]
    assert listed(carol) == listed(), "who has none is not in it"


def test_equal_times_share_the_place_and_who_was_first_stands_first(alice: User, bob: User, carol: User) -> None:
    for minutes, user in enumerate((carol, bob, alice)):
        ended(user, 100_000 if user is not alice else 100_001, minutes=minutes)
    ended(bob, 100_000, minutes=9)
    assert [row[:2] for row in listed()] == [("1", "Carol"), ("1", "Bob"), ("3", "Alice")]


def test_other_choices_are_another_list(alice: User, bob: User) -> None:
    ended(alice, 70_000)
    ended(alice, 20_000, minutes=1, deck="easy")
    ended(bob, 60_000, minutes=2, pace="expert")
    assert listed() == listed(deck="standard", pace="normal") == [("1", "Alice", "1:10.000")]
    assert listed(deck="easy") == [("1", "Alice", "0:20.000")]
    assert listed(pace="expert") == [("1", "Bob", "1:00.000")]
    assert listed(deck="easy", pace="expert") == []
    page = text_of(browser().get(ADDRESS, {"deck": "easy", "pace": "expert"}))
    assert "The first place is free." in page
    assert '<option value="easy" selected>' in page


def test_only_what_the_rules_rank_counts(alice: User, bob: User) -> None:
    ended(alice, 50_000, reason="stalled")
    given_up = begun(alice, minutes=1)
    resign(slug=given_up.slug, caller=Caller(alice), moment=START + timedelta(minutes=2))
    company = sit_down(alice, bob, game=given_up.game, options={})
    resign(slug=company.slug, caller=Caller(bob), moment=START)
    assert listed() == []


def test_voided_match_makes_room_for_the_next_best(alice: User, bob: User) -> None:
    ended(alice, 80_000)
    ended(alice, 70_000, minutes=1, reason="stalled")
    ended(alice, 60_000, minutes=2, deck="easy")
    ended(alice, 90_000, minutes=3)
    best = ended(alice, 50_000, minutes=4)
    only = ended(bob, 55_000, minutes=5)
    void_match(slug=best.slug, moment=START + timedelta(hours=1))
    void_match(slug=only.slug, moment=START + timedelta(hours=1))
    assert listed() == [("1", "Alice", "1:20.000")]
    ended(alice, 75_000, minutes=70)
    assert listed() == [("1", "Alice", "1:15.000")]


def test_voiding_another_than_the_best_changes_nothing(alice: User) -> None:
    ended(alice, 60_000)
    other = ended(alice, 80_000, minutes=1)
    void_match(slug=other.slug, moment=START + timedelta(hours=1))
    assert listed() == [("1", "Alice", "1:00.000")]


def test_who_is_gone_or_barred_stands_there_no_more(alice: User, bob: User, carol: User) -> None:
    for user, score in ((alice, 60_000), (bob, 70_000), (carol, 80_000)):
        ended(user, score)
    bob.is_active = False
    bob.save()
    alice.delete()
    assert listed() == [("1", "Carol", "1:20.000")]
    assert Match.objects.count() == 3, "the matches stay"


def test_whoever_stands_below_the_list_is_told_the_own_place(
    alice: User, make_person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solo, "LISTED", 3)
    for number in range(5):
        ended(make_person(f"p{number}"), 50_000 + number)
    ended(alice, 99_000)
    assert [row[0] for row in listed()] == ["1", "2", "3"]
    assert [row[0] for row in listed(alice)] == ["1", "2", "3", "6"]
    assert listed(alice)[-1] == ("6", "Alice", "you", "1:39.000")


def test_nothing_but_the_time_is_public(alice: User, bob: User) -> None:
    """The match itself stays private: others get no link to it."""
    match = ended(alice, 60_000)
    assert f"/matches/{match.slug}/replay/" in text_of(browser(alice).get(ADDRESS))
    for user in (bob, None):
        assert match.slug not in text_of(browser(user).get(ADDRESS))


def test_end_of_the_match_says_the_place(alice: User, bob: User) -> None:
    ended(bob, 50_000)
    best, worse = ended(alice, 60_000), ended(alice, 70_000, minutes=1)

    def said(match: Match) -> str:
        page = text_of(browser(alice).get(f"/matches/{match.slug}/"))
        assert 'href="/best-times/blockyou/?deck=standard&amp;pace=normal"' in page
        found = re.search(r'<p class="said-of-solo">(.*?)</p>', page)
        return found[1] if found else ""

    assert said(best) == "Your best so far: place 2 of all."
    assert said(worse) == "Your best is 1:00.000, place 2 of all."
    ended(bob, 90_000, minutes=2)
    SoloBest.objects.filter(user=bob).update(score=65_000)
    assert said(best) == "Your best so far: place 1 of all.", "as it is now, not as it was when it was first drawn"
    given_up = begun(alice, minutes=3, deck="easy")
    resign(slug=given_up.slug, caller=Caller(alice), moment=START + timedelta(minutes=4))
    assert "said-of-solo" not in text_of(browser(alice).get(f"/matches/{given_up.slug}/"))


def test_what_is_no_list_is_not_found(alice: User) -> None:
    for address in (
        "/best-times/m/",
        "/best-times/chess/",
        f"{ADDRESS}?deck=marked",
        f"{ADDRESS}?pace=%00",
        f"{ADDRESS}?deck={'9' * 3000}",
    ):
        assert browser(alice).get(address).status_code == 404
    assert browser().get(f"{ADDRESS}?unknown=1&deck=").status_code == 200


def test_list_costs_the_same_few_queries_whoever_is_in_it(alice: User, make_person: Any, time: Clock) -> None:
    def cost() -> int:
        client = browser(alice)
        client.get(ADDRESS)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(ADDRESS).status_code == 200
        return len(queries)

    ended(alice, 60_000)
    few = cost()
    for number in range(12):
        ended(make_person(f"p{number}"), 50_000 + number)
    assert cost() == few <= 6


@pytest.mark.django_db(transaction=True)
def test_matches_voided_at_once_are_not_in_the_list(alice: User) -> None:
    """Neither is chosen as the next best while the other is voided."""
    for _ in range(size("pairs voided at once", ci=4, soak=40)):
        kept, *voided = [ended(alice, score) for score in (90_000, 50_000, 60_000, 70_000)]
        later = START + timedelta(hours=1)
        at_once([partial(void_match, slug=match.slug, moment=later) for match in voided])
        [best] = SoloBest.objects.all()
        assert best.match_id == kept.pk
        void_match(slug=kept.slug, moment=later)
        assert not SoloBest.objects.exists()
