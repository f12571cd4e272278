"""Forms do what they say before the scripts have run, too: each has an address of its own, and a token on its page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.people.models import User
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.services.invitations import invite_person
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, sit_down

ROOT = Path(settings.BASE_DIR)
TEMPLATES = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("*/*/templates/**/*.html")]
FORM = re.compile(r"<form\b((?:\{%.*?%\}|\{\{.*?\}\}|[^>{])*)>(.*?)</form>", re.DOTALL)


def submitted(client: Client, page: str, path: str) -> Any:
    """The answer to the form with that address as a browser without scripts sends it; the token is the page's own."""
    (found,) = re.findall(rf'<form[^>]* action="{path}".*?</form>', page, re.DOTALL)
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', found))
    return client.post(path, fields)


def test_every_form_that_scripts_send_has_an_address_and_a_token() -> None:
    """One that asks back before it does anything irrevocable only loads the page again: without scripts nobody asks."""
    sent = [
        (template.name, attributes, content)
        for template in TEMPLATES
        for attributes, content in FORM.findall(template.read_text())
        if "hx-post" in attributes
    ]
    assert len(sent) > 15
    for name, attributes, content in sent:
        assert " action=" in attributes, name
        if "hx-confirm" in attributes:
            assert 'method="get"' in attributes, name
        else:
            assert 'method="post"' in attributes, name
            assert content.lstrip().startswith(("<!--token-->", "{% csrf_token %}")), name
            address = re.search(r' action="([^"]*)"', attributes)
            assert address is not None
            assert f'hx-post="{address[1]}"' in attributes, name


@pytest.mark.django_db
def test_sitting_down_and_getting_ready_by_plain_forms(alice: User, bob: User) -> None:
    match = sit_down(alice, start=False, seats=2)
    client, path = browser(bob, enforce_csrf_checks=True), f"/matches/{match.slug}/"
    for act in ("join", "ready"):
        answer = submitted(client, text_of(client.get(path)), f"{path}act/{act}/")
        assert (answer.status_code, answer.headers["Location"]) == (302, path)
    seat = match.seats.get(user=bob)
    assert seat.ready


@pytest.mark.django_db
def test_invitation_is_declined_in_the_lobby_and_leads_back_there(alice: User, bob: User) -> None:
    match = sit_down(alice, start=False, seats=2)
    invite_person(slug=match.slug, caller=Caller(alice), name="bob", moment=START)
    client = browser(bob, enforce_csrf_checks=True)
    answer = submitted(client, text_of(client.get("/lobby/")), f"/matches/{match.slug}/act/decline/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/lobby/")
    assert not match.seats.filter(user=bob).exists()
    assert "Invitations" not in text_of(client.get("/lobby/"))


@pytest.mark.django_db
def test_nobody_gets_another_reader_s_token_by_what_is_drawn_once_for_all(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, pace=Match.Pace.TURNS)
    pages = [text_of(browser(user).get(f"/matches/{match.slug}/")) for user in (alice, bob, alice)]
    tokens = [set(re.findall(r'csrfmiddlewaretoken" value="(\w+)"', page)) for page in pages]
    assert all(tokens)
    assert len(set.union(*tokens)) == sum(map(len, tokens))


@pytest.mark.django_db
def test_resigning_without_scripts_asks_by_doing_nothing(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    path = f"/matches/{match.slug}/"
    page = text_of(browser(alice).get(path))
    assert re.search(rf'method="get" action="{path}" hx-post="{path}act/resign/"', page)
    assert browser(alice).get(path, {"stage": "match"}).status_code == 200
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
