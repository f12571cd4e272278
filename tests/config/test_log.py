"""The log: one line or object each, and in none of them what opens something, names somebody, or tells of a hand."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve
from django.utils.functional import SimpleLazyObject

from accounts.people.models import User
from accounts.people.subscriptions import stop_token
from config import request_log
from config.log import (
    ELSEWHERE,
    SAYABLE,
    JsonLines,
    PlainLines,
    in_one_line,
    request_id,
    sayable_path,
    without_secrets,
)
from games.matches.callers import Caller
from games.matches.errors import Refused
from games.matches.services.chat import send_line
from tests.conftest import PASSWORD
from tests.matches.browsing import HTMX, browser
from tests.matches.conftest import START, move_form, player_to_move, sit_down


class Kept(logging.Handler):
    """What the log would have in it, in one of the two forms."""

    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(formatter)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@pytest.fixture(params=["json", "plain"])
def kept(request: pytest.FixtureRequest) -> Iterator[Kept]:
    """Everything that any part of the site logs, however low its level, but for the database's own lines."""
    handler = Kept(JsonLines() if request.param == "json" else PlainLines())
    loggers = [logging.getLogger(name) for name in ("", "tesela.requests", "django.request")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    queries = logging.getLogger("django.db.backends")
    queries.propagate = False
    loggers[0].addHandler(handler)
    yield handler
    loggers[0].removeHandler(handler)
    queries.propagate = True
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def about_requests(kept: Kept) -> list[dict[str, Any]]:
    told = [json.loads(line) for line in kept.lines]
    return [line for line in told if line["logger"] == "tesela.requests"]


def broken(error: Exception) -> Any:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise error

    return fail


# One object a line


@pytest.mark.parametrize("kept", ["json"], indirect=True)
def test_a_line_about_a_request_says_these_things_and_no_more(client: Client, alice: User, kept: Kept) -> None:
    client.force_login(alice)
    client.get("/account/settings/?secret=42")
    client.get("/help/")
    (line, other) = about_requests(kept)
    assert set(line) == {
        *("time", "level", "logger", "message", "request_id", "method", "path", "status", "duration_ms", "user")
    }
    assert (line["method"], line["path"], line["status"], line["user"]) == ("GET", "/account/settings/", 200, alice.pk)
    assert line["duration_ms"] > 0
    assert line["time"].endswith("+00:00")
    assert line["request_id"] != other["request_id"]
    assert request_id.get() == ""


@pytest.mark.parametrize("kept", ["json"], indirect=True)
def test_a_fault_is_one_line_that_carries_the_number_of_its_request(
    alice: User, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(alice)
    monkeypatch.setattr("accounts.people.views.render", broken(RuntimeError("a\nfault")))
    client.get("/account/settings/")
    fault, line = (json.loads(text) for text in kept.lines[-2:])
    assert (fault["logger"], line["status"]) == ("django.request", 500)
    assert fault["request_id"] == line["request_id"]
    assert "RuntimeError: a\nfault" in fault["exception"]
    assert all(text.count("\n") == 0 for text in kept.lines)


@pytest.mark.parametrize("kept", ["json"], indirect=True)
@pytest.mark.parametrize(
    ("proxies", "given", "taken"), [(1, "abc-12345", True), (0, "abc-12345", False), (1, "ä", False)]
)
@pytest.mark.django_db
def test_a_number_is_taken_from_a_proxy_of_ours_alone(
    client: Client, kept: Kept, settings: Any, proxies: int, given: str, taken: bool
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    client.get("/help/", headers={"x-request-id": given, "x-forwarded-for": "192.0.2.1"})
    assert (about_requests(kept)[0]["request_id"] == given) == taken


@pytest.mark.parametrize("kept", ["json"], indirect=True)
@pytest.mark.django_db
def test_a_line_costs_no_query(client: Client, kept: Kept, django_assert_num_queries: Any) -> None:
    """Guests have none to be looked up, and of others only who was looked up for the page is named."""
    with django_assert_num_queries(0):
        client.get("/favicon.ico")
    assert about_requests(kept)[0]["user"] is None
    request = RequestFactory().get("/")
    request.user = SimpleLazyObject(lambda: pytest.fail("looked up for the log"))  # type: ignore[assignment]
    request_log.note_requests(lambda request: HttpResponse())(request)


# What is never in it


@pytest.mark.django_db
def test_nothing_that_opens_or_names_gets_into_the_log(
    alice: User, bob: User, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A walk through what has secrets in its address or its form, each also where it meets a fault of ours."""
    match = sit_down(alice, bob, public=False)
    mover = player_to_move(match)
    client = browser(mover)
    client.raise_request_exception = False
    form, session = move_form(match), client.cookies["sessionid"].value
    stop, reset = stop_token(alice), "zx81-c7k3qm-0123456789abcdef0123456789abcdef"
    kept.lines.clear()

    def walk() -> None:
        client.get(f"/matches/{match.slug}/invitation/{match.invite}/")
        client.get(f"/matches/{match.slug}/invitation/{match.invite}")
        client.get(f"/matches/{match.slug}/invitation/{match.invite}/x/")
        client.get(f"/account/password/reset/key/{reset}/")
        client.get("/account/confirm-email/MQ:1abcde:thekeyofamail/")
        client.get(f"/account/mails/stop/{stop}/")
        client.get("/people/alice/?q=alice@example.org")
        client.post(f"/matches/{match.slug}/act/move/", {**form, "move": "x" + form["move"]}, headers=HTMX)
        client.post(f"/matches/{match.slug}/act/move/", form, headers=HTMX)
        client.post(f"/matches/{match.slug}/chat/", {"room": "players", "text": "a secret word", "key": "k"})
        client.post("/account/login/", {"login": "alice@example.org", "password": PASSWORD})
        client.generic("\nGET /people/alice/", "/help/")

    walk()
    fault = SMTPRecipientsRefused({"alice@example.org": (550, b"no such user alice@example.org")})
    for place in ("tables.redirect", "match.perform_act", "chat.send_line", "history.render"):
        monkeypatch.setattr(f"games.matches.views.{place}", broken(fault))
    monkeypatch.setattr("accounts.people.views.render", broken(fault))
    walk()
    assert len(kept.lines) > 20
    for secret in (
        *(match.invite, reset, reset[7:], "thekeyofamail", stop, session, PASSWORD, "a secret word"),
        *("alice@example.org", "alice", "a@example.org", form["move"], form["key"]),
    ):
        assert secret not in kept.text, secret


def test_mail_addresses_keys_and_rows_are_left_out_of_whatever_is_said() -> None:
    """Exceptions say what they like: a mail server names the address, PostgreSQL the row."""
    said = without_secrets(
        "not to alice.b+c@mail.example.org, <WebRequest uri=/matches/x/invitation/abcDEF123/?a=b>\n"
        "duplicate key\nDETAIL:  Key (email)=(alice) already exists.\nthe end"
    )
    assert said == (
        "not to (a mail address), <WebRequest uri=/matches/x/invitation/(a key)/?(left out)>\n"
        "duplicate key\nDETAIL: (left out)\nthe end"
    )


def test_rows_are_left_out_where_lines_are_joined_too() -> None:
    fault = OperationalError("can not write\nDETAIL:  Key (email)=(alice) is there.\n")
    record = logging.LogRecord("django.request", logging.ERROR, __file__, 1, "away", None, (type(fault), fault, None))
    record.status_code = 503
    assert in_one_line(record)
    assert record.getMessage() == "away (can not write DETAIL: (left out))"


def test_what_others_attach_to_a_record_is_not_written() -> None:
    record = logging.LogRecord("x", logging.INFO, __file__, 1, "said", None, None)
    record.request, record.session = RequestFactory().get("/matches/x/invitation/abc/"), "abc"
    assert set(json.loads(JsonLines().format(record))) == {"time", "level", "logger", "message"}
    assert "abc" not in JsonLines().format(record) + PlainLines().format(record)


def test_what_can_not_be_encoded_is_written_all_the_same() -> None:
    record = logging.LogRecord("x", logging.INFO, __file__, 1, "a lone \ud800 and \x00", None, None)
    assert json.loads(JsonLines().format(record))["message"] == "a lone \ud800 and \x00"
    JsonLines().format(record).encode()


def patterns(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from patterns(pattern, route)


def test_of_every_address_with_a_part_that_is_not_known_to_be_harmless_that_part_is_left_out() -> None:
    """Also of those that are still to be built: whoever adds an address with a token in it need not think of it."""
    request = RequestFactory().get("/")
    seen = set()
    for path, said in (
        ("/matches/abc/invitation/s3cret/", "/matches/abc/invitation/<token>/"),
        ("/account/mails/stop/s3cret/", "/account/mails/stop/<token>/"),
        ("/account/password/reset/key/s3-s3cret/", "/account/password/reset/key/<uidb36>-<key>/"),
        ("/account/confirm-email/s3cret/", "/account/confirm-email/<key>/"),
        ("/people/s3cret/", "/people/<username>/"),
        ("/matches/abc/replay/7/", "/matches/abc/replay/7/"),
        ("/admin/people/user/7/change/", "/admin/people/user/7/change/"),
        ("/admin/nothing/s3cret", "/admin/<url>"),
    ):
        request.resolver_match = resolve(path)
        seen |= set(request.resolver_match.kwargs)
        assert sayable_path(request) == said
    request = RequestFactory().get("/matches/abc/invitation/s3cret")
    assert sayable_path(request) == ELSEWHERE, "a slash is missing"
    assert sayable_path(RequestFactory().get("/people/s3cret/")) == "/people/<username>/", "that was not reached"
    assert seen & SAYABLE


def test_addresses_that_are_keys_are_left_out_wherever_they_are_quoted() -> None:
    """In what servers and libraries say, too: the words in the addresses are ours to know."""
    keys = [route for route in patterns(get_resolver()) if any(name in route for name in ("token>", "key>"))]
    assert len(keys) >= 4
    for route in keys:
        words = route.replace("^", "").partition("(" if "(?P" in route else "<str:token")[0]
        path = f"/{words.replace('<slug:slug>', 'abc')}s3cret-s3cret/"
        try:
            resolve(path)
        except Resolver404:
            pytest.fail(f"{path} should be an address of {route}")
        assert "s3cret" not in without_secrets(f"GET {path} failed"), route


@pytest.mark.django_db
def test_a_refused_line_of_chat_leaves_no_word_behind(alice: User, bob: User, kept: Kept) -> None:
    match = sit_down(alice, bob)
    with pytest.raises(Refused):
        send_line(slug=match.slug, caller=Caller(alice), room="spectators", text="wordword", key="", moment=START)
    assert "wordword" not in kept.text
