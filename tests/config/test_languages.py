"""Every text that people read goes through gettext: with a pseudo-language in its place, none is left over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.core import mail
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation
from django.views.defaults import server_error

from accounts.people.models import User
from games.contract.registry import all_games

READ_ALOUD = ("alt", "aria-label", "placeholder", "title")
TRANSLATED = re.compile("⟦[^⟦⟧]*⟧")
LETTERS = re.compile(r"[^\W\d_]{2,}")
LINKS = re.compile(r"https?://\S+")
TITLES = "|".join(re.escape(game.info.title) for game in all_games() if len(game.info.title) > 1)
NAMES = re.compile(rf"Tesela|alice(@example\.org)?|{TITLES}", re.IGNORECASE)
"""The same in every language."""


@pytest.fixture(autouse=True)
def _pseudo_language(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Brackets around whatever gettext gives."""
    spoken: Any = translation._trans  # type: ignore[attr-defined]
    for name in ("gettext", "pgettext", "ngettext", "npgettext"):
        monkeypatch.setattr(spoken, name, bracketed(getattr(spoken, name)))
    forget_labels()
    yield
    forget_labels()


def forget_labels() -> None:
    """Games keep the labels that they have said."""
    for game in all_games():
        vars(game.texts)["_label"].cache_clear()


def bracketed(translate: Callable[..., str]) -> Callable[..., str]:
    return lambda *message: f"⟦{translate(*message)}⟧"


class Words(HTMLParser):
    """Collects what is read of a page: its texts, and the attributes that are read aloud; names in `<bdi>` are not."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "bdi", "kbd"):
            self.silent.append(tag)
        self.found += [value or "" for name, value in attrs if name in READ_ALOUD]

    def handle_endtag(self, tag: str) -> None:
        if self.silent and self.silent[-1] == tag:
            self.silent.pop()

    def handle_data(self, data: str) -> None:
        # One space for a name, so that a sentence around it stays one.
        self.found.append(" " if self.silent else data)


def untranslated(page: str) -> list[str]:
    """What stands outside of all brackets: sentences may have markup, and hold translated words in their turn."""
    reader = Words()
    reader.feed(page)
    reader.close()
    text = "\n".join(reader.found)
    while TRANSLATED.search(text):
        text = TRANSLATED.sub(" ", text)
    return [word for line in text.splitlines() for word in [NAMES.sub("", line).strip()] if LETTERS.search(word)]


def test_the_search_finds_what_did_not_go_through_gettext() -> None:
    """Nothing below may pass because nothing is looked at."""
    assert untranslated("<p>⟦Yours: <b>⟦red⟧ 30</b>⟧ left <bdi>Bob</bdi></p>") == ["left"]
    assert untranslated('<button aria-label="Close">⟦X⟧</button>') == ["Close"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "page", ["/", "/lobby/", "/rules/", "/rules/m/", "/account/login/", "/account/signup/", "/account/password/reset/"]
)
def test_pages_for_strangers(client: Client, page: str) -> None:
    assert untranslated(client.get(page).content.decode()) == []


@pytest.mark.parametrize(
    "page",
    ["home", "lobby", "history", "settings", "account_email", "account_change_password", "account_logout"],
)
def test_pages_for_people(client: Client, alice: User, page: str) -> None:
    client.force_login(alice)
    assert untranslated(client.get(reverse(page)).content.decode()) == []


def test_a_match_with_its_board_and_its_first_moves(client: Client, alice: User) -> None:
    client.force_login(alice)
    match = client.post(reverse("play-now", args=["m"]), follow=True)
    assert "m-board" in match.content.decode()
    assert untranslated(match.content.decode()) == []
    act = f"{match.request['PATH_INFO']}act/"
    refused = client.post(f"{act}move/", {"move": "no move", "turn_key": "0", "key": "k"})
    assert refused.status_code in (409, 422)
    assert untranslated(refused.content.decode()) == []
    resigned = client.post(f"{act}resign/", {"sure": "yes"}, follow=True)
    assert untranslated(resigned.content.decode()) == []
    assert untranslated(client.get(match.request["PATH_INFO"]).content.decode()) == []


@pytest.mark.django_db
def test_forms_that_are_refused(client: Client) -> None:
    for page in ("account_login", "account_signup", "account_reset_password"):
        assert untranslated(client.post(reverse(page), {"password1": "1"}).content.decode()) == []


@pytest.mark.django_db
def test_pages_for_what_went_wrong(client: Client) -> None:
    answers: list[Any] = [
        client.get("/nowhere/"),
        client.get("/lobby/", headers={"host": "evil.example"}),
        client.post(reverse("account_login"), {"login": "x" * 5_000_000}),
        Client(enforce_csrf_checks=True).post(reverse("account_login")),
        server_error(RequestFactory().get("/")),
    ]
    assert [answer.status_code for answer in answers] == [404, 400, 413, 403, 500]
    for answer in answers:
        assert untranslated(answer.content.decode()) == []


def test_mails(client: Client, alice: User) -> None:
    client.post(reverse("account_reset_password"), {"email": alice.email})
    client.post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    client.force_login(alice)
    client.post(reverse("account_email"), {"email": alice.email, "action_send": ""})
    assert len(mail.outbox) == 3
    for message in mail.outbox:
        assert untranslated(f"{message.subject}\n{LINKS.sub('', str(message.body))}") == []
