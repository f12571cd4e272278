"""Logging in and out: by name or address, in any case, without telling strangers who has an account."""

from __future__ import annotations

import re
import time
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


@pytest.mark.parametrize(
    "nowhere", ["http://[", "//[x", "http://[::1::2]/", "https://]", "///[", "\\\\[", "javascript:alert(1)"]
)
def test_a_next_that_is_no_address_is_ignored(client: Client, alice: User, mod: User, nowhere: str) -> None:
    for page in ("account_login", "account_signup", "account_reset_password", "account_logout", "admin:login"):
        for way in (client.get, client.post):
            assert way(reverse(page), query_params={"next": nowhere}).status_code in (200, 302), page
        assert client.post(reverse(page), {"next": nowhere}).status_code in (200, 302), page
    assert log_in(client, "alice", next=nowhere).url == reverse("lobby")
    for page in ("account_login", "account_signup", "account_reauthenticate", "account_logout"):
        assert client.get(reverse(page), {"next": nowhere}).status_code in (200, 302), page
    assert client.post(reverse("account_logout"), {"next": nowhere}).headers["Location"] == reverse("home")
    log_in(client, "mod")
    assert client.get(reverse("admin:login"), {"next": nowhere}).headers["Location"] == reverse("admin:index")
    assert client.post(reverse("admin:login"), {"next": nowhere}).status_code in (200, 302)


def test_the_page_that_asked_for_a_login_comes_after_it(client: Client, alice: User) -> None:
    asked = client.get(reverse("settings"))
    page = client.get(asked.headers["Location"])
    assert f'name="next" value="{reverse("settings")}"' in page.content.decode()


def test_who_was_thrown_out_of_a_page_reads_so_and_no_more(client: Client) -> None:
    said = "You were logged out here. Log in to read why."
    assert said in client.get(reverse("account_login"), {"ended": "1", "next": "/lobby/"}).content.decode()
    assert said not in client.get(reverse("account_login"), {"ended": "0"}).content.decode()


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(client: Client, alice: User) -> None:
    wrong = log_in(client, "alice", "wrong").content.decode().replace("alice", "*")
    unknown = log_in(client, "nobody", "wrong").content.decode().replace("nobody", "*")
    assert "do not belong together" in wrong
    assert _without_tokens(wrong) == _without_tokens(unknown)


def log_in_from(address: str, login: str, password: str = PASSWORD) -> Any:
    return log_in(Client(REMOTE_ADDR=address), login, password)


def test_failed_tries_from_one_place_are_limited_even_for_the_right_password(client: Client, alice: User) -> None:
    for _ in range(10):
        assert "do not belong together" in log_in(client, "alice", "wrong").content.decode()
    response = log_in(client, "alice")
    assert "Too many failed tries" in response.content.decode()
    assert "_auth_user_id" not in client.session


def test_nobody_is_locked_out_by_another_who_knows_their_name(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mallory tries sixty times, and her own place's limits stop her before Alice's name is worn out."""
    started = time.time()
    for minute in range(6):
        monkeypatch.setattr("time.time", lambda minute=minute: started + 60 * minute)
        for _ in range(10):
            log_in_from("192.0.2.66", "alice", "wrong")
    assert "Too many failed tries" in log_in_from("192.0.2.66", "alice").content.decode()
    assert log_in_from("192.0.2.1", "alice").status_code == 302


def test_guessing_one_persons_password_from_many_places_is_limited_too(alice: User) -> None:
    for number in range(50):
        assert "do not belong together" in log_in_from(f"192.0.2.{number}", "alice", "wrong").content.decode()
    assert "Too many failed tries" in log_in_from("192.0.2.99", "alice").content.decode()


def test_one_persons_failures_do_not_lock_out_another(alice: User, bob: User) -> None:
    for number in range(51):
        log_in_from(f"192.0.2.{number}", "alice", "wrong")
    assert log_in_from("192.0.2.99", "bob").status_code == 302


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
