"""Vacations as people see them: who is away, and the page that leads away and back."""

from __future__ import annotations

import re

import pytest

from accounts.people.models import User
from games.matches.models import Match, Vacation
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import Clock, sit_down
from tests.matches.timekeeping import LIVE, by_turns, come_back, go

pytestmark = pytest.mark.django_db


def page_of(match: Match, user: User | None) -> str:
    return text_of(browser(user).get(f"/matches/{match.slug}/"))


def test_others_see_who_is_on_vacation(alice: User, bob: User, time: Clock) -> None:
    match, live = by_turns(alice, bob), sit_down(alice, bob, clock=LIVE)
    version = match.version
    assert "on vacation" not in page_of(match, bob)
    go(alice, 1000)
    match.refresh_from_db()
    assert match.version == version + 1, "pages that are open hear of it"
    for user in (alice, bob, None):
        players = re.findall(r'(?s)<li id="seat-\d".*?</li>', page_of(match, user))
        assert ["on vacation" in player for player in players] == [True, False]
        assert "on vacation" not in page_of(live, user)
    come_back(alice, 2000)
    assert "on vacation" not in page_of(match, bob)


def test_page_leads_away_and_back(alice: User, bob: User, time: Clock) -> None:
    match = by_turns(alice, bob)
    client = browser(alice)
    assert '<a href="/vacation/">' in text_of(client.get("/lobby/"))
    assert '<a href="/vacation/">' in text_of(client.get("/account/settings/"))
    assert "<strong>14 days</strong>" in text_of(client.get("/vacation/"))
    response = client.post("/vacation/", {"away": "1"})
    assert (response.status_code, response["Location"]) == (302, "/vacation/")
    assert match.seats.filter(away_until__isnull=False).count() == 1
    time.tick(days=3, hours=5)
    page = text_of(client.get("/vacation/"))
    assert "Since 2026-03-01 12:00 UTC, until 2026-03-15 12:00 UTC at the latest" in page
    assert "<strong>10 days 19 hours</strong>" in page
    assert "You are on vacation" in text_of(client.get("/lobby/"))
    assert client.post("/vacation/", {"away": "0"}).status_code == 302
    assert Vacation.objects.get().ended_at == time.moment
    assert "You are on vacation" not in text_of(client.get("/lobby/"))


def test_page_says_when_nothing_is_left(alice: User, time: Clock) -> None:
    go(alice, 0)
    time.tick(days=30)
    client = browser(alice)
    page = text_of(client.get("/vacation/"))
    assert "used up" in page
    assert 'name="away"' not in page
    response = client.post("/vacation/", {"away": "1"})
    assert response.status_code == 409
    assert 'data-code="no-vacation-left"' in text_of(response)


@pytest.mark.parametrize("form", [{}, {"away": "2"}, {"away": ""}, {"away": "\0"}, {"away": "yes"}])
def test_form_that_says_something_else_changes_nothing(alice: User, form: dict[str, str]) -> None:
    response = browser(alice).post("/vacation/", form)
    assert response.status_code == 422
    assert 'data-code="bad-input"' in text_of(response)
    assert not Vacation.objects.exists()


def test_guests_have_no_vacation(db: None) -> None:
    for response in (browser().get("/vacation/"), browser().post("/vacation/", {"away": "1"})):
        assert response["Location"].endswith("?next=/vacation/")
    assert not Vacation.objects.exists()
