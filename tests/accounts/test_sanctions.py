"""What sanctions do: who is suspended or banned is nobody at every door, is told why, and no more than that."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.core.context import request_context
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext, override_settings
from django.urls import reverse
from django.utils import timezone

from accounts.people.models import User
from accounts.people.sanctioning import Kind, impose_sanction, lift_sanction
from accounts.people.sanctions import FOR_GOOD, BannedAddress, Sanction, hash_of_email
from accounts.people.sessions import end_sessions
from tests.accounts.test_logging_in import log_in
from tests.accounts.test_passwords_and_mail import NEW, link_in_last_mail
from tests.accounts.test_signing_up import sign_up
from tests.conftest import PASSWORD
from tests.matches.browsing import without_tokens

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _appeals(settings: Any) -> None:
    settings.APPEAL_ADDRESS = "appeals@tesela.example"


def bar(user: User, *, kind: str = Kind.SUSPENSION, reason: str = "spam in every match", **more: Any) -> Sanction:
    more.setdefault("until", timezone.now() + DAY)
    return impose_sanction(user=user, kind=kind, reason=reason, moment=timezone.now(), **more)


def is_in(client: Client) -> bool:
    """Whether a page knows who asks: the settings are for who is logged in."""
    return client.get(reverse("settings")).status_code == 200


def refused(response: Any, *words: str) -> bool:
    content = response.content.decode()
    return response.status_code == 403 and all(word in content for word in ("spam in every match", *words))


# At the log-in


@pytest.mark.parametrize("kind", [Kind.SUSPENSION, Kind.BAN])
def test_the_right_password_is_told_why_and_how_to_appeal(client: Client, alice: User, kind: str) -> None:
    bar(alice, kind=kind)
    answer = log_in(client, "alice")
    assert refused(answer, "mailto:appeals@tesela.example", "until", "UTC")
    assert not is_in(client)


def test_a_ban_for_good_names_no_end(client: Client, alice: User) -> None:
    bar(alice, kind=Kind.BAN, until=FOR_GOOD)
    answer = log_in(client, "alice")
    assert refused(answer, "closed for good")
    assert "9999" not in answer.content.decode()


def test_a_wrong_password_learns_nothing_of_a_sanction(client: Client, alice: User, bob: User) -> None:
    bar(alice)
    of_barred = without_tokens(log_in(client, "alice", "wrong")).replace("alice", "*")
    of_other = without_tokens(log_in(client, "bob", "wrong")).replace("bob", "*")
    assert "spam" not in of_barred
    assert of_barred == of_other


def test_the_one_that_ends_last_is_told(client: Client, alice: User) -> None:
    bar(alice, reason="the short one", until=timezone.now() + DAY)
    bar(alice, until=timezone.now() + 9 * DAY)
    assert refused(log_in(client, "alice"))


def test_a_reason_is_text(client: Client, alice: User) -> None:
    bar(alice, reason="<script>alert(1)</script> spam in every match")
    assert refused(log_in(client, "alice"), "&lt;script&gt;")


def test_a_new_password_by_mail_logs_nobody_in_who_is_barred(client: Client, alice: User) -> None:
    client.post(reverse("account_reset_password"), {"email": alice.email})
    link = link_in_last_mail()
    bar(alice)
    form = client.get(link, follow=True)
    answer = client.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
    assert refused(answer)
    assert not is_in(client)


@override_settings(ACCOUNT_EMAIL_VERIFICATION="mandatory", ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION=True)
def test_confirming_the_address_logs_nobody_in_who_is_barred(client: Client) -> None:
    sign_up(client)
    link = next(word for word in mail.outbox[-1].body.split() if word.startswith("http://testserver/"))
    bar(User.objects.get(username="alice"))
    answer = client.post(link)
    assert refused(answer)
    assert not is_in(client)


def test_somebody_barred_between_two_steps_of_the_log_in_is_not_let_in(alice: User) -> None:
    """As after the password, before the second factor: allauth goes on from there, past the first look."""
    bar(alice)
    request = RequestFactory().get("/")
    request.session = Client().session
    request.user = AnonymousUser()
    with request_context(request), pytest.raises(ImmediateHttpResponse) as raised:
        get_adapter(request).login(request, User.objects.get(pk=alice.pk))
    assert refused(raised.value.response)
    assert "_auth_user_id" not in request.session


def test_the_administration_has_no_door_of_its_own(client: Client, mod: User) -> None:
    bar(mod)
    client.post(reverse("admin:login"), {"username": "mod", "password": PASSWORD}, follow=True)
    log_in(client, "mod")
    assert client.get(reverse("admin:index")).status_code == 302


# Who was logged in already


def test_open_sessions_are_a_guest_s_at_once_and_for_good(alice: User) -> None:
    first, second = Client(), Client()
    for client in (first, second):
        client.force_login(alice)
        assert is_in(client)
    sanction = bar(alice)
    assert not any(map(is_in, (first, second)))
    lift_sanction(sanction=sanction, moment=timezone.now())
    assert not any(map(is_in, (first, second))), "access is given back, sessions are not"
    log_in(first, "alice")
    assert is_in(first)


def test_it_ends_by_itself(client: Client, alice: User) -> None:
    bar(alice, until=timezone.now() - timedelta(seconds=1))
    assert log_in(client, "alice").status_code == 302
    assert is_in(client)


def test_a_barred_person_is_nobody_even_with_a_session_that_counts(client: Client, alice: User) -> None:
    """One that was made in the very moment of the sanction."""
    bar(alice)
    client.force_login(User.objects.get(pk=alice.pk))
    assert not is_in(client)


def test_looking_costs_no_query(client: Client, alice: User) -> None:
    client.force_login(alice)
    with CaptureQueriesContext(connection) as before:
        client.get(reverse("all-rules"))
    bar(alice, kind=Kind.MUTE)
    with CaptureQueriesContext(connection) as muted:
        client.get(reverse("all-rules"))
    assert len(before) == len(muted)


def test_a_mute_logs_nobody_out(client: Client, alice: User) -> None:
    client.force_login(alice)
    bar(alice, kind=Kind.MUTE)
    assert is_in(client)


def test_lifting_one_leaves_the_other_in_force(client: Client, alice: User) -> None:
    ban, _suspension = bar(alice, kind=Kind.BAN, until=FOR_GOOD), bar(alice)
    lift_sanction(sanction=ban, moment=timezone.now())
    assert refused(log_in(client, "alice"), "suspended")


def test_what_a_page_saves_does_not_undo_a_sanction_of_the_same_moment(alice: User, mod: User) -> None:
    """The page has read the person before, and writes them after."""
    read_before = User.objects.get(pk=alice.pk)
    bar(alice)
    get_adapter().set_password(read_before, NEW)
    assert User.objects.get(pk=alice.pk).is_barred(timezone.now())


# Ending sessions


def test_all_sessions_end_in_one_stroke(alice: User, bob: User) -> None:
    clients = [Client() for _ in range(3)]
    for client, user in zip(clients, (alice, alice, bob), strict=True):
        client.force_login(user)
    with CaptureQueriesContext(connection) as queries:
        end_sessions(user=alice)
    assert "django_session" not in str(queries.captured_queries), "there may be very many of them"
    assert [is_in(client) for client in clients] == [False, False, True]


# Addresses of who is banned


@pytest.mark.parametrize("email", ["alice@example.org", "Alice@Example.ORG", "alice+again@example.org"])
def test_nobody_signs_up_with_a_banned_address(client: Client, alice: User, email: str) -> None:
    bar(alice, kind=Kind.BAN)
    User.objects.filter(pk=alice.pk).update(email="")
    EmailAddress.objects.filter(user=alice).delete()
    answer = sign_up(client, username="alice2", display_name="Alice 2", email=email)
    assert "Somebody has signed up with this e-mail address already" in answer.content.decode()
    assert not User.objects.filter(username="alice2").exists()


def test_the_address_itself_is_not_kept(alice: User) -> None:
    bar(alice, kind=Kind.BAN)
    (kept,) = BannedAddress.objects.values_list("hash", flat=True)
    assert kept == hash_of_email("alice@example.org")
    assert "alice" not in kept
    with override_settings(SECRET_KEY="another"):
        assert hash_of_email("alice@example.org") != kept, "nobody finds out by trying addresses"


@override_settings(ACCOUNT_EMAIL_VERIFICATION="mandatory")
def test_in_production_a_banned_address_looks_like_a_free_or_a_taken_one(alice: User) -> None:
    """Strangers learn nothing of anybody; the one who reads the mailbox is told."""
    bar(alice, kind=Kind.BAN)
    User.objects.filter(pk=alice.pk).update(email="")
    answers = [
        sign_up(Client(), username=f"new{number}", display_name=f"New {number}", email=email)
        for number, email in enumerate(("free@example.org", "alice@example.org"))
    ]
    assert {(answer.status_code, answer.url) for answer in answers} == {
        (302, reverse("account_email_verification_sent"))
    }
    assert not User.objects.filter(username="new1").exists()
    assert "closed by a moderator" in mail.outbox[-1].body
    assert "appeals@tesela.example" in mail.outbox[-1].body


def test_an_address_is_free_again_when_the_ban_ends_or_is_lifted(client: Client, alice: User) -> None:
    ban = bar(alice, kind=Kind.BAN)
    User.objects.filter(pk=alice.pk).update(email="")
    lift_sanction(sanction=ban, moment=timezone.now())
    assert sign_up(client, username="alice2", display_name="Alice 2").status_code == 302
    bar(alice, kind=Kind.BAN, until=timezone.now() - DAY)
    User.objects.filter(username="alice2").delete()
    assert sign_up(Client(), username="alice3", display_name="Alice 3").status_code == 302


def test_nobody_confirms_a_banned_address(client: Client, alice: User, bob: User) -> None:
    address = EmailAddress.objects.create(user=bob, email="alice@example.org", verified=False, primary=False)
    bar(alice, kind=Kind.BAN)
    request = RequestFactory().get("/")
    request.session = client.session
    request._messages = _NoMessages()  # type: ignore[attr-defined]
    with request_context(request):
        assert not get_adapter(request).confirm_email(request, address)
    assert User.objects.get(pk=alice.pk).email == "alice@example.org", "nor takes it from anybody"


class _NoMessages:
    def add(self, *args: Any) -> None:
        """Nobody looks."""


def test_for_good_is_stored_as_such(alice: User) -> None:
    assert datetime(9999, 1, 1, tzinfo=UTC) < FOR_GOOD == bar(alice, kind=Kind.BAN, until=FOR_GOOD).until
