"""From where people come: keyed hashes alone, found again by moderators for 30 days, then gone."""

from __future__ import annotations

from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from accounts.people.models import Trace, User
from accounts.people.traces import KEPT_FOR
from accounts.people.tracing import DEVICE_COOKIE, forget_traces, note_activity, note_trace, others_from_same_place
from games.matches.sweeper import Sweeper
from tests.accounts.test_logging_in import log_in
from tests.accounts.test_signing_up import sign_up

pytestmark = pytest.mark.django_db

DEVICE = "d" * 32


def places(user: User, moment: Any = None) -> list[tuple[str, bool, bool]]:
    found = others_from_same_place(user=user, moment=moment or timezone.now())
    return [(place.user.username, place.by_address, place.by_device) for place in found]


def test_a_log_in_leaves_a_trace_that_says_nothing_by_itself(client: Client, alice: User) -> None:
    log_in(client, "alice")
    (trace,) = Trace.objects.all()
    cookie = client.cookies[DEVICE_COOKIE]
    assert (len(trace.address), len(trace.device)) == (64, 64)
    assert "127.0.0.1" not in trace.address
    assert cookie.value not in trace.device
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 365 * 24 * 60 * 60)
    log_in(client, "alice")
    assert Trace.objects.count() == 1
    with override_settings(SECRET_KEY="another"):
        log_in(client, "alice")
    assert Trace.objects.count() == 2, "without the site's key nobody can try addresses"


@override_settings(SESSION_COOKIE_SECURE=True)
def test_over_https_the_cookie_stays_on_it(alice: User) -> None:
    client = Client()
    client.post(reverse("account_login"), {"login": "alice", "password": "a tile on the table"}, secure=True)
    assert client.cookies[DEVICE_COOKIE]["secure"]


def test_only_a_log_in_brings_the_cookie(client: Client, alice: User) -> None:
    for page in ("home", "lobby", "account_login"):
        client.get(reverse(page))
    log_in(client, "alice", "wrong")
    assert DEVICE_COOKIE not in client.cookies


def test_two_accounts_of_one_browser_are_found_by_both(client: Client, alice: User, bob: User) -> None:
    for name in ("alice", "bob"):
        log_in(client, name)
        client.post(reverse("account_logout"))
    assert places(alice) == [("bob", True, True)]
    assert places(bob) == [("alice", True, True)]


def test_one_device_at_two_addresses_and_two_devices_at_one(alice: User, bob: User, carol: User, mallory: User) -> None:
    moment = timezone.now()
    for user, address, device in (
        (alice, "192.0.2.1", "a" * 32),
        (bob, "192.0.2.2", "a" * 32),
        (carol, "192.0.2.1", "c" * 32),
        (mallory, "192.0.2.3", ""),
    ):
        note_trace(user=user, address=address, device=device, moment=moment)
    assert sorted(places(alice)) == [("bob", False, True), ("carol", True, False)]
    assert places(mallory) == []


def test_nothing_is_no_place_that_two_share(alice: User, bob: User) -> None:
    for user in (alice, bob):
        note_trace(user=user, address="", device="", moment=timezone.now())
    assert places(alice) == []


def test_who_signs_up_leaves_one_too_where_the_address_is_to_be_confirmed_first() -> None:
    with override_settings(ACCOUNT_EMAIL_VERIFICATION="mandatory"):
        sign_up(Client())
    assert Trace.objects.get().user.username == "alice"


def test_who_stays_logged_in_is_noted_once_a_day(client: Client, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    log_in(client, "alice")
    Trace.objects.all().delete()
    moment = timezone.now()
    monkeypatch.setattr("games.matches.clock.now", lambda: moment)
    client.get(reverse("your-turn"), {"here": "1"})
    assert not Trace.objects.exists(), "it was noted at the log-in"
    moment += timedelta(days=1)
    for _ in range(3):
        client.get(reverse("your-turn"), {"here": "1"})
    assert Trace.objects.get().seen_at == moment


@pytest.mark.parametrize("cookie", ["", "short", "x" * 33, "é" * 32, "' OR 1=1 --", "a" * 31 + "\0"])
def test_a_cookie_that_is_not_ours_counts_as_none(rf: Any, alice: User, cookie: str) -> None:
    request = rf.get("/")
    request.COOKIES[DEVICE_COOKIE] = cookie
    request.session = {}
    note_activity(request=request, user=alice, moment=timezone.now())
    assert Trace.objects.get().device == ""


def test_a_device_keeps_its_cookie(client: Client, alice: User, bob: User) -> None:
    client.cookies = SimpleCookie({DEVICE_COOKIE: DEVICE})
    log_in(client, "alice")
    assert client.cookies[DEVICE_COOKIE].value == DEVICE


def test_after_thirty_days_it_is_not_found_and_then_gone(alice: User, bob: User) -> None:
    moment = timezone.now()
    for user in (alice, bob):
        note_trace(user=user, address="192.0.2.1", device=DEVICE, moment=moment)
    assert places(alice, moment + KEPT_FOR - timedelta(seconds=1)) == [("bob", True, True)]
    assert places(alice, moment + KEPT_FOR) == []
    forget_traces(moment=moment + KEPT_FOR - timedelta(seconds=1))
    assert Trace.objects.count() == 2
    forget_traces(moment=moment + KEPT_FOR)
    assert not Trace.objects.exists()


def test_the_sweeper_forgets_what_is_over(client: Client, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    note_trace(user=alice, address="192.0.2.1", device=DEVICE, moment=timezone.now())
    client.force_login(alice)
    Sweeper().work()
    assert Trace.objects.exists()
    assert client.get(reverse("settings")).status_code == 200
    monkeypatch.setattr("games.matches.clock.now", lambda: timezone.now() + KEPT_FOR)
    Sweeper().work()
    assert not Trace.objects.exists()
