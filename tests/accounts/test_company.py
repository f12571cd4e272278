"""Muting and blocking: whom one does not hear, and who does not sit at one public table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.people import services
from accounts.people.models import Block, Mute, User
from accounts.people.selectors import (
    blocked_people,
    company_of,
    hidden_speakers,
    kept_apart,
    may_sit_together,
    muted_people,
)
from accounts.people.services import (
    CompanyRefused,
    block_person,
    mute_person,
    unblock_person,
    unmute_person,
)
from tests.matches.conftest import START


def test_muting_hides_one_from_the_other_and_not_back(alice: User, bob: User) -> None:
    mute_person(by=alice, whom=bob, moment=START)
    assert hidden_speakers(user=alice) == {bob.pk}
    assert hidden_speakers(user=bob) == frozenset()
    assert hidden_speakers(user=None) == frozenset()
    assert may_sit_together(user=alice, others=[bob.pk])


def test_blocking_hides_one_from_the_other_and_parts_both(alice: User, bob: User, carol: User) -> None:
    block_person(by=alice, whom=bob, moment=START)
    assert hidden_speakers(user=alice) == {bob.pk}
    assert hidden_speakers(user=bob) == frozenset()
    assert [set(kept_apart(user=user)) for user in (alice, bob)] == [{bob.pk}, {alice.pk}]
    for one, other in ((alice, bob), (bob, alice)):
        assert not may_sit_together(user=one, others=[None, carol.pk, other.pk])
        assert may_sit_together(user=one, others=[None, carol.pk])
    assert kept_apart(user=carol) == kept_apart(user=None) == frozenset()


def test_twice_is_once_and_can_be_taken_back(alice: User, bob: User) -> None:
    for _ in range(2):
        mute_person(by=alice, whom=bob, moment=START)
        block_person(by=alice, whom=bob, moment=START)
    assert (Mute.objects.count(), Block.objects.count()) == (1, 1)
    assert company_of(user=alice, whom=bob) == (True, True)
    for _ in range(2):
        unmute_person(by=alice, whom=bob, moment=START)
        unblock_person(by=alice, whom=bob, moment=START)
    assert company_of(user=alice, whom=bob) == (False, False)
    assert hidden_speakers(user=alice) == kept_apart(user=alice) == frozenset()


def test_each_takes_back_only_the_own_block(alice: User, bob: User) -> None:
    block_person(by=alice, whom=bob, moment=START)
    block_person(by=bob, whom=alice, moment=START)
    unblock_person(by=alice, whom=bob, moment=START)
    assert not may_sit_together(user=alice, others=[bob.pk])


def test_nobody_mutes_themselves_nor_the_whole_world(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CompanyRefused):
        mute_person(by=alice, whom=alice, moment=START)
    monkeypatch.setattr(services, "MOST", 0)
    with pytest.raises(CompanyRefused):
        block_person(by=alice, whom=bob, moment=START)
    assert not Mute.objects.exists()
    assert not Block.objects.exists()


def test_questions_cost_one_query_whatever_the_company(
    alice: User, make_person: Any, django_assert_num_queries: Any
) -> None:
    others = [make_person(f"other{number}") for number in range(12)]
    for other in others:
        mute_person(by=alice, whom=other, moment=START)
        block_person(by=alice, whom=other, moment=START)
    with django_assert_num_queries(1):
        assert len(hidden_speakers(user=alice)) == 12
    with django_assert_num_queries(1):
        apart = kept_apart(user=alice)
        assert not any(may_sit_together(user=alice, others=[other.pk], apart=apart) for other in others)
    with django_assert_num_queries(2):
        assert list(muted_people(user=alice)) == list(blocked_people(user=alice))


# Pages


def ask(client: Client, act: str, username: str, back: str = "profile") -> Any:
    return client.post(reverse("company"), {"act": act, "username": username, "back": back}, follow=True)


def test_buttons_on_the_profile_and_the_way_back_in_the_settings(client: Client, alice: User, bob: User) -> None:
    client.force_login(alice)
    assert 'value="mute"' in client.get("/people/bob/").content.decode()
    muted = ask(client, "mute", "bob")
    assert muted.request["PATH_INFO"] == "/people/bob/"
    assert "not shown any more what" in muted.content.decode()
    assert 'value="unmute"' in muted.content.decode()
    blocked = ask(client, "block", "bob").content.decode()
    assert 'value="unblock"' in blocked
    settings = client.get(reverse("settings")).content.decode()
    assert settings.count('name="username" value="bob"') == 2
    for act in ("unmute", "unblock"):
        answer = ask(client, act, "bob", back="")
        assert answer.request["PATH_INFO"] == reverse("settings")
    assert 'name="username" value="bob"' not in client.get(reverse("settings")).content.decode()
    assert company_of(user=alice, whom=bob) == (False, False)


def test_no_buttons_for_guests_nor_on_the_own_profile(client: Client, alice: User) -> None:
    assert "/account/company/" not in client.get("/people/alice/").content.decode()
    client.force_login(alice)
    assert "/account/company/" not in client.get("/people/alice/").content.decode()


def test_the_other_person_is_told_nothing(client: Client, alice: User, bob: User) -> None:
    client.force_login(bob)
    pages = ("/people/alice/", "/account/settings/", "/lobby/")

    def seen() -> list[str]:
        return [re.sub(r'"[A-Za-z0-9]{64}"', "", client.get(page).content.decode()) for page in pages]

    before = seen()
    mute_person(by=alice, whom=bob, moment=START)
    block_person(by=alice, whom=bob, moment=START)
    assert seen() == before


@pytest.mark.parametrize(
    ("act", "username"),
    [
        ("mute", "nobody"),
        ("mute", "\0"),
        ("mute", "b" * 60_000),
        ("mute", ""),
        ("adore", "bob"),
        ("", "bob"),
        ("__class__", "bob"),
    ],
)
def test_what_makes_no_sense_is_refused(client: Client, alice: User, bob: User, act: str, username: str) -> None:
    client.force_login(alice)
    assert ask(client, act, username).status_code == 404
    assert company_of(user=alice, whom=bob) == (False, False)


def test_muting_needs_a_person_a_post_and_its_token(client: Client, alice: User, bob: User) -> None:
    guest = client.post(reverse("company"), {"act": "mute", "username": "bob"})
    assert (guest.status_code, guest["Location"].split("?")[0]) == (302, reverse("account_login"))
    client.force_login(alice)
    assert client.get(reverse("company"), {"act": "mute", "username": "bob"}).status_code == 302
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(alice)
    assert careful.post(reverse("company"), {"act": "mute", "username": "bob"}).status_code == 403
    assert "Only others" in ask(client, "block", "alice").content.decode()
    assert not Mute.objects.exists()
