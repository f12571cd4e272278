"""A new password, with and without the old one; a new address."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.people.models import User
from tests.conftest import PASSWORD

NEW = "another tile of mine"


def link_in_last_mail() -> str:
    """The last mail that has a link: others only tell what happened."""
    bodies = [message.body for message in mail.outbox if "http://testserver/account/" in message.body]
    return next(word for word in bodies[-1].split() if word.startswith("http://testserver/"))


def test_a_forgotten_password_is_replaced_by_a_link(client: Client, alice: User) -> None:
    response = client.post(reverse("account_reset_password"), {"email": "ALICE@example.org"}, follow=True)
    assert "If somebody has signed up with this address" in response.content.decode()
    link = link_in_last_mail()
    form = client.get(link, follow=True)
    client.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
    alice.refresh_from_db()
    assert alice.check_password(NEW)
    assert "This link no longer works" in Client().get(link, follow=True).content.decode()


@pytest.mark.parametrize("page", ["account_reset_password", "account_email"])
def test_a_mail_to_an_address_not_confirmed_contains_no_name(client: Client, mallory: User, page: str) -> None:
    """Names are free: nobody may send strangers a sentence, or a link, through us."""
    User.objects.filter(pk=mallory.pk).update(username="www.evil.example", display_name="Win at evil.example")
    client.force_login(mallory)
    client.post(reverse(page), {"email": mallory.email, "action_send": ""})
    (message,) = mail.outbox
    assert message.to == [mallory.email]
    assert "evil" not in f"{message.subject} {message.body}"


@pytest.mark.django_db
def test_asking_for_a_link_does_not_tell_who_has_an_account(client: Client) -> None:
    response = client.post(reverse("account_reset_password"), {"email": "nobody@example.org"}, follow=True)
    assert "If somebody has signed up with this address" in response.content.decode()
    assert "nobody has signed up with this address" in mail.outbox[-1].body


@pytest.mark.django_db
def test_a_broken_link_says_so(client: Client) -> None:
    page = client.get("/account/password/reset/key/1-nonsense/", follow=True)
    assert "This link no longer works" in page.content.decode()


def test_asking_for_links_is_limited(client: Client, alice: User) -> None:
    asked = [client.post(reverse("account_reset_password"), {"email": "alice@example.org"}) for _ in range(6)]
    assert [response.status_code for response in asked] == [302] * 5 + [429]


def test_changing_the_password_takes_the_old_one_and_ends_other_sessions(client: Client, alice: User) -> None:
    elsewhere = Client()
    elsewhere.force_login(alice)
    client.force_login(alice)
    url = reverse("account_change_password")
    refused = client.post(url, {"oldpassword": "wrong", "password1": NEW, "password2": NEW})
    assert "Please type your current password" in refused.content.decode()
    client.post(url, {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    alice.refresh_from_db()
    assert alice.check_password(NEW)
    assert client.get(reverse("settings")).status_code == 200
    assert elsewhere.get(reverse("settings")).status_code == 302
    assert "has just been changed" in mail.outbox[-1].body


def confirmed(user: User) -> User:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def change_address(client: Client, email: str) -> None:
    client.post(reverse("account_email"), {"email": email, "action_add": ""})


def test_a_new_address_counts_only_once_it_is_confirmed(client: Client, alice: User) -> None:
    client.force_login(confirmed(alice))
    change_address(client, "New@example.org")
    assert "new@example.org" in client.get(reverse("account_email")).content.decode()
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    client.post(link_in_last_mail())
    alice.refresh_from_db()
    assert alice.email == "new@example.org"


def test_an_address_that_was_never_confirmed_gives_way_at_once(client: Client, alice: User) -> None:
    """Somebody mistyped theirs at sign-up: nobody is ever without an address."""
    client.force_login(alice)
    change_address(client, "new@example.org")
    alice.refresh_from_db()
    assert alice.email == "new@example.org"


def test_somebody_elses_confirmed_address_cannot_be_taken(client: Client, alice: User, bob: User) -> None:
    confirmed(bob)
    client.force_login(confirmed(alice))
    change_address(client, "BOB@example.org")
    client.post(link_in_last_mail())
    alice.refresh_from_db()
    bob.refresh_from_db()
    assert (alice.email, bob.email) == ("alice@example.org", "bob@example.org")


def test_an_address_goes_to_whom_the_mailbox_belongs(client: Client, alice: User, mallory: User) -> None:
    """Mallory signed up with an address of Alice's, and never confirmed it."""
    User.objects.filter(pk=mallory.pk).update(email="alice@home.example")
    client.force_login(confirmed(alice))
    change_address(client, "alice@home.example")
    client.post(link_in_last_mail())
    alice.refresh_from_db()
    mallory.refresh_from_db()
    assert (alice.email, mallory.email) == ("alice@home.example", "")


@pytest.mark.django_db
def test_a_broken_confirmation_link_says_so(client: Client) -> None:
    page = client.get(reverse("account_confirm_email", args=["nonsense"]))
    assert "This link no longer works" in page.content.decode()


def test_a_mail_server_that_is_away_is_said_and_breaks_nothing(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.message.EmailMessage.send", refuse)
    response = client.post(reverse("account_reset_password"), {"email": "alice@example.org"}, follow=True)
    assert response.status_code == 200
    assert "We could not send the mail" in response.content.decode()
