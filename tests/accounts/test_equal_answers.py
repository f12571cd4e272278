"""Who has an account here is nobody's business: known and unknown addresses get the same answers for the same work."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import hashers
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.people import outbox as outbox_module
from accounts.people.models import User
from accounts.people.outbox import Outbox
from tests.accounts.test_signing_up import sign_up


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each password that was hashed: all else at a log-in takes no time beside it."""
    seen: list[str] = []
    hasher = type(hashers.get_hasher())
    encode = hasher.encode

    def noting(self: Any, password: str, *rest: Any, **more: Any) -> str:
        seen.append(password)
        return str(encode(self, password, *rest, **more))

    monkeypatch.setattr(hasher, "encode", noting)
    return seen


@pytest.mark.parametrize(("known", "unknown"), [("alice", "nobody"), ("alice@example.org", "nobody@example.org")])
def test_a_failed_log_in_does_not_tell_whether_somebody_is_here(
    alice: User, hashed: list[str], known: str, unknown: str
) -> None:
    answers = []
    for login in (known, unknown):
        hashed.clear()
        page = Client().post(reverse("account_login"), {"login": login, "password": "not the one"})
        said = page.context["form"].errors.as_json()
        answers.append((page.status_code, len(hashed), said))
    assert answers[0][:2] == (200, 1)
    assert answers[0] == answers[1]


def test_sign_up_does_the_same_work_for_an_address_that_has_an_account(
    alice: User, settings: Any, hashed: list[str]
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    counts, places = [], []
    for form in (
        {"username": "carol", "email": "carol@example.org", "display_name": "Carol"},
        {"username": "dave", "email": alice.email, "display_name": "Dave"},
    ):
        hashed.clear()
        answer = sign_up(Client(), **form)
        counts.append(len(hashed))
        places.append((answer.status_code, answer.headers["Location"]))
    assert counts[0] == counts[1] == 1
    assert places[0] == places[1]
    assert len(mail.outbox) == 2


def test_password_reset_answers_alike_and_writes_to_both(alice: User) -> None:
    places = []
    for email in (alice.email, "nobody@example.org"):
        answer = Client().post(reverse("account_reset_password"), {"email": email})
        places.append((answer.status_code, answer.headers["Location"]))
    assert places[0] == places[1]
    assert [message.to for message in mail.outbox] == [[alice.email], ["nobody@example.org"]]


@pytest.mark.django_db(transaction=True)
def test_in_production_no_page_waits_for_the_mail_server(
    alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the server takes long for, or refuses, the page does not know of."""
    settings.MAILS_BESIDE_PAGES = True
    own = Outbox(pause=lambda seconds: None)
    monkeypatch.setattr(outbox_module, "outbox", own)
    refused: list[str] = []

    def refuse_first(self: Any, *rest: Any, **more: Any) -> int:
        if len(refused) < 2:
            refused.append(self.to[0])
            raise OSError("busy")
        mail.outbox.append(self)
        return 1

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse_first)
    page = Client().post(reverse("account_reset_password"), {"email": alice.email}, follow=True)
    assert "We could not send the mail" not in page.content.decode()
    own.wait_until_empty()
    assert refused == [alice.email] * 2
    assert [message.to for message in mail.outbox] == [[alice.email]]


def test_a_mail_that_is_refused_for_good_stops_none_after_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    own = Outbox(pause=lambda seconds: None)
    sent: list[str] = []

    def send(self: Any, *rest: Any, **more: Any) -> int:
        if self.to == ["gone@example.org"]:
            raise OSError("no such mailbox")
        sent.extend(self.to)
        return 1

    monkeypatch.setattr("django.core.mail.EmailMessage.send", send)
    for to in ("gone@example.org", "alice@example.org"):
        own.put(mail.EmailMessage("x", "x", to=[to]))
    own.wait_until_empty()
    assert sent == ["alice@example.org"]
    assert "does not take our mail" in caplog.text
