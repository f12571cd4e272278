"""Every page of the matches: who gets which answer, to which method, at which cost; odd addresses and queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.people.models import User
from accounts.people.services import block_person, mute_person
from games.matches import urls
from games.matches.callers import Caller
from games.matches.models import Match, Seat
from games.matches.services import admission
from games.matches.services.acts import ACTS, perform_act
from games.matches.services.play import resign
from tests.matches.browsing import HTMX, act, browser, notice_in, slugs_in, text_of, without_tokens
from tests.matches.conftest import START, Clock, frozen, move_form, player_to_move, sit_down
from tests.matches.playing import play_form, play_to_the_end

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Moves of tests and of pages share one clock."""


# Every address, for everybody, by every method


def addresses(match: Match) -> dict[str, tuple[str, dict[str, int]]]:
    """By name of the address: one such address, and the status of a plain GET by each of the cast.

    The match is public and running; "open" stands for everybody who is not named.
    """
    slug = match.slug
    return {
        "home": ("/", {"open": 200}),
        "showcase": ("/showcase/", {"open": 200}),
        "help": ("/help/", {"open": 200}),
        "lobby": ("/lobby/", {"open": 200}),
        "all-rules": ("/rules/", {"open": 200}),
        "rules": ("/rules/m/", {"open": 200}),
        "all-lessons": ("/lessons/", {"open": 200}),
        "lessons": ("/lessons/m/", {"open": 200}),
        "lesson": ("/lessons/m/chips/", {"open": 200}),
        "ratings": ("/ratings/", {"open": 302}),
        "leaderboard": ("/ratings/m/", {"open": 200}),
        "play-now": ("/play-now/m/", {"open": 302}),
        "solo": ("/solo/blockyou/", {"open": 302}),
        "best-times": ("/best-times/blockyou/", {"open": 200}),
        "new-table": ("/tables/new/m/", {"guest": 302, "open": 200}),
        "match": (f"/matches/{slug}/", {"open": 200}),
        "live": (f"/matches/{slug}/live/", {"open": 200}),
        "invitation": (f"/matches/{slug}/invitation/{match.invite}/", {"open": 302}),
        "act": (f"/matches/{slug}/act/move/", {"open": 302}),
        "chat": (f"/matches/{slug}/chat/", {"open": 302}),
        "hint": (f"/matches/{slug}/hint/", {"open": 302}),
        "record": (f"/matches/{slug}/record/", {"open": 404}),
        "sheet": (f"/matches/{slug}/sheet.txt", {"open": 404}),
        "replay-end": (f"/matches/{slug}/replay/", {"open": 200}),
        "replay": (f"/matches/{slug}/replay/0/", {"open": 200}),
        "picture": (f"/matches/{slug}/final.svg", {"open": 404}),
        "history": ("/history/", {"guest": 302, "open": 200}),
        "vacation": ("/vacation/", {"guest": 302, "open": 200}),
        "your-turn": ("/your-turn/", {"guest": 204, "open": 200}),
        "archive": ("/history/archive/", {"guest": 302, "open": 200}),
        "records": ("/records/", {"open": 200}),
        "profile": ("/people/alice/", {"open": 200}),
    }


TAKES_POSTS = {"lesson", "play-now", "solo", "new-table", "act", "chat", "hint", "vacation", "records"}


def cast(alice: User, bob: User, mallory: User, mod: User) -> dict[str, User | None]:
    return {"guest": None, "player": alice, "opponent": bob, "outsider": mallory, "staff": mod}


def test_no_address_is_forgotten_below(alice: User, bob: User) -> None:
    names = {pattern.name for pattern in urls.urlpatterns}
    assert names == set(addresses(sit_down(alice, bob)))


def test_everybody_gets_the_right_answer_everywhere(alice: User, bob: User, mallory: User, mod: User) -> None:
    match = sit_down(alice, bob)
    play_form(match, player_to_move(match), move_form(match))
    for who, user in cast(alice, bob, mallory, mod).items():
        client = browser(user)
        for name, (path, statuses) in addresses(match).items():
            status = statuses.get(who, statuses["open"])
            assert client.get(path).status_code == status, (name, who)
            assert client.head(path).status_code == status, (name, who)


def test_other_methods_are_refused_and_change_nothing(alice: User, bob: User, mod: User) -> None:
    match = sit_down(alice, bob)
    before, client = frozen(match), browser(alice)
    for name, (path, _) in addresses(match).items():
        for method in ("post", "put", "patch", "delete", "options", "trace"):
            if method == "post" and name in TAKES_POSTS:
                continue
            response = getattr(client, method)(path)
            assert response.status_code == 405, (name, method)
    assert frozen(match) == before


def test_private_match_looks_to_others_like_none_at_all(alice: User, bob: User, mallory: User, mod: User) -> None:
    match = sit_down(alice, bob, public=False)
    missing = Match(slug="0123456789ab", invite="x")
    for name in ("match", "live", "record", "sheet", "replay-end", "replay"):
        for user in (mallory, None):
            hidden = browser(user).get(addresses(match)[name][0])
            absent = browser(user).get(addresses(missing)[name][0])
            assert (hidden.status_code, absent.status_code) == (404, 404), name
            assert without_tokens(hidden) == without_tokens(absent).replace(missing.slug, match.slug), name
        for user in (alice, bob, mod):
            assert browser(user).get(addresses(match)[name][0]).status_code == addresses(match)[name][1]["open"], name


def test_guest_at_a_match_that_is_not_open_is_led_through_log_in_to_it(alice: User, bob: User) -> None:
    """A player who has been logged out finds the way back, by the page that says the same of what does not exist."""
    match = sit_down(alice, bob, public=False)
    for name in ("match", "replay-end", "replay", "record", "sheet"):
        page = text_of(browser().get(addresses(match)[name][0]))
        assert f'href="/account/login/?next=/matches/{match.slug}/"' in page, name
        assert "log in to see it" in page
    assert "log in to see it" not in text_of(browser().get("/people/nobody/"))
    assert "log in to see it" not in text_of(browser(alice).get("/matches/nosuchmatch/"))


def test_page_of_a_table_invites_by_name_and_the_newcomer_first(alice: User, bob: User) -> None:
    match = sit_down(alice, seats=3, start=False)
    for user in (None, bob):
        page = text_of(browser(user).get(f"/matches/{match.slug}/"))
        assert "<bdi>Alice</bdi> invites you to play M." in page
        assert "only two colours count for you" in page
        assert "3 play at this table." in page
    page = text_of(browser().get(f"/matches/{match.slug}/"))
    main = page[page.index('id="stage"') :]
    assert main.index(f"/account/signup/?next=/matches/{match.slug}/") < main.index("/account/login/?next=")
    host = text_of(browser(alice).get(f"/matches/{match.slug}/"))
    assert "invites you" not in host
    assert f"/matches/{match.slug}/invitation/{match.invite}/</textarea>" in host
    assert 'data-copy="invite-link"' in host


def test_invitation_opens_a_private_table_also_through_log_in(alice: User, bob: User, mallory: User) -> None:
    """A guest follows the link, signs in, and sits down."""
    match = sit_down(alice, seats=2, public=False, start=False)
    client = browser()
    assert client.get(f"/matches/{match.slug}/").status_code == 404
    client.get(f"/matches/{match.slug}/invitation/{match.invite}/", follow=True)
    assert client.get(f"/matches/{match.slug}/").status_code == 200
    client.force_login(bob)
    assert client.post(f"/matches/{match.slug}/act/join/", {"seat": "1"}, headers=HTMX).status_code == 200
    assert match.seats.get(index=1).user == bob


@pytest.mark.parametrize("token", ["x", "%00", "é", "%C3%A9", "%FF", "a" * 5000, "%3Cscript%3E"])
def test_wrong_invitation_opens_nothing(alice: User, mallory: User, token: str) -> None:
    match = sit_down(alice, seats=2, public=False, start=False)
    response = browser(mallory).get(f"/matches/{match.slug}/invitation/{token}/", follow=True)
    assert response.status_code == 404


def test_session_remembers_a_limited_number_of_invitations(alice: User, bob: User) -> None:
    client = browser(bob)
    match = sit_down(alice, seats=2, public=False, start=False)
    for number in range(101):
        Match.objects.filter(pk=match.pk).update(slug=f"{number:012x}")
        client.get(f"/matches/{number:012x}/invitation/{match.invite}/")
    assert len(client.session["invitations"]) == 100


# Odd addresses

ODD = [
    "/people/%00/",
    "/people/%00alice/",
    "/people/..%2f/",
    "/people/%FF%FE/",
    f"/people/{'a' * 3000}/",
    "/people/alice'%20OR%201=1--/",
    "/rules/%00/",
    "/rules/nosuchgame/",
    "/rules/contract/",
    "/rules/matches/",
    "/tables/new/nosuchgame/",
    "/tables/new/contract/",
    "/matches/%00/",
    "/matches/nosuchmatch/",
    f"/matches/{'a' * 3000}/",
    "/matches/nosuchmatch/record/",
    "/matches/nosuchmatch/replay/",
    "/matches/nosuchmatch/replay/0/",
    "/matches/MATCH/replay/99999/",
    f"/matches/MATCH/replay/{'9' * 200}/",
    f"/matches/MATCH/replay/{'9' * 6000}/",
    "/matches/MATCH/replay/-1/",
    "/matches/MATCH/replay/1.5/",
    "/matches/MATCH/replay/%00/",
    "/matches/MATCH/replay/x/",
    "/play-now/nosuchgame/",
]


def test_addresses_of_nothing_are_not_found(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    for client in (browser(alice), browser()):
        for path in ODD:
            response = client.get(path.replace("MATCH", match.slug))
            assert response.status_code == 404, path
            assert "There is nothing here" in text_of(response), path


def test_play_now_and_new_table_of_no_game_are_not_found(alice: User) -> None:
    for path in ("/play-now/nosuchgame/", "/tables/new/nosuchgame/", "/play-now/%00/", "/play-now/matches/"):
        assert browser(alice).post(path).status_code == 404, path
    assert not Match.objects.exists()


ODD_QUERIES = [
    "?seat=999",
    "?seat=99",
    "?seat=-1",
    "?seat=%00",
    "?seat=%D9%A3",
    f"?seat={'9' * 5000}",
    "?seat[]=1&seat=x",
    "?version=%00&stage=%00",
    f"?version={'9' * 5000}&stage={'m' * 5000}",
    "?version=-1&stage=__class__",
    "?before=garbage",
    "?before=%00",
    "?before=2026-03-01T12:00:00_1",
    "?before=2026-03-01T12:00:00%2B00:00_x",
    "?before=2026-03-01T12:00:00%2B00:00_" + "9" * 30,
    "?before=2026-03-01T12:00:00%2B00:00_-1",
    "?before=2026-13-41T12:00:00%2B00:00_1",
    "?before=0001-01-01T00:00:00%2B14:00_5",
    "?before=9999-12-31T23:59:59-14:00_5",
    "?before=0001-01-01T00:00:00%2B00:00_5",
    "?before=2026-03-01T12:00:00%2B23:59_1",
    "?before=_",
    "?%00=%00&%FF=%FF",
]


def test_odd_queries_break_no_page(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    resign(slug=match.slug, caller=Caller(alice), moment=START)
    pages = ["/", "/lobby/", "/history/", "/people/bob/", f"/matches/{match.slug}/"]
    pages += [f"/matches/{match.slug}/{page}/" for page in ("live", "replay", "record")]
    client = browser(alice)
    for query in ODD_QUERIES:
        for page in pages:
            assert client.get(page + query).status_code == 200, page + query


# The poll


def test_poll_brings_what_has_changed_and_nothing_else(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    path = f"/matches/{match.slug}/live/"
    client = browser(alice)
    current = client.get(path, {"version": str(match.version), "stage": "match"})
    assert (current.status_code, current.content) == (204, b"")
    play_form(match, player_to_move(match), move_form(match))
    behind = client.get(path, {"version": str(match.version), "stage": "match"})
    assert (behind.status_code, behind["X-Match-Version"]) == (200, str(match.version + 1))
    assert 'id="stage"' not in text_of(behind)
    assert 'id="stage"' in text_of(client.get(path, {"version": str(match.version), "stage": "table"}))
    assert "no-store" in behind["Cache-Control"]


def test_poll_of_a_vanished_match_says_so(alice: User, mallory: User) -> None:
    private = sit_down(alice, seats=2, public=False, start=False)
    for slug in (private.slug, "0123456789ab"):
        response = browser(mallory).get(f"/matches/{slug}/live/", headers=HTMX)
        assert (response.status_code, notice_in(response)) == (404, "not-found")


# Games that are gone


def test_match_of_a_game_that_is_gone_breaks_no_page(alice: User, bob: User) -> None:
    running, table, over = sit_down(alice, bob), sit_down(alice, seats=2, start=False), sit_down(alice, bob)
    resign(slug=over.slug, caller=Caller(bob), moment=START)
    kept = sit_down(alice, bob)
    browser(alice).get(f"/matches/{running.slug}/")
    Match.objects.exclude(pk=kept.pk).update(game_slug="gone", version=99, revision=99)
    Seat.objects.filter(match=over).update(game_slug="gone")
    client = browser(alice)
    for path in ("/", "/lobby/", "/history/", "/people/alice/", "/people/bob/"):
        response = client.get(path)
        assert response.status_code == 200, path
        assert set(slugs_in(response)) <= {kept.slug}, path
    for match in (running, table, over):
        for path in ("", "live/", "record/", "replay/", "replay/0/"):
            assert client.get(f"/matches/{match.slug}/{path}").status_code == 404
        for name in ACTS:
            assert act(alice, match, name, {"seat": "1", "ready": "1", "agreed": "1"}).status_code == 404


# Costs


def test_lists_cost_the_same_with_ten_times_as_many_matches(
    alice: User, bob: User, carol: User, django_assert_max_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("MAX_OPEN_TABLES", "MAX_OPENED_AN_HOUR", "MAX_RUNNING"):
        monkeypatch.setattr(admission, limit, 1000)

    def fill(count: int) -> None:
        for _ in range(count):
            sit_down(alice, carol)
            sit_down(bob, carol, seats=3, start=False)
            over = sit_down(alice, bob)
            resign(slug=over.slug, caller=Caller(bob), moment=START)

    fill(3)
    client = browser(alice)
    pages = ["/", "/lobby/", "/history/", "/people/alice/", "/people/bob/"]
    for page in pages:
        client.get(page)
    costs = {page: _queries(client, page) for page in pages}
    fill(27)
    for page, cost in costs.items():
        with django_assert_max_num_queries(cost):
            client.get(page)
        assert cost <= 13, page


def test_invitations_and_company_cost_the_same_however_many_there_are(
    alice: User, make_person: Callable[..., User]
) -> None:
    def fill(*names: str) -> None:
        for name in names:
            other = make_person(name)
            block_person(by=alice, whom=make_person(f"{name}-blocked"), moment=START)
            mute_person(by=alice, whom=other, moment=START)
            waiting = sit_down(other, seats=3, start=False, public=False)
            perform_act(act="invite", slug=waiting.slug, caller=Caller(other), data={"name": "alice"}, arrived=START)

    fill("p1", "p2")
    client, pages = browser(alice), ("/lobby/", reverse("settings"))
    for page in pages:
        client.get(page)
    costs = {page: _queries(client, page) for page in pages}
    fill(*(f"q{number}" for number in range(8)))
    assert {page: _queries(client, page) for page in pages} == costs


def _queries(client: Client, page: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(page).status_code == 200
    return len(queries)


def test_match_page_costs_a_few_queries(
    alice: User, bob: User, carol: User, django_assert_max_num_queries: Any
) -> None:
    match = sit_down(alice, bob, carol)
    play_to_the_end(match)
    client = browser(alice)
    client.get(f"/matches/{match.slug}/")
    for path in ("", "live/?version=1", "replay/", "replay/3/?seat=1"):
        # Two are the rooms of the chat, one the turns that wait elsewhere.
        with django_assert_max_num_queries(10):
            assert client.get(f"/matches/{match.slug}/{path}").status_code == 200
