"""Where one is logged in, how that ends, and that the sockets hear of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.people import announcer
from accounts.people.browsers import browser_in_words
from accounts.people.models import User
from tests.conftest import PASSWORD

FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
EDGE = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile/1 Safari/604.1"

LIST = "usersessions_list"


def logged_in(user: User, agent: str = EDGE) -> Client:
    client = Client(HTTP_USER_AGENT=agent)
    assert client.post(reverse("account_login"), {"login": user.username, "password": PASSWORD}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("settings")).status_code == 200


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Whose sockets were told to look, in order."""
    heard: list[int] = []
    monkeypatch.setattr(announcer, "announce_person", heard.append)
    return heard


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (FIREFOX, "Firefox on Android"),
        (EDGE, "Edge on Windows"),
        (SAFARI, "Safari on iPhone"),
        ("curl/8.0", "an unknown browser"),
        ("", "an unknown browser"),
    ],
)
def test_browsers_are_told_in_words(agent: str, words: str) -> None:
    assert browser_in_words(agent) == words


def test_the_list_tells_ones_own_log_ins_and_nobody_elses(alice: User, bob: User) -> None:
    here, _there = logged_in(alice), logged_in(alice, FIREFOX)
    logged_in(bob, SAFARI)
    page = here.get(reverse(LIST)).content.decode()
    assert page.index("Edge on Windows") < page.index("Firefox on Android")
    assert "127.0.0.1" in page
    assert "iPhone" not in page
    assert "Unspecified" not in page


@pytest.mark.django_db(transaction=True)
def test_logging_out_elsewhere_ends_all_others_and_tells_the_sockets(alice: User, bob: User, told: list[int]) -> None:
    here, there, bobs = logged_in(alice), logged_in(alice, FIREFOX), logged_in(bob)
    here.post(reverse(LIST), {"end": "others"})
    assert (is_in(here), is_in(there), is_in(bobs)) == (True, False, True)
    assert told == [alice.pk]


def test_logging_out_elsewhere_ends_sessions_that_no_list_has_too(alice: User) -> None:
    here, there = logged_in(alice), Client()
    there.force_login(alice)
    assert UserSession.objects.count() == 1, "the other has no row"
    here.post(reverse(LIST), {"end": "others"})
    assert (is_in(here), is_in(there)) == (True, False)
    row = UserSession.objects.get()
    assert (row.session_key, row.user_agent) == (here.session.session_key, EDGE), "the list knows this one still"


@pytest.mark.django_db(transaction=True)
def test_one_log_in_can_be_ended_but_nobody_elses(alice: User, bob: User, told: list[int]) -> None:
    here, there, third, bobs = logged_in(alice), logged_in(alice, FIREFOX), logged_in(alice, SAFARI), logged_in(bob)
    of_bob = UserSession.objects.get(user=bob)
    answer = here.post(reverse(LIST), {"end": str(of_bob.pk)}, follow=True)
    assert "has ended already" in answer.content.decode()
    assert is_in(bobs)
    assert told == []
    phone = UserSession.objects.get(user=alice, user_agent=FIREFOX)
    here.post(reverse(LIST), {"end": str(phone.pk)})
    assert (is_in(here), is_in(there), is_in(third)) == (True, False, True)
    assert told == [alice.pk]


def test_odd_forms_end_nothing(alice: User) -> None:
    here, there = logged_in(alice), logged_in(alice, FIREFOX)
    for end in ("", "x", "-1", "9" * 40, "٣", "1\0"):
        assert here.post(reverse(LIST), {"end": end}).status_code in (302, 404), end
    own = UserSession.objects.get(user=alice, user_agent=EDGE)
    here.post(reverse(LIST), {"end": str(own.pk)})
    assert is_in(here)
    assert is_in(there)
    assert Client().get(reverse(LIST)).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_a_new_password_ends_all_other_log_ins_and_tells_the_sockets(alice: User, told: list[int]) -> None:
    here, there = logged_in(alice), logged_in(alice, FIREFOX)
    new = "another tile entirely"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert here.post(reverse("account_change_password"), form).status_code == 302
    assert told == [alice.pk]
    assert (is_in(here), is_in(there)) == (True, False)
    page = here.get(reverse(LIST)).content.decode()
    assert "Edge on Windows" in page
    assert "Firefox" not in page


@pytest.mark.django_db(transaction=True)
def test_a_log_out_tells_the_sockets_and_is_forgotten(alice: User, told: list[int]) -> None:
    here = logged_in(alice)
    here.post(reverse("account_logout"))
    assert told == [alice.pk]
    assert not UserSession.objects.exists()
    assert not Session.objects.filter(session_key=here.session.session_key).exists()


def test_last_seen_follows_the_pages_now_and_then(
    alice: User, django_assert_max_num_queries: Callable[..., object]
) -> None:
    here = logged_in(alice)
    long_ago = timezone.now() - timedelta(hours=3)
    UserSession.objects.update(last_seen_at=long_ago)
    here.get(reverse("your-turn"), {"here": "1"})
    seen = UserSession.objects.get().last_seen_at
    assert seen > long_ago
    here.get(reverse("your-turn"), {"here": "1"})
    assert UserSession.objects.get().last_seen_at == seen


def test_a_session_that_is_not_listed_is_once_it_is_seen(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert not UserSession.objects.exists()
    page = client.get(reverse(LIST)).content.decode()
    assert "here" in page
    assert UserSession.objects.get().user == alice
