"""What no form may bring: no token, too much, nothing readable, a person who is switched off; and accidents of ours."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.base import ContentFile

from accounts.people.models import User
from games.matches.models import Match
from tests.matches.browsing import HTMX, browser, notice_in, table_form, text_of
from tests.matches.conftest import Clock, frozen, move_form, player_to_move, sit_down

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Moves of tests and of pages share one clock."""


def test_forms_need_their_token(alice: User, bob: User) -> None:
    """Another site can make a browser post, but not with the token."""
    match = sit_down(alice, bob)
    client = browser(player_to_move(match), enforce_csrf_checks=True)
    before = frozen(match)
    for path, form in (
        (f"/matches/{match.slug}/act/move/", move_form(match)),
        (f"/matches/{match.slug}/act/resign/", {}),
        ("/tables/new/m/", table_form()),
        ("/play-now/m/", {}),
    ):
        response = client.post(path, form, headers=HTMX)
        assert (response.status_code, notice_in(response)) == (403, "stale-form")
        assert 'id="notice"' in text_of(response), "shown on the page that sent it"
        plain = client.post(path, form)
        assert plain.status_code == 403
        assert "gone stale" in text_of(plain)
    assert frozen(match) == before
    assert Match.objects.count() == 1
    page = text_of(client.get(f"/matches/{match.slug}/"))
    token = re.search(r'hx-headers=\'{"X-CSRFToken": "([^"]+)"}\'', page)
    assert token is not None
    headers = {**HTMX, "X-CSRFToken": token[1]}
    response = client.post(f"/matches/{match.slug}/act/move/", move_form(match), headers=headers)
    assert response.status_code == 200


@pytest.mark.parametrize("way", ["one long field", "many fields", "urlencoded", "json", "file"])
def test_form_of_5_mb_is_refused_plainly(alice: User, bob: User, way: str) -> None:
    match = sit_down(alice, bob)
    before = frozen(match)
    client, path = browser(player_to_move(match)), f"/matches/{match.slug}/act/move/"
    posts: dict[str, Callable[[], Any]] = {
        "one long field": lambda: client.post(path, {"move": "x" * 5_000_000}),
        "many fields": lambda: client.post(path, {f"f{number}": "x" for number in range(5000)}),
        "urlencoded": lambda: client.post(
            path, "move=" + "x" * 5_000_000, content_type="application/x-www-form-urlencoded"
        ),
        # Files are put aside and never looked at: the form without them is judged.
        "file": lambda: client.post(path, {"move": ContentFile(b"x" * 5_000_000, name="move")}),
        "json": lambda: client.post(path, "[" * 5_000_000, content_type="application/json"),
    }
    assert posts[way]().status_code in {413, 409}
    assert frozen(match) == before


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("multipart/form-data", b"no boundary"),
        ("multipart/form-data; boundary=", b"--\r\n"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=move\r\n\r\n\xff\xfe"),
        ("multipart/form-data; boundary=x", b"\x00" * 100),
        ("application/x-www-form-urlencoded", b"move=%ff%00%ed%a0%80&turn_key=%00&&&=&%"),
        ("application/x-www-form-urlencoded; charset=nonsense", b"move=pass"),
        ("application/json", b'{"move": "pass"}'),
        ("text/plain", b"\xff"),
        ("", b"x"),
    ],
)
def test_damaged_forms_are_refused(alice: User, bob: User, content_type: str, body: bytes) -> None:
    match = sit_down(alice, bob)
    before = frozen(match)
    client = browser(player_to_move(match))
    for page in (f"/matches/{match.slug}/act/move/", f"/matches/{match.slug}/act/end/", "/tables/new/m/"):
        response = client.generic("POST", page, body, content_type=content_type)
        assert 400 <= response.status_code < 500, page
    assert frozen(match) == before
    assert Match.objects.count() == 1


def test_person_who_is_switched_off_is_a_guest(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    user = player_to_move(match)
    client = browser(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    response = client.post(f"/matches/{match.slug}/act/move/", move_form(match), headers=HTMX)
    assert (response.status_code, notice_in(response)) == (403, "not-logged-in")
    assert client.get(f"/people/{user.username}/").status_code == 404


def test_accident_of_ours_is_no_half_move(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = sit_down(alice, bob)
    form, user, before = move_form(match), player_to_move(match), frozen(match)

    def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("disk full")

    client = browser(user, raise_request_exception=False)
    with monkeypatch.context() as patch:
        patch.setattr("games.matches.services.sitting.Sitting.save", broken)
        response = client.post(f"/matches/{match.slug}/act/move/", form, headers=HTMX)
    assert response.status_code == 500
    assert frozen(match) == before
    assert client.post(f"/matches/{match.slug}/act/move/", form, headers=HTMX).status_code == 200
