"""The administration of people: lists that survive any address, and nobody deleted while they may be playing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.people.models import User

USERS = "/admin/people/user/"


@pytest.fixture
def root(client: Client, make_person: Callable[..., User]) -> User:
    """May do whatever anybody may, and is logged in."""
    person = make_person("root1", is_staff=True, is_superuser=True)
    client.force_login(person)
    return person


ODD_QUERIES = [
    "email__regex=(",
    "password__startswith=md5",
    "username=%00",
    "name=%00",
    "email=%00",
    "is_active__exact=%00",
    "status__in=%00",
    "date_joined__year=99999999999",
    "date_joined__year=9999",
    "date_joined__year=0",
    "date_joined__month=99999999999999999999999",
    "date_joined__regex=(",
    "created_at__year=99999999999999999999999",
    "created_at__year=9999",
    "created_at__year=" + "9" * 5000,
    "user=99999999999999999999999",
    "id=99999999999999999999999",
    "o=99999999999999999999999",
    "p=99999999999999999999999",
]


@pytest.mark.parametrize("query", ODD_QUERIES)
@pytest.mark.django_db(transaction=True)
def test_odd_queries_are_no_fault_of_ours(client: Client, root: User, query: str) -> None:
    lists = (
        USERS,
        "/admin/auth/group/",
        "/admin/account/emailaddress/",
        "/admin/matches/match/",
        "/admin/matches/move/",
    )
    for path in lists:
        assert client.get(f"{path}?{query}", follow=True).status_code in (200, 400), path


def test_the_list_of_people_is_filtered_and_searched(client: Client, root: User, alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    year = alice.date_joined.year
    for query, found in (
        ("is_active__exact=0", {"bob"}),
        ("is_staff__exact=1", {"root1"}),
        ("q=alice", {"alice"}),
        (f"date_joined__year={year}", {"alice", "bob", "root1"}),
        (f"date_joined__year={year - 1}", set()),
    ):
        response = client.get(f"{USERS}?{query}")
        assert {user.username for user in response.context["cl"].result_list} == found, query


def test_nobody_is_deleted(client: Client, root: User, alice: User) -> None:
    """A match in which they sit would be left with a seat that nobody can move."""
    assert "deletelink" not in client.get(f"{USERS}{alice.pk}/change/").content.decode()
    assert client.post(f"{USERS}{alice.pk}/delete/", {"post": "yes"}).status_code == 403
    client.post(USERS, {"action": "delete_selected", "_selected_action": [str(alice.pk)], "post": "yes"})
    assert User.objects.filter(pk=alice.pk).exists()
