"""The home page with its match to look at, for guests and for who is registered, and the help page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from games.contract.registry import all_games, get_game
from games.matches import snapshots
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.services import admission
from games.matches.services.play import resign
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.playing import play_some

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Moves of tests and of pages share one clock."""


def shown_on(page: str) -> str | None:
    """What of a match the page or the answer shows, as it asks for it again; None without one."""
    _, found, rest = page.partition('<figure id="showcase"')
    return rest.partition('data-version="')[2].partition('"')[0] if found else None


def test_a_guest_is_told_what_this_is_and_led_to_signing_up() -> None:
    page = text_of(browser().get("/"))
    assert "/account/signup/" in page
    for game in all_games():
        assert f'href="/rules/{game.slug}/"' in page
    assert "Play now" not in page
    assert shown_on(page) is None, "in an empty house there is nothing to look at"
    assert "Nobody plays in public" in page


def test_who_is_registered_is_led_to_playing(alice: User) -> None:
    page = text_of(browser(alice).get("/"))
    assert "/account/signup/" not in page
    for game in all_games():
        assert f'action="/play-now/{game.slug}/"' in page


def test_a_guest_sees_a_match_under_way_and_who_is_registered_the_list(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_some(match, 5)
    page = text_of(browser().get("/"))
    assert shown_on(page) == f"{match.slug}.{match.version}"
    assert "m-board" in page
    assert "Watch it live" in page
    page = text_of(browser(alice).get("/"))
    assert shown_on(page) is None
    assert f'href="/matches/{match.slug}/"' in page


def test_the_board_of_the_home_page_is_a_spectators(alice: User, bob: User) -> None:
    """Also for a player who asks for it: no hand, nothing to press."""
    match = sit_down(alice, bob)
    play_some(match, 5)
    answers = {text_of(browser(user).get("/showcase/")) for user in (None, alice, bob)}
    assert len(answers) == 1
    (shown,) = answers
    assert "m-hand" not in shown
    assert "data-move" not in shown


def test_the_match_is_drawn_anew_only_when_something_has_happened(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_some(match, 5)
    shown = f"{match.slug}.{match.version}"
    assert browser().get("/showcase/", {"shown": shown}).status_code == 204
    play_some(match, 1)
    assert shown_on(text_of(browser().get("/showcase/", {"shown": shown}))) == f"{match.slug}.{match.version}"
    assert browser().get("/showcase/", {"shown": "x" * 5000}).status_code == 200


def test_private_matches_and_those_in_real_time_are_not_shown(alice: User, bob: User) -> None:
    sit_down(alice, bob, public=False)
    sit_down(alice, bob, game=get_game("blockyou"))
    assert browser().get("/showcase/").status_code == 204
    assert shown_on(text_of(browser().get("/"))) is None


def test_while_nobody_plays_the_last_match_is_shown(alice: User, bob: User) -> None:
    for public in (True, False):
        match = sit_down(alice, bob, public=public)
        resign(slug=match.slug, caller=Caller(alice), moment=START)
    (open_to_all,) = Match.objects.filter(public=True)
    page = text_of(browser().get("/"))
    assert shown_on(page) == f"{open_to_all.slug}.{open_to_all.version}"
    assert f"/matches/{open_to_all.slug}/replay/0/" in page


def test_home_costs_the_same_however_much_is_played(
    alice: User, bob: User, carol: User, django_assert_max_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("MAX_OPEN_TABLES", "MAX_OPENED_AN_HOUR", "MAX_RUNNING"):
        monkeypatch.setattr(admission, limit, 1000)

    def cost(client: Client) -> int:
        snapshots._kept.clear()
        with CaptureQueriesContext(connection) as queries:
            assert client.get("/").status_code == 200
        return len(queries)

    clients = [browser(), browser(alice)]
    sit_down(alice, bob)
    costs = [cost(client) for client in clients]
    assert max(costs) <= 12
    for _ in range(20):
        sit_down(alice, carol)
        sit_down(bob, carol, seats=3, start=False)
    assert [cost(client) for client in clients] == costs


def test_help_has_the_keys_of_every_game_and_what_cannot_be_heard() -> None:
    page = text_of(browser().get("/help/"))
    for game in all_games():
        assert f'id="keys-{game.slug}"' in page
    assert "In company it cannot be played with a screen reader" in page
    assert 'href="/help/"' in text_of(browser().get("/lobby/")), "the foot of every page leads to it"


def test_a_match_that_was_resigned_is_not_called_played_to_the_end(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    resign(slug=match.slug, caller=Caller(bob), moment=START)
    page = text_of(browser().get("/"))
    assert shown_on(page) is not None
    assert "played to the end" not in page
    assert re.search(r"M, over: \W*Bob\W* resigned", page)


def test_reporting_is_offered_to_who_is_not_alone_there(alice: User, bob: User) -> None:
    """In a tab of its own while people sit at a live match."""
    table = sit_down(alice, seats=2, start=False)
    assert "Report somebody" not in text_of(browser(alice).get(f"/matches/{table.slug}/"))
    match = sit_down(alice, bob)
    path, link = f"/matches/{match.slug}/", f'<a href="/report/?match={match.slug}" target="_blank" rel="noopener">'
    assert link in text_of(browser(alice).get(path))
    resign(slug=match.slug, caller=Caller(bob), moment=START)
    page = text_of(browser(alice).get(path))
    assert "Report somebody" in page
    assert link not in page
