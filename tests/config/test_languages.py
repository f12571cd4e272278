"""Every text that people read goes through gettext: with a pseudo-language in its place, none is left over."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from django.core import mail
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation
from django.views.defaults import server_error

from accounts.people.models import User
from games.contract.registry import get_game
from games.contract.simulate import simulate_match
from games.m.texts import names
from games.matches import labels
from games.matches.fragments import log, players, your_turn
from tests.config.reading import LETTERS, LINKS, NAMES, words_of

TRANSLATED = re.compile("⟦[^⟦⟧]*⟧")


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
    """What is said again and again is kept, by language."""
    for kept in (labels._labels, log._words, names._tile_name, players._words, your_turn._draw):
        kept.cache_clear()


def bracketed(translate: Callable[..., str]) -> Callable[..., str]:
    return lambda *message: f"⟦{translate(*message)}⟧"


def untranslated(page: str) -> list[str]:
    """What stands outside of all brackets: sentences may have markup, and hold translated words in their turn."""
    text = "\n".join(words_of(page))
    while TRANSLATED.search(text):
        text = TRANSLATED.sub(" ", text)
    return [word for line in text.splitlines() for word in [NAMES.sub("", line).strip()] if LETTERS.search(word)]


def test_the_search_finds_what_did_not_go_through_gettext() -> None:
    """Nothing below may pass because nothing is looked at."""
    assert untranslated("<p>⟦Yours: <b>⟦red⟧ 30</b>⟧ left <bdi>Bob</bdi></p>") == ["left"]
    assert untranslated('<button aria-label="Close">⟦X⟧</button>') == ["Close"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "page",
    [
        "/",
        "/lobby/",
        "/rules/",
        "/rules/m/",
        "/rules/block_buster/",
        "/rules/blockyou/",
        "/help/",
        "/lessons/",
        "/lessons/m/",
        "/lessons/m/taking/",
        "/lessons/block_buster/sets/",
        "/lessons/blockyou/last/",
        "/privacy/",
        "/account/login/",
        "/account/signup/",
        "/account/password/reset/",
    ],
)
def test_pages_for_strangers(client: Client, page: str) -> None:
    assert untranslated(client.get(page).content.decode()) == []


@pytest.mark.parametrize(
    "page",
    [
        "home",
        "lobby",
        "history",
        "settings",
        "account_email",
        "account_change_password",
        "account_logout",
        "mfa_index",
        "usersessions_list",
        "data-export",
    ],
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
@pytest.mark.parametrize(
    ("lesson", "moves"),
    [
        ("m/scoring", ("YS4@5,1", "YC4@5,1", "pass RT1", "no move")),
        ("m/taking", ("take 0,1", "take 4,1")),
        ("block_buster/collection", ("I3 i8 j8 k8", "1 a2", "1 a1")),
        ("blockyou/oneself", ("0,1/3", "0,0/0", "0,0/1")),
    ],
)
def test_answers_to_lessons(client: Client, lesson: str, moves: tuple[str, ...]) -> None:
    for move in moves:
        for headers in ({}, {"HX-Request": "true"}):
            answer = client.post(f"/lessons/{lesson}/", {"move": move}, headers=headers)
            assert untranslated(answer.content.decode()) == []


@pytest.mark.django_db
def test_forms_that_are_refused(client: Client) -> None:
    for page in ("account_login", "account_signup", "account_reset_password"):
        assert untranslated(client.post(reverse(page), {"password1": "1"}).content.decode()) == []


@pytest.mark.django_db
def test_what_is_said_of_records(client: Client) -> None:
    record = json.dumps(simulate_match(get_game("m"), players=2, options={}, rng=Random(1)))
    assert untranslated(client.get(reverse("records")).content.decode()) == []
    for text in ("", "{}", "[", record, record.replace('"at": 1', '"at": -1')):
        for headers in ({}, {"HX-Request": "true"}):
            page = client.post(reverse("records"), {"text": text}, headers=headers).content.decode()
            assert untranslated(re.sub(r"<bdi>.*?</bdi>", "", page)) == []


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
