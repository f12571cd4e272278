"""Somebody leaves the house: out of all matches, from all tables, each by itself, and as often as one likes."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.people.models import User
from games.contract.registry import Game
from games.matches.callers import Caller
from games.matches.models import Invitation, Match, Seat
from games.matches.services import play
from games.matches.services.invitations import invite_person
from games.matches.services.leaving import resign_everywhere
from games.matches.services.rematches import offer_rematch
from tests.matches.conftest import START, Clock, frozen, sit_down
from tests.matches.crowds import at_once
from tests.matches.timekeeping import by_turns
from tests.soundness import assert_sound

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """All at one moment."""


def everything(*matches: Match) -> list[dict[str, Any]]:
    return [frozen(match) for match in matches]


def test_all_that_is_under_way_ends_for_the_person_and_nothing_else(
    alice: User, bob: User, carol: User, mallory: User, toy: Game
) -> None:
    live, slow, real = sit_down(alice, bob), by_turns(alice, bob), sit_down(alice, bob, game=toy)
    alone, of_three = sit_down(alice, bots=1, public=False), sit_down(alice, bob, carol)
    hosted = sit_down(alice, bob, seats=3, start=False)
    joined = sit_down(bob, alice, seats=3, start=False)
    inviting = sit_down(carol, seats=2, start=False, public=False)
    invite_person(slug=inviting.slug, caller=Caller(carol), name="alice", moment=START)
    invite_person(slug=joined.slug, caller=Caller(bob), name="carol", moment=START)
    theirs = sit_down(bob, carol)
    before = frozen(theirs)
    resign_everywhere(user=alice, moment=START)
    for match in (live, slow, real, alone):
        match.refresh_from_db()
        assert (match.status, match.reason) == (Match.Status.OVER, "resigned"), match
    of_three.refresh_from_db()
    assert of_three.status == Match.Status.RUNNING, "the others play on, with a stand-in"
    assert of_three.seats.get(user=alice).kind == Seat.Kind.STAND_IN
    hosted.refresh_from_db()
    assert hosted.status == Match.Status.CLOSED
    joined.refresh_from_db()
    assert joined.status == Match.Status.TABLE
    assert not joined.seats.filter(user=alice).exists()
    assert list(Invitation.objects.values_list("user__username", "state")) == [("carol", "open")]
    assert frozen(theirs) == before
    for match in (live, slow, of_three):
        assert_sound(match)


def test_twice_is_the_same_as_once(alice: User, bob: User, carol: User) -> None:
    matches = [sit_down(alice, bob), sit_down(alice, bob, carol), sit_down(bob, alice, seats=3, start=False)]
    resign_everywhere(user=alice, moment=START)
    before = everything(*matches)
    resign_everywhere(user=alice, moment=START)
    assert everything(*matches) == before


def test_what_was_interrupted_is_done_the_next_time(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each match is committed by itself: one that fails undoes none of those before."""
    matches = [sit_down(alice, bob) for _ in range(3)]
    done = play.resign

    def fails_at_the_last(*, slug: str, **rest: Any) -> None:
        if slug == matches[-1].slug:
            raise ConnectionError
        done(slug=slug, **rest)

    with monkeypatch.context() as patch:
        patch.setattr(play, "resign", fails_at_the_last)
        with pytest.raises(ConnectionError):
            resign_everywhere(user=alice, moment=START)
    assert Match.objects.filter(status=Match.Status.OVER).count() == 2
    resign_everywhere(user=alice, moment=START)
    assert Match.objects.filter(status=Match.Status.OVER).count() == 3


def test_nobody_begins_a_rematch_with_who_has_left(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play.resign(slug=match.slug, caller=Caller(bob), moment=START)
    offer_rematch(slug=match.slug, caller=Caller(alice), wanted=True, moment=START)
    resign_everywhere(user=alice, moment=START)
    assert offer_rematch(slug=match.slug, caller=Caller(bob), wanted=True, moment=START) is None


@pytest.mark.django_db(transaction=True)
def test_many_who_leave_at_once_leave_each_match_sound(alice: User, bob: User, carol: User) -> None:
    """Two moderators press at the same moment, and a third person goes as well."""
    matches = [sit_down(alice, bob, carol) for _ in range(4)]
    tables = [sit_down(alice, bob, seats=3, start=False), sit_down(bob, alice, seats=3, start=False)]
    at_once([lambda user=user: resign_everywhere(user=user, moment=START) for user in (alice, alice, bob, carol)])  # type: ignore[misc]
    for match in matches:
        assert_sound(match)
        assert match.status == Match.Status.OVER
    assert set(Match.objects.filter(pk__in=[table.pk for table in tables]).values_list("status", flat=True)) == {
        "closed"
    }
