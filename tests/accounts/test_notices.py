"""What the house tells somebody: on every page until it is read, and by a mail that is sent once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.people import telling
from accounts.people.models import Notice, User
from accounts.people.notice_mails import send_notice
from accounts.people.notice_texts import CODES, told
from accounts.people.telling import MOST_TRIES, TRY_AGAIN_AFTER, notify_person, read_notices, send_notices
from tests.matches.crowds import at_once

MOMENT = timezone.now()
UNTIL = "2031-05-06T07:08:00+00:00"

PARAMS: dict[str, dict[str, Any]] = {
    "muted": {"reason": "rude words", "until": UNTIL, "automatic": False},
    "suspended": {"reason": "rude words", "until": UNTIL, "automatic": False},
    "banned": {"reason": "rude words", "until": None, "automatic": False},
    "lifted": {"kind": "mute", "reason": "A mistake."},
    "warned": {"reason": "rude words"},
    "renamed": {"reason": "rude words", "now": "Somebody"},
    "line-hidden": {"match": "abc123", "reason": "rude words"},
    "line-restored": {"match": "abc123", "reason": "rude words"},
    "match-voided": {"match": "abc123", "reason": "rude words"},
    "match-restored": {"match": "abc123", "reason": "rude words"},
    "match-ended": {"match": "abc123", "reason": "rude words"},
    "table-removed": {"match": "abc123", "reason": "rude words"},
    "table-restored": {"match": "abc123", "reason": "rude words"},
    "report-done": {"report": 3, "upheld": True},
    "report-reopened": {"report": 3},
    "rated-pause": {"until": UNTIL, "count": 3},
}


@pytest.fixture(autouse=True)
def _appeals(settings: Any) -> None:
    settings.APPEAL_ADDRESS = "appeals@tesela.example"


@pytest.fixture
def tell(django_capture_on_commit_callbacks: Any) -> Callable[..., Notice]:
    def notify(user: User, code: str = "muted", **params: Any) -> Notice:
        with django_capture_on_commit_callbacks(execute=True):
            notice = notify_person(user=user, code=code, params=PARAMS[code] | params, moment=MOMENT)
        user.refresh_from_db()
        return notice

    return notify


# In words


def test_every_code_of_the_house_has_its_words() -> None:
    assert set(PARAMS) == CODES
    for code, params in PARAMS.items():
        said = told(code=code, params=params)
        assert said.title
        assert said.text.endswith(".")
        assert said.reason == params.get("reason", "")
        assert said.link == ("/matches/abc123/" if "match" in params else "")
        assert ("2031-05-06 07:08 UTC" in said.text) == ("until" in params and params["until"] is not None), code


@pytest.mark.parametrize("code", [*sorted(CODES), "from-a-later-version"])
@pytest.mark.parametrize("params", [{}, {"until": "soon", "match": None, "kind": 3, "count": "x", "now": None}])
def test_damaged_parameters_break_no_page(code: str, params: dict[str, Any]) -> None:
    assert told(code=code, params=params).text


def test_what_the_house_did_by_itself_says_so() -> None:
    assert "Several players have reported you" in told(code="muted", params=PARAMS["muted"] | {"automatic": True}).text


# On the pages


def test_an_unread_notice_stands_on_every_page_until_it_is_read(
    client: Client, alice: User, tell: Callable[..., Notice]
) -> None:
    notice = tell(alice)
    client.force_login(alice)
    for page in ("home", "lobby", "settings"):
        content = client.get(reverse(page)).content.decode()
        assert "You are muted" in content, page
        assert "rude words" in content
        assert "appeals@tesela.example" in content
    answer = client.post(reverse("notices"), {"notice": str(notice.pk), "back": "/rules/"})
    assert answer.headers["Location"] == "/rules/"
    assert "You are muted" not in client.get(reverse("lobby")).content.decode()
    assert "You are muted" in client.get(reverse("notices")).content.decode(), "it can be read again"


def test_a_look_reads_nothing(client: Client, alice: User, tell: Callable[..., Notice]) -> None:
    tell(alice)
    client.force_login(alice)
    client.get(reverse("notices"))
    assert Notice.objects.get().read_at is None


def test_all_are_read_at_once(client: Client, alice: User, tell: Callable[..., Notice]) -> None:
    for code in ("muted", "warned", "lifted"):
        tell(alice, code)
    client.force_login(alice)
    assert "2 more notices" in client.get(reverse("lobby")).content.decode()
    client.post(reverse("notices"))
    alice.refresh_from_db()
    assert (alice.unread_notices, Notice.objects.filter(read_at=None).count()) == (0, 0)


@pytest.mark.parametrize("form", [{"notice": "x"}, {"notice": "9" * 30}, {"notice": "-1"}, {"notice": "0"}])
def test_a_number_that_is_none_reads_nothing(
    client: Client, alice: User, tell: Callable[..., Notice], form: dict[str, str]
) -> None:
    tell(alice)
    client.force_login(alice)
    assert client.post(reverse("notices"), form).status_code == 302
    assert Notice.objects.filter(read_at=None).count() == 1


def test_nobody_reads_another_s(client: Client, alice: User, mallory: User, tell: Callable[..., Notice]) -> None:
    notice = tell(alice)
    client.force_login(mallory)
    client.post(reverse("notices"), {"notice": str(notice.pk)})
    assert "You are muted" not in client.get(reverse("notices")).content.decode()
    notice.refresh_from_db()
    assert notice.read_at is None
    assert Client().get(reverse("notices")).status_code == 302, "a guest is asked to log in"


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "\\\\evil.example", "javascript:x", "", "http://["]
)
def test_it_leads_back_within_the_site(client: Client, alice: User, back: str) -> None:
    client.force_login(alice)
    assert client.post(reverse("notices"), {"back": back}).headers["Location"] == reverse("notices")


def test_who_has_none_pays_no_query(client: Client, alice: User, tell: Callable[..., Notice]) -> None:
    client.force_login(alice)
    with CaptureQueriesContext(connection) as without:
        client.get(reverse("all-rules"))
    tell(alice)
    with CaptureQueriesContext(connection) as with_one:
        client.get(reverse("all-rules"))
    assert len(with_one) == len(without) + 1
    read_notices(user=alice, moment=MOMENT)
    with CaptureQueriesContext(connection) as after:
        client.get(reverse("all-rules"))
    assert len(after) == len(without)


def test_a_reason_is_text_wherever_it_stands(client: Client, alice: User, tell: Callable[..., Notice]) -> None:
    tell(alice, reason="<img src=x onerror=alert(1)>")
    client.force_login(alice)
    for page in ("lobby", "notices"):
        assert "<img src=x" not in client.get(reverse(page)).content.decode()


# By mail


def sent(moment: Any = MOMENT) -> list[EmailMessage]:
    before = len(mail.outbox)
    send_notices(moment=moment)
    return mail.outbox[before:]


def test_a_mail_tells_the_same_once(alice: User, tell: Callable[..., Notice]) -> None:
    tell(alice)
    (letter,) = sent()
    assert (letter.to, letter.subject) == (["alice@example.org"], "Tesela: You are muted")
    for words in (
        "2031-05-06 07:08 UTC",
        "rude words",
        "appeals@tesela.example",
        "https://tesela.example/account/notices/",
    ):
        assert words in letter.body
    assert letter.reply_to == ["appeals@tesela.example"]
    assert sent(MOMENT + timedelta(days=1)) == []


def test_it_is_in_the_reader_s_language_and_time(alice: User, tell: Callable[..., Notice]) -> None:
    User.objects.filter(pk=alice.pk).update(language="es", time_zone="America/Mexico_City")
    tell(alice)
    assert "01:08" in sent()[0].body


@pytest.mark.parametrize("zone", ["Nowhere/Atlantis", "../../etc/passwd", "\0"])
def test_a_zone_that_is_none_keeps_no_mail_back(alice: User, tell: Callable[..., Notice], zone: str) -> None:
    tell(alice)
    alice.time_zone = zone
    send_notice(user=alice, code="muted", params=PARAMS["muted"])
    assert "07:08" in mail.outbox[-1].body


def test_who_has_no_address_gets_none(alice: User, tell: Callable[..., Notice]) -> None:
    User.objects.filter(pk=alice.pk).update(email="")
    alice.refresh_from_db()
    tell(alice)
    assert sent() == []


def test_an_address_that_was_taken_away_meanwhile_gets_none(alice: User, tell: Callable[..., Notice]) -> None:
    tell(alice)
    User.objects.filter(pk=alice.pk).update(email="")
    assert sent() == []
    assert Notice.objects.get().mail_due_at is None


def test_a_mail_server_that_is_away_is_tried_again_and_then_given_up(
    alice: User, tell: Callable[..., Notice], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(**letter: Any) -> None:
        raise SMTPServerDisconnected("gone")

    tell(alice)
    with monkeypatch.context() as patch:
        patch.setattr(telling, "send_notice", away)
        assert sent() == []
        assert sent(MOMENT + TRY_AGAIN_AFTER / 2) == []
    assert "did not go" in caplog.text
    assert "alice@" not in caplog.text
    assert len(sent(MOMENT + TRY_AGAIN_AFTER)) == 1
    tell(alice)
    monkeypatch.setattr(telling, "send_notice", away)
    moment = MOMENT
    for _ in range(MOST_TRIES):
        sent(moment)
        moment += timedelta(days=1)
    assert not Notice.objects.exclude(mail_due_at=None).exists()


def test_a_notice_of_a_transaction_that_is_rolled_back_is_none(alice: User) -> None:
    with transaction.atomic():
        notify_person(user=alice, code="warned", params=PARAMS["warned"], moment=MOMENT)
        transaction.set_rollback(True)
    assert not Notice.objects.exists()
    assert sent() == []


@pytest.mark.django_db(transaction=True)
def test_of_many_who_go_round_one_sends_each_mail(alice: User) -> None:
    for _ in range(4):
        notify_person(user=alice, code="warned", params=PARAMS["warned"], moment=MOMENT)
    counts = at_once([lambda: send_notices(moment=MOMENT)] * 5)
    assert sum(counts) == len(mail.outbox) == 4


@pytest.mark.django_db(transaction=True)
def test_the_count_is_right_whatever_happens_at_once(alice: User) -> None:
    """Told and read at the same moment: a count that lost one would hide it from its reader."""

    def be_told() -> None:
        notify_person(user=alice, code="warned", params=PARAMS["warned"], moment=MOMENT)

    def read() -> None:
        read_notices(user=alice, moment=MOMENT)

    for _ in range(5):
        at_once([be_told, read] * 5)
        alice.refresh_from_db()
        assert alice.unread_notices == Notice.objects.filter(user=alice, read_at=None).count()
