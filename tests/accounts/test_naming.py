"""Who may be called what: one owner for all that looks alike, the house's own words, and names given up."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts.people.claimed_names import ClaimedName, NameTaken
from accounts.people.former_names import FormerName
from accounts.people.models import User
from accounts.people.naming import FORMER_NAMES_KEPT, RENAMES, RENAMES_WITHIN, is_free_name, rename_person
from tests.accounts.test_signing_up import sign_up
from tests.matches.crowds import at_once

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def names_of(user: User) -> list[str]:
    return list(FormerName.objects.filter(user=user).values_list("name", flat=True))


def refusal(user: User, name: str, moment: datetime = NOW) -> str:
    with pytest.raises(ValidationError) as refused:
        rename_person(user=user, name=name, moment=moment)
    user.refresh_from_db()
    return str(refused.value.code)


def test_a_rename_keeps_the_old_name_and_frees_it(alice: User, bob: User) -> None:
    rename_person(user=alice, name="  Queen  Ann ", moment=NOW)
    alice.refresh_from_db()
    assert alice.display_name == "Queen Ann"
    assert names_of(alice) == ["Alice"]
    # Her login name is hers for good; a display name that she gave up is for anybody.
    assert refusal(bob, "Alice") == "taken"
    rename_person(user=alice, name="King", moment=NOW)
    rename_person(user=bob, name="queen ann", moment=NOW)
    assert names_of(bob) == ["Bob"]


def test_no_change_is_no_rename(alice: User) -> None:
    rename_person(user=alice, name=" Alice ", moment=NOW)
    assert names_of(alice) == []


@pytest.mark.parametrize("alike", ["Вob", "B0b", "b o b", "Bób", "Ｂｏｂ"])
def test_what_looks_like_somebody_is_refused(alice: User, bob: User, alike: str) -> None:
    assert refusal(alice, alike) == "taken"
    assert alice.display_name == "Alice"


def test_names_of_the_house_are_for_the_house(alice: User, mod: User) -> None:
    assert refusal(alice, "Tesela Support") == "kept"
    rename_person(user=mod, name="Tesela Support", moment=NOW)
    assert refusal(alice, "Teselа_Support") == "kept"


def test_renames_are_few_but_a_moderator_may(alice: User) -> None:
    for number in range(RENAMES):
        rename_person(user=alice, name=f"Ann {number + 2}", moment=NOW + timedelta(hours=number))
    assert refusal(alice, "Ann 9", NOW + timedelta(hours=5)) == "often"
    rename_person(user=alice, name="Player 77", moment=NOW + timedelta(hours=5), by_house=True)
    assert refusal(alice, "Ann 9", NOW + RENAMES_WITHIN) == "often"
    rename_person(user=alice, name="Ann 9", moment=NOW + RENAMES_WITHIN + timedelta(hours=2))
    assert alice.display_name == "Ann 9"


def test_only_the_last_few_former_names_are_kept(alice: User) -> None:
    for number in range(FORMER_NAMES_KEPT + 3):
        rename_person(user=alice, name=f"Ann {number + 2}", moment=NOW + timedelta(days=number), by_house=True)
    assert names_of(alice) == [f"Ann {number + 2}" for number in range(FORMER_NAMES_KEPT + 1, 1, -1)]


def test_whoever_shares_a_name_from_before_keeps_it_and_may_change_it(make_person: Callable[..., User]) -> None:
    """Names were free once: the migration gives each to the first owner, login names before display names."""
    early = make_person("early", display_name="Late")
    twin = make_person("twin", display_name="Eаrly")  # with a Cyrillic а
    late = make_person("late", display_name="小明")
    ClaimedName.objects.all().delete()
    migration = importlib.import_module("accounts.people.migrations.0006_claimed_names")
    migration.claim_names(apps, None)
    assert ClaimedName.objects.get(skeleton="late").user == late
    assert {claim.user for claim in ClaimedName.objects.filter(skeleton__in=("early", "early"))} <= {early}
    assert set(User.objects.values_list("display_name", flat=True)) == {"Late", "Eаrly", "小明"}
    rename_person(user=early, name="Late", moment=NOW)
    assert not is_free_name("Late")
    rename_person(user=twin, name="Twin", moment=NOW)
    rename_person(user=late, name="小明明", moment=NOW)
    assert refusal(twin, "小明明") == "taken"


@pytest.mark.django_db
@pytest.mark.parametrize("username", ["al.ice", "a1ice", "ALICE", "m0derator", "tesela-support", "bot", "help"])
def test_login_names_that_look_like_others_are_refused(client: Client, alice: User, username: str) -> None:
    page = sign_up(client, username=username, display_name="Newcomer", email="new@example.org")
    assert page.status_code == 200
    assert User.objects.count() == 1


def test_sign_up_refuses_a_display_name_that_looks_like_a_login_name(client: Client, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(display_name="The Great One")
    assert "Somebody is already called that" in sign_up(client, display_name="В-о-b").content.decode()
    assert "kept for the house" in sign_up(client, display_name="Admin").content.decode()
    assert User.objects.count() == 1


def test_the_settings_say_why(client: Client, alice: User) -> None:
    client.force_login(alice)
    form = {"confirm_moves": "auto", "language": "en", "time_zone": ""}
    for number in range(RENAMES):
        client.post(reverse("settings"), {**form, "display_name": f"Ann {number + 2}"})
    answer = client.post(reverse("settings"), {**form, "display_name": "Ann 9", "time_zone": "Asia/Taipei"})
    assert answer.status_code == 422
    assert "You have changed your name 3 times within a week." in answer.content.decode()
    alice.refresh_from_db()
    assert (alice.display_name, alice.time_zone) == ("Ann 4", "")


# Races


@pytest.mark.django_db(transaction=True)
def test_of_many_who_want_one_name_at_once_one_gets_it(make_person: Callable[..., User]) -> None:
    """Names that differ as texts, so that only their skeletons can meet."""
    alikes = ["Queen", "QUEEN", "Quееn", "Ｑｕｅｅｎ", "q.u.e.e.n", "Quéen"]
    people = [make_person(f"p{number + 2}") for number in range(len(alikes))]

    def rename(user: User, name: str) -> Callable[[], str]:
        def job() -> str:
            try:
                rename_person(user=user, name=name, moment=NOW)
            except ValidationError as error:
                return str(error.code)
            return "done"

        return job

    answers = at_once(rename(user, name) for user, name in zip(people, alikes, strict=True))
    assert sorted(answers) == ["done", *["taken"] * (len(alikes) - 1)]
    assert User.objects.filter(display_name__in=alikes).count() == 1
    assert FormerName.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_want_each_others_name_do_not_wait_for_each_other(alice: User, bob: User) -> None:
    for user, name in ((alice, "Ann"), (bob, "Ben")):
        rename_person(user=user, name=name, moment=NOW)

    def swap(user: User, name: str) -> Callable[[], bool]:
        def job() -> bool:
            try:
                ClaimedName.objects.claim(user=user, new=(name,), kept=(user.username,))
            except NameTaken:
                return False
            return True

        return job

    # Whoever comes second may find the name given up already: never both, and never a deadlock.
    assert at_once([swap(alice, "Ben"), swap(bob, "Ann")]).count(True) <= 1


@pytest.mark.django_db(transaction=True)
def test_of_two_sign_ups_with_names_that_look_alike_one_is_made() -> None:
    def join(username: str, name: str) -> Callable[[], int]:
        form = {"username": username, "display_name": name, "email": f"{username}@example.org"}
        return lambda: int(sign_up(Client(raise_request_exception=False), **form).status_code)

    answers = at_once([join("first", "Queen Zoe"), join("second", "Quееn_Zоe")])
    assert sorted(answers) == [200, 302]
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_renames_at_once_do_not_pass_the_limit(alice: User) -> None:
    def rename(number: int) -> Callable[[], bool]:
        def job() -> bool:
            try:
                rename_person(user=alice, name=f"Ann {number}", moment=NOW)
            except ValidationError:
                return False
            return True

        return job

    assert at_once(rename(number) for number in range(2, 9)).count(True) == RENAMES
