"""The language is the browser's until somebody chooses one; a choice stays in the browser and with the person."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.people.models import User
from tests.conftest import PASSWORD

SETTINGS = {"display_name": "Alice", "confirm_moves": "auto", "language": "es"}
LOG_IN = {"login": "alice", "password": PASSWORD}


def spoken(client: Client, path: str = "/", **headers: str) -> str:
    """The language of that page."""
    found = re.search(r'<html lang="([\w-]+)"', client.get(path, headers=headers).content.decode())
    assert found is not None
    return found[1]


def choose(client: Client, language: str, **form: str) -> str:
    """Where the switch at the foot of a page leads."""
    response = client.post(reverse("language"), {"language": language, **form})
    assert response.status_code == 302
    return response.headers["Location"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "got"),
    [("es", "es"), ("es-MX,es;q=0.9,en;q=0.5", "es"), ("de,es;q=0.3", "es"), ("xx", "en"), ("", "en")],
)
def test_guest_gets_what_the_browser_asks_for(client: Client, asked: str, got: str) -> None:
    assert spoken(client, **{"accept-language": asked}) == got


@pytest.mark.django_db
def test_every_page_has_the_switch_and_it_leads_back_to_the_page(client: Client) -> None:
    for path in ("/", "/lobby/", "/rules/m/", "/nowhere/?a=1&b=2", "/account/login/?next=/lobby/"):
        page = client.get(path).content.decode()
        assert f'name="next" value="{path.replace("&", "&amp;")}"' in page
        assert '<button name="language" value="es" lang="es">' in page
        assert choose(client, "es", next=path) == path
        assert spoken(client, path) == "es"
        assert choose(client, "en", next=path) == path
        assert spoken(client, path) == "en"


@pytest.mark.django_db
def test_the_choice_of_a_guest_stays_in_the_browser(client: Client) -> None:
    choose(client, "es", next="/")
    assert spoken(client, **{"accept-language": "en"}) == "es"
    cookie = client.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert cookie["max-age"] > 300 * 24 * 3600


@pytest.mark.django_db
@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "http://[", "\0", ""]
)
def test_the_switch_leads_nowhere_else(client: Client, elsewhere: str) -> None:
    assert choose(client, "es", next=elsewhere) == "/"


@pytest.mark.parametrize("language", ["xx", "fr", "", "../../etc/passwd", "\0", "x" * 5000])
def test_languages_that_are_not_offered_change_nothing(client: Client, alice: User, language: str) -> None:
    client.force_login(alice)
    choose(client, "es", next="/")
    choose(client, language, next="/")
    alice.refresh_from_db()
    assert alice.language == "es"
    assert spoken(client) in ("en", "es")


@pytest.mark.django_db
def test_the_switch_needs_a_form_of_ours() -> None:
    assert Client().get(reverse("language")).status_code == 405
    assert Client(enforce_csrf_checks=True).post(reverse("language"), {"language": "es"}).status_code == 403


def test_a_choice_goes_with_the_person_to_other_browsers(client: Client, alice: User) -> None:
    client.force_login(alice)
    choose(client, "es", next="/lobby/")
    alice.refresh_from_db()
    assert alice.language == "es"
    other = Client()
    assert spoken(other) == "en"
    other.post(reverse("account_login"), LOG_IN)
    assert spoken(other, "/lobby/") == "es"


def test_what_was_chosen_in_a_browser_goes_to_the_person_at_the_log_in(client: Client, alice: User) -> None:
    """It is the newer choice: perhaps that of a moment ago, on the page of the log-in."""
    User.objects.filter(pk=alice.pk).update(language="es")
    choose(client, "en", next="/")
    client.post(reverse("account_login"), LOG_IN)
    alice.refresh_from_db()
    assert (alice.language, spoken(client)) == ("en", "en")


def test_whoever_never_chose_gets_mails_as_the_pages_were_last(client: Client, alice: User) -> None:
    assert alice.language == ""
    client.post(reverse("account_login"), LOG_IN, headers={"accept-language": "es"})
    alice.refresh_from_db()
    assert alice.language == "es"
    assert settings.LANGUAGE_COOKIE_NAME not in client.cookies


@pytest.mark.django_db
def test_who_signs_up_is_written_to_in_the_language_of_the_page(client: Client) -> None:
    form = {"username": "nora", "display_name": "Nora", "email": "nora@example.org", "password1": PASSWORD}
    assert client.post(reverse("account_signup"), form, headers={"accept-language": "es"}).status_code == 302
    assert User.objects.get(username="nora").language == "es"
    assert mail.outbox[0].subject == "Tesela: Te damos la bienvenida: confirma tu dirección de correo"


def test_settings_change_the_language_at_once(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert '<option value="en" selected>English</option>' in client.get(reverse("settings")).content.decode()
    page = client.post(reverse("settings"), SETTINGS, follow=True).content.decode()
    assert '<html lang="es">' in page
    assert "Guardado." in page
    assert '<option value="es" selected>Español</option>' in page
    alice.refresh_from_db()
    assert alice.language == "es"


def test_settings_refuse_a_language_that_is_not_offered(client: Client, alice: User) -> None:
    client.force_login(alice)
    response = client.post(reverse("settings"), SETTINGS | {"language": "fr"})
    assert response.status_code == 422
    alice.refresh_from_db()
    assert alice.language == ""
