"""One limiter for pages and sockets: by person, by address, over all processes, with a word on when to try again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.test import Client, RequestFactory, override_settings
from django.urls import reverse

from accounts.people.addresses import address_in, address_of, keyed_hash
from accounts.people.limits import wait_for, within_limit
from accounts.people.models import User
from config.cache import Limits
from tests.accounts.test_signing_up import sign_up
from tests.matches.browsing import browser, notice_in, text_of
from tests.matches.crowds import at_once

pytestmark = pytest.mark.django_db


def limited(**limits: str) -> override_settings:
    return override_settings(ACCOUNT_RATE_LIMITS=limits)


@limited(act="2/m/user,3/m/ip")
def test_each_person_and_each_address_has_a_count_of_its_own(alice: User, bob: User) -> None:
    def act(user: User, address: str) -> bool:
        return within_limit(action="act", user=user, address=address)

    assert [act(alice, "1.2.3.4") for _ in range(3)] == [True, True, False]
    assert act(bob, "1.2.3.4"), "the third from there"
    assert not act(bob, "1.2.3.4"), "one address, whoever it is"
    assert not act(alice, "5.6.7.8"), "one person, wherever they are"


@pytest.mark.parametrize(
    ("said", "counted"),
    [
        ("::ffff:1.2.3.4", "1.2.3.4"),
        ("::FFFF:0102:0304", "1.2.3.4"),
        ("1.2.3.4", "1.2.3.4"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::"),
    ],
)
def test_an_ipv4_address_in_clothes_of_ipv6_is_one_by_itself(said: str, counted: str) -> None:
    assert address_of(RequestFactory().get("/", REMOTE_ADDR=said)) == counted
    assert address_in({"client": (said, 1), "headers": []}) == counted
    with override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=1):
        assert address_of(RequestFactory().get("/", HTTP_X_FORWARDED_FOR=said, REMOTE_ADDR="::1")) == counted


@limited(login="1/m/ip")
def test_allauth_counts_them_apart_too() -> None:
    def consume(address: str) -> bool:
        request = RequestFactory().get("/", REMOTE_ADDR=address)
        return ratelimit.consume(request, app="allauth.account", action="login", limit_get=True) is not None

    assert [consume("::ffff:1.2.3.4"), consume("::ffff:5.6.7.8"), consume("1.2.3.4")] == [True, True, False]


@limited(act="2/m/user,1/m/ip")
def test_what_is_not_known_is_not_counted(alice: User) -> None:
    for address in (None, ""):
        cache.clear()
        assert [within_limit(action="act", user=alice, address=address) for _ in range(3)] == [True, True, False]
    assert all(within_limit(action="act") for _ in range(5))
    assert all(within_limit(action="another", user=alice) for _ in range(5))


@limited(act="1/h/user")
def test_who_must_wait_is_told_for_how_long(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000_000.0
    monkeypatch.setattr("time.time", lambda: now)
    assert wait_for(action="act", user=alice) is None
    now += 600
    assert wait_for(action="act", user=alice) == timedelta(minutes=50)
    now += 3000
    assert wait_for(action="act", user=alice) is None, "and it is enough"


@limited(act="5/m/user")
def test_of_many_at_once_no_more_than_the_limit_get_through(alice: User) -> None:
    answers = at_once([lambda: within_limit(action="act", user=alice)] * 12)
    assert sum(answers) == 5


def test_it_is_stricter_while_each_process_counts_for_itself(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with override_settings(ACCOUNT_RATE_LIMITS=Limits({"act": "6/m/user"})):
        monkeypatch.setattr(type(cache._connections["default"]), "is_alone", True, raising=False)  # type: ignore[attr-defined]
        assert sum(within_limit(action="act", user=alice) for _ in range(6)) == 2


def test_every_action_of_the_house_has_a_limit(settings: Any) -> None:
    for action in ("chat", "chat_new", "table", "invite", "invite_new", "new_account", "report", "export"):
        assert ratelimit.parse_rates(settings.ACCOUNT_RATE_LIMITS[action]), action


# Addresses


def scope(client: str | None, forwarded: str = "") -> dict[str, Any]:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    return {"client": (client, 4711) if client is not None else None, "headers": headers}


@pytest.mark.parametrize(
    ("proxies", "client", "forwarded", "address"),
    [
        (0, "192.0.2.7", "", "192.0.2.7"),
        (0, "192.0.2.7", "6.6.6.6", "192.0.2.7"),
        (1, "127.0.0.1", "6.6.6.6, 192.0.2.7", "192.0.2.7"),
        (2, "127.0.0.1", "6.6.6.6, 192.0.2.7, 10.0.0.1", "192.0.2.7"),
        (2, "127.0.0.1", "192.0.2.7", ""),
        (0, "2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::"),
        (0, None, "", ""),
    ],
)
def test_sockets_and_pages_know_the_client_past_our_proxies_alone(
    proxies: int, client: str | None, forwarded: str, address: str
) -> None:
    """What a client says of itself in the same header counts for nothing."""
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    request = RequestFactory().get("/", REMOTE_ADDR=client or "", headers=headers)
    with override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=proxies):
        assert (address_in(scope(client, forwarded)), address_of(request)) == (address, address)


def test_hashes_differ_by_purpose_and_key() -> None:
    assert len({keyed_hash("a", "x"), keyed_hash("b", "x"), keyed_hash("a", "y")}) == 3
    first = keyed_hash("a", "x")
    with override_settings(SECRET_KEY="another"):
        assert keyed_hash("a", "x") != first


# Doors


@limited(new_account="2/d/ip")
def test_very_many_accounts_from_one_address_are_refused_with_a_word(client: Client) -> None:
    for number in range(2):
        answer = sign_up(Client(), username=f"p{number}", display_name=f"P {number}", email=f"p{number}@example.org")
        assert answer.status_code == 302
    answer = sign_up(client, username="p3", display_name="P 3", email="p3@example.org")
    assert answer.status_code == 429
    assert "Please try again in 24 hours" in text_of(answer)
    assert User.objects.count() == 2
    elsewhere = Client(REMOTE_ADDR="192.0.2.9")
    assert sign_up(elsewhere, username="p3", display_name="P 3", email="p3@example.org").status_code == 302


@limited(table="2/h/user")
@pytest.mark.parametrize("page", ["play-now", "solo", "new-table"])
def test_matches_begun_too_often_are_refused_with_a_word(alice: User, page: str) -> None:
    for _ in range(2):
        assert within_limit(action="table", user=alice)
    game = "blockyou" if page == "solo" else "m"
    form = {"seats": "2", "option_start": "zigzag", "pace": "live", "seating": "lot", "visibility": "public"}
    answer = browser(alice).post(reverse(page, args=[game]), form if page == "new-table" else {"option_mode": "zen"})
    assert answer.status_code == 429, text_of(answer)
    assert "Please try again in" in text_of(answer)
    assert page == "new-table" or notice_in(answer) == "too-often"
