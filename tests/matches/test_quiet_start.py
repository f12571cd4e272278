"""Who has just come finds a quieter house, is told where it bites, and plays the first match as everybody does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from accounts.people.newcomers import NEW_FOR, SETTLED_AFTER, is_new
from games.matches.callers import Caller
from games.matches.errors import TooMany, WritesTooFast
from games.matches.models import Match
from games.matches.newcomers import is_newcomer
from games.matches.services.invitations import invite_person
from games.matches.services.play import resign
from games.matches.texts import refusal
from tests.matches.browsing import browser
from tests.matches.chatting import say
from tests.matches.conftest import START, Clock, sit_down

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """All at one moment."""


@pytest.fixture
def newcomer(make_person: Callable[..., User]) -> User:
    return make_person("newcomer", date_joined=START - timedelta(hours=1))


def refused(error: Any) -> str:
    return refusal(error.value)


@pytest.mark.parametrize(
    ("age", "finished", "new"),
    [
        (timedelta(0), 0, True),
        (NEW_FOR - timedelta(seconds=1), SETTLED_AFTER - 1, True),
        (NEW_FOR, 0, False),
        (timedelta(0), SETTLED_AFTER, False),
        (timedelta(days=-1), 0, True),
    ],
)
def test_a_day_or_three_matches_make_one_at_home(age: timedelta, finished: int, new: bool) -> None:
    joined = datetime(2026, 1, 1, tzinfo=UTC)
    assert is_new(joined=joined, moment=joined + age, finished=finished) is new


def test_looking_costs_nothing_after_the_first_day(alice: User, newcomer: User) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert not is_newcomer(user=alice, moment=START)
    assert len(queries) == 0
    assert is_newcomer(user=newcomer, moment=START)


def test_finished_matches_end_it(newcomer: User, bob: User) -> None:
    for _ in range(SETTLED_AFTER):
        assert is_newcomer(user=newcomer, moment=START)
        match = sit_down(newcomer, bob)
        resign(slug=match.slug, caller=Caller(newcomer), moment=START)
    assert not is_newcomer(user=newcomer, moment=START)


def test_a_newcomer_writes_less_often_and_is_told(newcomer: User, bob: User) -> None:
    match = sit_down(newcomer, bob)
    for number in range(3):
        say(match, newcomer, f"line {number}")
        say(match, bob, f"answer {number}")
    with pytest.raises(WritesTooFast) as error:
        say(match, newcomer, "one more")
    assert refused(error).startswith("On your first day you can write a little less often.")
    say(match, bob, "and one more")


def test_a_newcomer_has_three_open_tables_and_is_told(newcomer: User) -> None:
    for _ in range(3):
        sit_down(newcomer, seats=2, start=False)
    with pytest.raises(TooMany) as error:
        sit_down(newcomer, seats=2, start=False)
    assert "three open tables" in refused(error)


def test_a_newcomer_invites_five_by_name_and_is_told(newcomer: User, make_person: Callable[..., User]) -> None:
    people = [make_person(f"friend{number}") for number in range(6)]
    tables = [sit_down(newcomer, seats=2, start=False) for _ in range(2)]
    for number, person in enumerate(people[:5]):
        invite_person(slug=tables[number % 2].slug, caller=Caller(newcomer), name=person.username, moment=START)
    with pytest.raises(TooMany) as error:
        invite_person(slug=tables[0].slug, caller=Caller(newcomer), name=people[5].username, moment=START)
    assert "Send the link of the table" in refused(error)


def test_the_first_match_is_begun_as_by_everybody(newcomer: User, bob: User) -> None:
    for _ in range(5):
        assert browser(newcomer).post("/play-now/m/").status_code == 302
        Match.objects.update(started_at=START - timedelta(minutes=1))
    table = sit_down(bob, seats=2, start=False)
    assert browser(newcomer).post(f"/matches/{table.slug}/act/join/").status_code == 302
    cache.clear()
