"""Logging in and out: by name or address, in any case, without telling strangers who has an account."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.people.models import User
from tests.conftest import PASSWORD


def log_in(client: Client, login: str, password: str = PASSWORD, **more: str) -> Any:
    return client.post(reverse("account_login"), {"login": login, "password": password, **more})


@pytest.mark.parametrize("login", ["alice", "ALICE", "alice@example.org", "Alice@Example.org"])
def test_a_name_or_an_address_logs_in(client: Client, alice: User, login: str) -> None:
    response = log_in(client, login)
    assert response.url == reverse("lobby")
    assert client.session["_auth_user_id"] == str(alice.pk)


def test_next_is_followed_within_the_site_only(client: Client, alice: User) -> None:
    assert log_in(client, "alice", next=reverse("settings")).url == reverse("settings")
    client.logout()
    assert log_in(client, "alice", next="//evil.example/").url == reverse("lobby")


def test_the_page_that_asked_for_a_login_comes_after_it(client: Client, alice: User) -> None:
    asked = client.get(reverse("settings"))
    page = client.get(asked.headers["Location"])
    assert f'name="next" value="{reverse("settings")}"' in page.content.decode()


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(client: Client, alice: User) -> None:
    wrong = log_in(client, "alice", "wrong").content.decode().replace("alice", "*")
    unknown = log_in(client, "nobody", "wrong").content.decode().replace("nobody", "*")
    assert "do not belong together" in wrong
    assert _without_tokens(wrong) == _without_tokens(unknown)


def test_failed_tries_are_limited_even_for_the_right_password(client: Client, alice: User) -> None:
    for _ in range(5):
        assert "do not belong together" in log_in(client, "alice", "wrong").content.decode()
    response = log_in(client, "alice")
    assert "Too many failed tries" in response.content.decode()
    assert "_auth_user_id" not in client.session


def test_one_persons_failures_do_not_lock_out_another(client: Client, alice: User, bob: User) -> None:
    for _ in range(6):
        log_in(client, "alice", "wrong")
    assert log_in(client, "bob").status_code == 302


def test_a_flood_of_log_ins_from_one_place_gets_the_page_that_says_so(client: Client, alice: User) -> None:
    responses = [log_in(client, f"nobody{number}", "wrong") for number in range(31)]
    assert responses[-1].status_code == 429
    assert "Too many tries" in responses[-1].content.decode()


def test_logging_out_takes_a_post(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = client.get(reverse("account_logout"))
    assert page.status_code == 200
    assert "_auth_user_id" in client.session
    response = client.post(reverse("account_logout"))
    assert response.headers["Location"] == reverse("home")
    assert "_auth_user_id" not in client.session


def test_somebody_switched_off_cannot_log_in(client: Client, alice: User) -> None:
    alice.is_active = False
    alice.save()
    response = log_in(client, "alice")
    assert response.url == reverse("account_inactive")
    assert "switched off" in client.get(response.url).content.decode()
    assert "_auth_user_id" not in client.session


def test_the_admin_uses_the_sites_own_limited_log_in(client: Client, mod: User) -> None:
    response = client.get(reverse("admin:login"))
    assert response.status_code == 302
    assert response.headers["Location"].startswith(reverse("account_login"))


def _without_tokens(page: str) -> str:
    return re.sub(r"[A-Za-z0-9]{64}", "", page)
