"""Who may sit down to rated matches: people with a confirmed address, where the site asks for it, and no pause."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from accounts.people.models import User
from accounts.people.selectors import PAUSED, UNCONFIRMED, rated_obstacle
from games.matches.callers import Caller
from games.matches.errors import AddressUnconfirmed, NoRematch, RatedPaused
from games.matches.models import Match
from games.matches.services import tables
from games.matches.services.acts import perform_act
from games.matches.services.clocks import LIMITS
from games.matches.services.invitations import accept_invitation, invite_person
from games.matches.services.rematches import offer_rematch
from tests.matches.conftest import START, sit_down

pytestmark = pytest.mark.django_db

RATED: dict[str, Any] = {"rated": True, "clock": LIMITS[Match.Pace.LIVE][0]}


@pytest.fixture
def _asks_for_it(settings: Any) -> None:
    settings.RATED_NEEDS_CONFIRMED_EMAIL = True


def confirm(*people: User) -> None:
    for person in people:
        EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)


def test_a_site_that_does_not_ask_for_it_lets_everybody_play(alice: User) -> None:
    assert rated_obstacle(user=alice, moment=START) is None


@pytest.mark.usefixtures("_asks_for_it")
def test_an_unconfirmed_address_and_a_pause_are_obstacles_a_confirmed_one_is_none(alice: User) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=False, primary=True)
    assert rated_obstacle(user=alice, moment=START) == UNCONFIRMED
    EmailAddress.objects.update(verified=True)
    assert rated_obstacle(user=alice, moment=START) is None
    alice.rated_pause_until = START + timedelta(seconds=1)
    assert rated_obstacle(user=alice, moment=START) == PAUSED
    assert rated_obstacle(user=alice, moment=START + timedelta(seconds=1)) is None


@pytest.mark.usefixtures("_asks_for_it")
def test_an_address_that_waits_for_its_mail_does_not_take_away_the_old_one(alice: User) -> None:
    confirm(alice)
    EmailAddress.objects.create(user=alice, email="new@example.org", verified=False, primary=False)
    assert rated_obstacle(user=alice, moment=START) is None


@pytest.mark.usefixtures("_asks_for_it")
def test_without_a_confirmed_address_one_opens_no_rated_table(alice: User) -> None:
    with pytest.raises(AddressUnconfirmed):
        sit_down(alice, start=False, bots=0, **{**RATED, "seats": 2})
    assert not Match.objects.exists()
    assert sit_down(alice, start=False, seats=2).seat_count == 2


@pytest.mark.usefixtures("_asks_for_it")
def test_nor_sits_down_at_one_by_no_door(alice: User, bob: User) -> None:
    confirm(alice)
    match = sit_down(alice, start=False, **{**RATED, "seats": 2})
    invite_person(slug=match.slug, caller=Caller(alice), name="bob", moment=START)
    with pytest.raises(AddressUnconfirmed):
        tables.join_table(slug=match.slug, caller=Caller(bob), index=None, moment=START)
    with pytest.raises(AddressUnconfirmed):
        accept_invitation(slug=match.slug, caller=Caller(bob), moment=START)
    confirm(bob)
    accept_invitation(slug=match.slug, caller=Caller(bob), moment=START)
    assert match.seats.filter(user=bob).exists()


def test_a_pause_keeps_from_a_rated_table_and_from_no_other(alice: User, bob: User) -> None:
    bob.rated_pause_until = START + timedelta(days=1)
    bob.save()
    match = sit_down(alice, start=False, **{**RATED, "seats": 2})
    with pytest.raises(RatedPaused):
        tables.join_table(slug=match.slug, caller=Caller(bob), index=None, moment=START)
    unrated = sit_down(alice, start=False, seats=2)
    tables.join_table(slug=unrated.slug, caller=Caller(bob), index=None, moment=START)


def test_no_rated_rematch_with_who_may_not_play_rated(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, **RATED)
    perform_act(act="resign", slug=match.slug, caller=Caller(alice), data={}, arrived=START)
    bob.rated_pause_until = START + timedelta(days=1)
    bob.save()
    with pytest.raises(RatedPaused):
        offer_rematch(slug=match.slug, caller=Caller(bob), wanted=True, moment=START)
    assert not match.seats.filter(wants_rematch_at__isnull=False).exists(), "and the others learn nothing of it"
    bob.rated_pause_until = None
    bob.save()
    offer_rematch(slug=match.slug, caller=Caller(bob), wanted=True, moment=START)
    bob.rated_pause_until = START + timedelta(days=1)
    bob.save()
    with pytest.raises(NoRematch) as refused:
        offer_rematch(slug=match.slug, caller=Caller(alice), wanted=True, moment=START)
    assert refused.value.params["what"] == "unrated"


@pytest.mark.usefixtures("_asks_for_it")
def test_the_form_says_how_to_confirm_with_a_link(alice: User) -> None:
    client = Client()
    client.force_login(alice)
    offered = client.get(reverse("new-table", args=["m"])).context["form"]
    form = {name: field.initial for name, field in offered.fields.items()}
    answer = client.post(reverse("new-table", args=["m"]), {**form, "rated": "rated"})
    assert answer.status_code == 403
    assert f'href="{reverse("account_email")}"' in answer.content.decode()
