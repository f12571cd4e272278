"""Who moderates, and whom; matches for them to look at, and a clock that stands still."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.test import Client

from accounts.desk.moderators import make_group
from accounts.people.models import User
from games.matches.models import Match
from tests.matches import conftest as matches
from tests.matches.browsing import browser
from tests.matches.chatting import say
from tests.matches.conftest import START, Clock, sit_down

# The fixtures of the matches.
time, _luck = matches.time, matches._luck


@pytest.fixture
def moderators(db: None) -> Group:
    """The group; a test that empties the database takes what the migration has put there."""
    return make_group(apps)  # type: ignore[no-any-return]


@pytest.fixture
def moderator(mod: User, moderators: Group) -> User:
    """Staff, and of the group."""
    mod.groups.add(moderators)
    return mod


@pytest.fixture
def colleague(make_person: Callable[..., User], moderators: Group) -> User:
    """Another moderator."""
    person = make_person("colleague", is_staff=True)
    person.groups.add(moderators)
    return person


@pytest.fixture
def root(make_person: Callable[..., User]) -> User:
    """May do whatever anybody may."""
    return make_person("root1", is_staff=True, is_superuser=True)


@pytest.fixture
def desk(moderator: User, time: Clock) -> Client:
    """The moderator's browser, at the clock of the tests."""
    return browser(moderator)


@pytest.fixture
def quarrel(alice: User, bob: User, time: Clock) -> Match:
    """A running match of Alice and Bob; Bob has said three things, the second an insult."""
    for person in (alice, bob):
        person.date_joined = START - timedelta(days=30)
        person.save()
    match = sit_down(alice, bob)
    for text in ("hello", "you fool", "well played"):
        say(match, bob, text)
    return match
