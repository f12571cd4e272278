"""Several who write at the same moment: every line once, each with a number of its own, and no number left out."""

from __future__ import annotations

from collections import Counter

import pytest
from django.test import override_settings

from accounts.people.models import User
from accounts.people.services import block_person
from games.matches.models import ChatLine
from tests.matches.chatting import say
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.crowds import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """All stamp the same moment."""


def test_same_line_sent_many_times_at_once_is_one(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    with override_settings(ACCOUNT_RATE_LIMITS={}):
        lines = at_once([lambda: say(match, alice, "hello", key="k").pk] * 20)
    assert len(set(lines)) == 1
    assert ChatLine.objects.count() == 1


def test_many_lines_at_once_are_all_there_numbered_without_gaps(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    with override_settings(ACCOUNT_RATE_LIMITS={}):
        jobs = [lambda n=n: say(match, (alice, bob)[n % 2], f"line {n}", key=f"k{n}").number for n in range(24)]
        numbers = at_once(jobs)
    assert sorted(numbers) == list(range(1, 25))
    stored = Counter(match.lines.values_list("text", flat=True))
    assert stored == Counter(f"line {n}" for n in range(24))


def test_blocking_twice_at_once_is_one_block(alice: User, bob: User) -> None:
    at_once([lambda: block_person(by=alice, whom=bob, moment=START)] * 8)
    assert alice.blocks.count() == 1
