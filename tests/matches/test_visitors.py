"""Who opens a socket: found by the session's key alone, and nobody by one that is not, or no more, theirs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.people.models import User
from accounts.people.sanctioning import Kind, impose_sanction
from accounts.people.sessions import end_sessions
from games.matches.callers import INVITATIONS, visitor_of
from tests.matches.conftest import START, Clock
from tests.matches.wire import session_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Sanctions begin when the house's clock says so."""


def changed(key: str, **fields: Any) -> None:
    """Other contents in the stored session; None takes one out."""
    store = SessionStore(key)
    for name, value in fields.items():
        if value is None:
            del store[name]
        else:
            store[name] = value
    store.save()


def run_out(user: User, key: str) -> None:
    Session.objects.filter(session_key=key).update(expire_date=timezone.now() - timedelta(seconds=5))


def tampered(user: User, key: str) -> None:
    Session.objects.filter(session_key=key).update(session_data="e30:made:up")


def with_new_password(user: User, key: str) -> None:
    user.set_password("another tile on the table")
    user.save()


def switched_off(user: User, key: str) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def barred(kind: str) -> Callable[[User, str], None]:
    def bar(user: User, key: str) -> None:
        impose_sanction(user=user, kind=kind, reason="spam", moment=START, until=START + timedelta(days=1))

    return bar


STRANGERS: dict[str, Callable[[User, str], object]] = {
    "logged out": lambda user, key: SessionStore(key).flush(),
    "run out": run_out,
    "tampered": tampered,
    "new password": with_new_password,
    "all sessions ended": lambda user, key: end_sessions(user=user),
    "suspended": barred(Kind.SUSPENSION),
    "banned": barred(Kind.BAN),
    "switched off": switched_off,
    "deleted": lambda user, key: User.objects.filter(pk=user.pk).delete(),
    "no person in it": lambda user, key: changed(key, **{SESSION_KEY: None}),
    "no proof in it": lambda user, key: changed(key, **{HASH_SESSION_KEY: None}),
    "somebody else's proof": lambda user, key: changed(key, **{HASH_SESSION_KEY: "0" * 64}),
    "by a door that is closed": lambda user, key: changed(key, **{BACKEND_SESSION_KEY: "django.old.Backend"}),
}


def test_person_is_who_is_logged_in_by_the_session(alice: User, bob: User) -> None:
    key = session_of(alice)
    visitor = visitor_of(key)
    assert visitor.user == alice
    assert visitor.user is not None
    assert visitor.user.display_name == alice.display_name
    assert visitor.session_key == key
    assert not visitor.is_invited_to("0123456789ab")


@pytest.mark.parametrize("become", STRANGERS.values(), ids=list(STRANGERS))
def test_nobody_comes_by_a_session_that_is_not_theirs(alice: User, become: Callable[[User, str], object]) -> None:
    key = session_of(alice)
    assert visitor_of(key).user == alice
    become(alice, key)
    assert visitor_of(key).user is None


def test_suspension_that_is_over_keeps_nobody_out(alice: User, time: Clock) -> None:
    key = session_of(alice)
    User.objects.filter(pk=alice.pk).update(barred_until=START + timedelta(days=1))
    assert visitor_of(key).user is None
    time.moment = START + timedelta(days=1, seconds=1)
    assert visitor_of(key).user == alice


def test_key_of_no_session_is_a_guest_s(db: None) -> None:
    visitor = visitor_of("k3y0" * 8)
    assert visitor.user is None
    assert not visitor.is_invited_to("0123456789ab")


def test_guest_s_session_holds_invitations(db: None) -> None:
    store = SessionStore()
    store[INVITATIONS] = ["0123456789ab"]
    store.save()
    visitor = visitor_of(str(store.session_key))
    assert visitor.user is None
    assert visitor.is_invited_to("0123456789ab")
    assert not visitor.is_invited_to("ba9876543210")
