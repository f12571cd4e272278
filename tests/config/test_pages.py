"""What every answer carries, and the pages for what goes wrong."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import OperationalError
from django.template import Context, Template
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation

from accounts.people.models import User
from config import errors
from tests.conftest import PASSWORD


def policy(response: Any) -> dict[str, str]:
    directives = (directive.strip().partition(" ") for directive in response["Content-Security-Policy"].split(";"))
    return {name: value for name, _, value in directives}


@pytest.mark.django_db
def test_the_content_security_policy_lets_nothing_in_from_elsewhere(client: Client) -> None:
    assert policy(client.get(reverse("account_login"))) == {
        "default-src": "'self'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "connect-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["account_login", "account_signup", "account_reset_password"])
def test_pages_obey_the_policy_they_send(client: Client, page: str) -> None:
    content = client.get(reverse(page)).content.decode()
    assert "style=" not in content
    assert "onclick" not in content
    assert content.count("<script") == content.count("<script src=")
    assert "https://" not in content


def test_other_headers_keep_the_browser_careful(client: Client) -> None:
    response = client.get("/healthz")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"
    assert "camera=()" in response["Permissions-Policy"]


def test_the_sign_of_life_needs_no_database(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")


def test_cookies_are_out_of_reach_of_scripts(client: Client, alice: User) -> None:
    client.post(reverse("account_login"), {"login": "alice", "password": PASSWORD})
    client.get(reverse("settings"))
    for name in (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME):
        assert client.cookies[name]["httponly"]
        assert client.cookies[name]["samesite"] == "Lax"


@pytest.mark.parametrize(
    ("page", "marked"),
    [
        ("/lobby/", ["/lobby/"]),
        ("/rules/", ["/rules/"]),
        ("/rules/m/", ["/rules/"]),
        ("/history/", ["/history/"]),
        ("/account/settings/", []),
        ("/nowhere/", []),
    ],
)
def test_the_frame_marks_where_one_is(client: Client, alice: User, page: str, marked: list[str]) -> None:
    client.force_login(alice)
    frame = client.get(page).content.decode().partition("<main")[0]
    assert re.findall(r'href="([^"]+)" aria-current="page"', frame) == marked


@pytest.mark.django_db
def test_an_unknown_address_is_a_page_of_ours(client: Client) -> None:
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert "There is nothing here" in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("encoding", ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])
def test_a_form_of_5_mb_is_refused_plainly(client: Client, encoding: str) -> None:
    big = "x" * 5_000_000
    if encoding.startswith("multipart"):
        response = client.post(reverse("account_login"), {"login": big})
    else:
        response = client.post(reverse("account_login"), f"login={big}", content_type=encoding)
    assert response.status_code == 413
    assert "That was too much" in response.content.decode()


@pytest.mark.django_db
def test_a_form_of_ten_thousand_fields_is_refused_plainly(client: Client) -> None:
    response = client.post(reverse("account_login"), {f"field{number}": "x" for number in range(10_000)})
    assert response.status_code == 413


ODD_CHARSETS = ["hex", "rot13", "zlib", "punycode", "idna", "undefined", "utf-16", "latin-1", "nonsense", ""]
PART = 'Content-Disposition: form-data; name="login"'


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/plain"])
@pytest.mark.parametrize("charset", ODD_CHARSETS)
def test_a_form_in_another_charset_is_refused_plainly(client: Client, kind: str, charset: str) -> None:
    body = f"--x\r\n{PART}\r\n\r\n\xff\r\n--x--\r\n".encode("latin-1")
    response = client.generic("POST", reverse("account_login"), body, content_type=f"{kind}; charset={charset}")
    assert response.status_code == 400
    assert "That request made no sense" in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["", "; charset=utf-8", "; charset=UTF-8", '; charset="utf-8"'])
def test_a_form_in_utf_8_is_read(client: Client, charset: str) -> None:
    body = f"--x\r\n{PART}\r\n\r\nJos\u00e9\r\n--x--\r\n".encode()
    response = client.generic(
        "POST", reverse("account_login"), body, content_type=f"multipart/form-data; boundary=x{charset}"
    )
    assert response.status_code == 200
    assert "Jos\u00e9" in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["hex", "undefined", "nonsense"])
def test_a_field_in_another_charset_is_no_fault_of_ours(client: Client, charset: str) -> None:
    body = f"--x\r\n{PART}; filename*={charset}''%41\r\nContent-Transfer-Encoding: 7bit\r\n\r\na\r\n--x--\r\n".encode()
    response = client.generic("POST", reverse("account_login"), body, content_type="multipart/form-data; boundary=x")
    assert response.status_code in (200, 400)


@pytest.mark.django_db
def test_a_host_that_no_address_can_hold_is_refused(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    assert client.get(reverse("settings"), headers={"host": "[::1::2]"}).status_code == 400
    assert client.get(reverse("settings"), headers={"host": "[::1]:8000"}).status_code == 302


@pytest.mark.django_db
def test_who_is_logged_in_is_not_told_to_log_in(rf: RequestFactory, alice: User) -> None:
    request = rf.get("/admin/")
    for user, is_told in ((AnonymousUser(), True), (alice, False)):
        request.user = user
        page = errors.forbidden(request, PermissionDenied()).content.decode()
        assert ("log in with it" in page) is is_told


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused_plainly() -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post(reverse("account_login"), {"login": "alice", "password": "x"})
    assert response.status_code == 403
    assert "The form has gone stale" in response.content.decode()


@pytest.mark.django_db
def test_a_host_that_is_not_ours_is_refused(client: Client) -> None:
    assert client.get(reverse("account_login"), headers={"host": "evil.example"}).status_code == 400


def test_a_fault_of_ours_gets_a_page_that_needs_nothing(
    alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(alice)

    def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr("accounts.people.views.render", broken)
    response = client.get(reverse("settings"))
    assert response.status_code == 500
    assert "Something broke on our side" in response.content.decode()
    assert "a fault" in caplog.text


def test_the_page_for_our_faults_asks_no_database() -> None:
    """No `db` fixture here: a query would fail the test."""
    assert errors.server_error(RequestFactory().get("/")).status_code == 500


@pytest.mark.django_db
def test_what_visitors_get_wrong_fills_no_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    assert client.get("/nowhere/").status_code == 404
    assert client.get("/help/", headers={"host": "evil.example"}).status_code == 400
    assert client.post(reverse("account_login"), {"login": "x" * 5_000_000}).status_code == 413
    assert Client(enforce_csrf_checks=True).post(reverse("account_login")).status_code == 403
    assert caplog.messages == []


@pytest.mark.django_db
@pytest.mark.parametrize("preferred", ["es", "zh-Hant", "en", "de", "xx"])
def test_a_page_is_in_one_language(client: Client, preferred: str) -> None:
    """Where there is no catalogue, Django's and allauth's own translations must not show through."""
    content = client.post(
        reverse("account_signup"), {"username": "", "password1": "1"}, headers={"accept-language": preferred}
    ).content.decode()
    offered = preferred.lower() if preferred.lower() in dict(settings.LANGUAGES) else "en"
    assert f'<html lang="{offered}">' in content
    assert ("This field is required." in content) == (offered == "en")
    assert ("Somebody" in content or "Login name" in content) == (offered == "en")


def test_browsers_that_ask_by_habit_find_the_icon(client: Client) -> None:
    response = client.get("/favicon.ico")
    assert response.status_code == 302
    assert response["Location"] == "/static/favicon.svg"


@pytest.mark.parametrize("language", ["en", "es", "zh-hant"])
def test_dates_are_the_same_in_every_language_and_name_their_zone(language: str) -> None:
    moment = datetime(2026, 11, 30, 0, 53, tzinfo=UTC)
    with translation.override(language):
        assert Template("{{ moment }}").render(Context({"moment": moment})) == "2026-11-30 00:53 UTC"
        assert Template("{{ day }}").render(Context({"day": moment.date()})) == "2026-11-30"


def test_the_administration_says_whose_it_is(client: Client, mod: User) -> None:
    client.force_login(mod)
    assert "Tesela administration" in client.get(reverse("admin:index")).content.decode()


def test_pages_about_somebody_are_kept_in_no_cache(client: Client, alice: User) -> None:
    """Whoever sits down at the machine after the log-out must not page back to them."""
    client.force_login(alice)
    for page in ("/", "/lobby/", "/account/settings/", "/people/alice/", "/history/", "/nowhere/"):
        kept = client.get(page)["Cache-Control"]
        assert "private" in kept, page
        assert "no-store" in kept, page


@pytest.mark.django_db
def test_what_is_the_same_for_all_may_be_kept(client: Client, alice: User) -> None:
    assert "Cache-Control" not in client.get("/rules/m/")
    client.force_login(alice)
    sheet = client.get("/static/site.css")
    assert "no-store" not in sheet["Cache-Control"]
    sheet.close()


# Where htmx asks, from a page that stays


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "form", "status", "says"),
    [
        ("/nowhere/", {}, 404, "The address may be mistyped"),
        ("/matches/nosuchmatch/act/move/", {}, 404, "no such match here"),
        ("/account/login/", {"login": "x" * 5_000_000}, 413, "more than can be read"),
        ("/account/login/", {"login": "alice", "password": "x"}, 429, "too often"),
    ],
)
def test_an_error_is_a_notice_on_the_page_that_is_there(
    client: Client, settings: Any, path: str, form: dict[str, str], status: int, says: str
) -> None:
    """A whole page would be swapped into a place that is made for less, or nowhere at all."""
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login": "1/m/ip"}
    if status == 429:
        client.post(path, form)
    response = client.post(path, form, headers={"hx-request": "true"})
    content = response.content.decode()
    assert response.status_code == status
    assert says in content
    assert content.count('id="notice"') == 1
    assert "<html" not in content


@pytest.mark.parametrize(
    ("error", "status"),
    [(RuntimeError(), 500), (OperationalError(), 503), (PermissionDenied(), 403), (BadRequest(), 400)],
    ids=["500", "503", "403", "400"],
)
def test_a_page_and_a_notice_for_whatever_goes_wrong_in_a_view(
    alice: User, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(alice)

    def broken(*args: Any, **kwargs: Any) -> None:
        raise error

    monkeypatch.setattr("accounts.people.views.render", broken)
    page = client.get(reverse("settings"))
    notice = client.get(reverse("settings"), headers={"hx-request": "true"})
    assert (page.status_code, notice.status_code) == (status, status)
    assert f'<p class="muted number">{status}</p>' in page.content.decode()
    assert 'class="button primary" href=' in page.content.decode(), "there is something to do next"
    assert "<html" not in notice.content.decode()
    assert len(re.sub(r"<[^>]+>", "", notice.content.decode()).split()) > 5


@pytest.mark.parametrize("error", [RuntimeError(), OperationalError()])
@pytest.mark.parametrize("htmx", [{}, {"hx-request": "true"}])
def test_what_tells_of_our_faults_asks_no_database(error: Exception, htmx: dict[str, str]) -> None:
    """No `db` fixture here: a query would fail the test."""
    try:
        raise error
    except Exception:
        assert errors.server_error(RequestFactory().get("/", headers=htmx)).status_code in (500, 503)
