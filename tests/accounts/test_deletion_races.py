"""Accounts that are deleted while others play with them, and while those others go too: nobody waits in a circle."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from django.test import Client

from accounts.desk.belongings import BELONGINGS, Fate
from accounts.desk.deletion import erase_account, erase_what_came_after
from accounts.people.models import Block, Mute, User
from accounts.people.services import block_person, mute_person
from games.matches.callers import Caller
from games.matches.errors import Refused
from games.matches.models import Invitation, Match, Seat
from games.matches.services.chat import send_line
from games.matches.services.invitations import invite_person
from games.matches.services.play import resign
from games.matches.services.recompute import deviation
from tests.conftest import PASSWORD
from tests.matches.conftest import START, sit_down
from tests.matches.crowds import at_once
from tests.matches.ledgers import rated_table
from tests.soundness import assert_sound

pytestmark = [pytest.mark.django_db(transaction=True)]

ROUNDS = 3


def going(user: User) -> Callable[[], None]:
    return lambda: erase_account(user=user, moment=START)


def resigning(match: Match, user: User) -> Callable[[], None]:
    def act() -> None:
        with suppress(Refused):
            resign(slug=match.slug, caller=Caller(user), moment=START)

    return act


def saying(match: Match, user: User) -> Callable[[], None]:
    def act() -> None:
        with suppress(Refused):
            send_line(slug=match.slug, caller=Caller(user), room="players", text="Hm", key="", moment=START)

    return act


@pytest.mark.parametrize("number", range(ROUNDS))
def test_two_who_play_together_go_at_once(make_person: Callable[..., User], number: int) -> None:
    alice, bob, carol = (make_person(f"{name}{number}") for name in ("alice", "bob", "carol"))
    rated = [rated_table(*pair) for pair in ((alice, bob), (bob, alice), (alice, carol), (carol, bob))]
    three = sit_down(alice, bob, carol)
    for host, asked in ((alice, bob), (bob, alice)):
        for _ in range(3):
            table = sit_down(host, seats=2, start=False)
            invite_person(slug=table.slug, caller=Caller(host), name=asked.username, moment=START)
    for by, whom in ((alice, bob), (bob, alice)):
        mute_person(by=by, whom=whom, moment=START)
        block_person(by=by, whom=whom, moment=START)
    jobs = [going(alice), going(bob), *(resigning(match, carol) for match in rated[2:]), saying(three, carol)]
    at_once(jobs)
    for user in (alice, bob):
        user.refresh_from_db()
        assert user.deleted_at is not None
    assert set(Match.objects.values_list("status", flat=True)) <= {Match.Status.OVER, Match.Status.CLOSED}
    assert not Seat.objects.filter(user__in=(alice, bob), match__status=Match.Status.TABLE).exists()
    for kind in (Mute, Block, Invitation):
        assert not kind._default_manager.exists()
    assert deviation(game="m") < 1e-9
    for match in Match.objects.filter(status=Match.Status.OVER):
        assert_sound(match)


@pytest.mark.parametrize("number", range(ROUNDS))
def test_nothing_that_the_person_does_at_that_moment_outlives_the_account(
    make_person: Callable[..., User], number: int
) -> None:
    """Settings, a new address and a log-in, beside the deletion: it is done, and nothing of theirs stays."""
    person = make_person(f"dora{number}")
    clients = [Client() for _ in range(3)]
    for client in clients:
        client.force_login(person)
    form = {"display_name": "Latecomer", "language": "en", "time_zone": "Asia/Tokyo", "confirm_moves": "auto"}
    entry = {"login": person.username, "password": PASSWORD}
    at_once(
        [
            going(person),
            lambda: clients[0].post("/account/settings/", form),
            lambda: clients[1].post("/account/email/", {"email": "late@example.org", "action_add": ""}),
            lambda: Client().post("/account/login/", entry),
        ]
    )
    erase_what_came_after(moment=START)
    former = User.objects.get(pk=person.pk)
    assert former.deleted_at is not None
    assert (former.display_name, former.email, former.time_zone, former.last_login) == ("", "", "", None)
    for each in BELONGINGS:
        if each.fate is Fate.GOES:
            assert not each.rows(person.pk).exists(), each.column
