"""Signing up: what it asks, what it refuses, and where it leads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from accounts.people.forms import SignupForm
from accounts.people.models import User

FORM = {
    "username": "alice",
    "display_name": "Alice A.",
    "email": "Alice@Example.org",
    "password1": "a tile on the table",
}


def sign_up(client: Client, **changes: str) -> Any:
    return client.post(reverse("account_signup"), FORM | changes)


@pytest.mark.django_db
def test_a_newcomer_is_logged_in_and_led_to_the_lobby(client: Client) -> None:
    response = sign_up(client)
    assert response.status_code == 302
    assert response.url == reverse("lobby")
    user = User.objects.get()
    assert (user.username, user.display_name, user.email) == ("alice", "Alice A.", "alice@example.org")
    assert client.session["_auth_user_id"] == str(user.pk)


@pytest.mark.django_db
def test_the_mail_that_welcomes_holds_a_link_that_confirms_the_address(client: Client) -> None:
    sign_up(client)
    (message,) = mail.outbox
    assert message.to == ["alice@example.org"]
    link = next(word for word in message.body.split() if word.startswith("http://testserver/"))
    assert not EmailAddress.objects.get().verified
    assert b"alice@example.org" in client.get(link).content
    client.post(link)
    assert EmailAddress.objects.get().verified


@pytest.mark.django_db
def test_next_is_followed_within_the_site_only(client: Client) -> None:
    inside = reverse("history")
    assert sign_up(client, next=inside).url == inside
    client.logout()
    elsewhere = sign_up(
        client, username="bob", display_name="Bob", email="bob@example.org", next="https://evil.example/"
    )
    assert elsewhere.url == reverse("lobby")


@pytest.mark.django_db
@pytest.mark.parametrize("taken", [{"username": "ALICE"}, {"email": "ALICE@example.ORG"}])
def test_names_and_addresses_are_unique_in_any_case(client: Client, taken: dict[str, str]) -> None:
    sign_up(client)
    client.logout()
    response = sign_up(client, **{"username": "other", "display_name": "Other", "email": "other@example.org", **taken})
    assert "Somebody" in response.content.decode()
    assert User.objects.count() == 1


def test_display_name_of_somebody_else_is_refused(client: Client, bob: User) -> None:
    for taken in ("Bob", "BOB"):
        response = sign_up(client, display_name=taken)
        assert "Somebody is already called that" in response.content.decode()
    assert not User.objects.filter(username="alice").exists()


@pytest.mark.parametrize("confirmed", [True, False])
def test_where_addresses_must_be_confirmed_sign_up_does_not_tell_which_have_an_account(
    client: Client, alice: User, settings: Any, confirmed: bool
) -> None:
    """As in production: a free address and a taken one get the same answer; who owns it is told by mail."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    EmailAddress.objects.create(user=alice, email=alice.email, verified=confirmed, primary=True)
    free = sign_up(client, username="carol", email="carol@example.org")
    taken = sign_up(Client(), username="mallory", display_name="Mallory", email="alice@example.org")
    assert (free.status_code, free.url) == (taken.status_code, taken.url)
    assert [message.to for message in mail.outbox] == [["carol@example.org"], ["alice@example.org"]]
    assert "has an account already" in mail.outbox[1].body
    assert not User.objects.filter(username="mallory").exists()


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{"username": "ALICE"}, {"username": "other", "email": "Alice@example.org"}])
def test_the_database_itself_keeps_names_and_addresses_unique(alice: User, fields: dict[str, str]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(display_name="x", **{"email": "", **fields})


@pytest.mark.django_db
def test_people_without_an_address_do_not_collide(make_person: Callable[..., User]) -> None:
    make_person("one", email="")
    make_person("two", email="")
    assert User.objects.filter(email="").count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("username", ["a b", "a/b", "..", ".a", "-a", "é", "a" * 31, "", "x", "admin", "a\u202eb"])
def test_login_names_are_plain(client: Client, username: str) -> None:
    response = sign_up(client, username=username)
    assert response.status_code == 200
    assert b"errorlist" in response.content
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("password", ["short", "12345678901", "password123", "alice1234"])
def test_weak_passwords_are_refused(client: Client, password: str) -> None:
    assert b"errorlist" in sign_up(client, password1=password).content
    assert not User.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_sign_ups_at_the_same_moment_make_one_person_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A double click: both forms pass the checks before either is saved."""
    both_checked = threading.Barrier(2, timeout=60)
    original = SignupForm.try_save

    def try_save(self: Any, request: Any) -> Any:
        both_checked.wait()
        return original(self, request)

    monkeypatch.setattr(SignupForm, "try_save", try_save)
    statuses: list[int] = []

    def click() -> None:
        statuses.append(sign_up(Client(raise_request_exception=False)).status_code)
        connection.close()

    threads = [threading.Thread(target=click) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 302]
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_sign_ups_are_limited_by_address(client: Client) -> None:
    responses = [sign_up(client, username="a b") for _ in range(21)]
    assert responses[19].status_code == 200
    assert responses[20].status_code == 429
    assert "Too many tries" in responses[20].content.decode()
