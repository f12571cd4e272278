"""The history of a person, by what is asked of it: each filter, wrong ones, pages of a cursor, what is private."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.models import Match, Seat
from games.matches.services.play import agree_to_end, resign
from games.matches.services.results import void_match
from games.matches.views import history
from tests.matches import alone
from tests.matches.browsing import HTMX, browser, slugs_in, text_of
from tests.matches.conftest import START, sit_down
from tests.matches.ledgers import end, play_rated

pytestmark = pytest.mark.django_db

BLOCK_BUSTER = get_game("block_buster")


def ended(*people: User, places: tuple[int, ...], hours: float, **table: Any) -> Match:
    """An unrated match that ended with these places, so many hours after the start."""
    return end(sit_down(*people, moment=START + timedelta(hours=hours), **table), places, hours)


def without_result(*people: User, hours: float, **table: Any) -> Match:
    moment = START + timedelta(hours=hours)
    match = sit_down(*people, moment=moment, **table)
    for user in people:
        agree_to_end(slug=match.slug, caller=Caller(user), agreed=True, moment=moment)
    match.refresh_from_db()
    return match


@pytest.fixture
def played(alice: User, bob: User, carol: User, mallory: User) -> dict[str, Match]:
    """Matches of Alice, a day apart, the oldest first; each stands for something that is asked for."""
    four = (alice, bob, carol, mallory)
    pairs: dict[str, Any] = {"game": BLOCK_BUSTER, "options": {"mode": "pairs"}}
    duel: dict[str, Any] = {"game": BLOCK_BUSTER, "options": {"mode": "official-duel"}}
    return {
        "won": ended(alice, bob, places=(1, 2), hours=0),
        "lost": ended(alice, carol, places=(2, 1), hours=24),
        "shared": ended(alice, bob, carol, places=(1, 1, 3), hours=48),
        "none": without_result(alice, bob, hours=72),
        "pairs": ended(*four, places=(1, 3, 1, 3), hours=96, **pairs),
        "duel": ended(alice, carol, places=(2, 1), hours=120, **duel),
        "rated": play_rated(alice, bob, places=(2, 1), hours=144),
        "private": ended(alice, carol, places=(1, 2), hours=168, public=False),
        "solo": alone.ended(alice, 80_000, minutes=192 * 60),
    }


def names_of(response: Any, played: dict[str, Match]) -> list[str]:
    """Which of the matches the page lists, oldest first."""
    by_slug = {match.slug: name for name, match in played.items()}
    return [by_slug[slug] for slug in reversed(slugs_in(response))]


def test_seats_say_how_each_of_them_came_out(played: dict[str, Match]) -> None:
    found = {
        name: list(match.seats.order_by("index").values_list("result", flat=True)) for name, match in played.items()
    }
    assert found == {
        "won": ["won", "lost"],
        "lost": ["lost", "won"],
        "shared": ["shared", "shared", "lost"],
        "none": ["none", "none"],
        "pairs": ["won", "lost", "won", "lost"],
        "duel": ["lost", "won"],
        "rated": ["lost", "won"],
        "private": ["won", "lost"],
        "solo": ["alone"],
    }
    for match in played.values():
        assert set(match.seats.values_list("finished_at", "game_slug", "rated", "public")) == {
            (match.finished_at, match.game_slug, match.rated, match.public)
        }


FILTERS: list[tuple[Mapping[str, str], str]] = [
    ({}, "won lost shared none pairs duel rated private solo"),
    ({"game": "m"}, "won lost shared none rated private"),
    ({"game": "blockyou"}, "solo"),
    ({"mode": "block_buster.pairs"}, "pairs"),
    ({"game": "block_buster", "mode": "block_buster.official-duel"}, "duel"),
    ({"result": "won"}, "won pairs private"),
    ({"result": "shared"}, "shared"),
    ({"result": "lost"}, "lost duel rated"),
    ({"result": "none"}, "none"),
    ({"result": "alone"}, "solo"),
    ({"rated": "rated"}, "rated"),
    ({"rated": "unrated", "game": "m"}, "won lost shared none private"),
    ({"opponent": "bob"}, "won shared none pairs rated"),
    ({"opponent": " BOB "}, "won shared none pairs rated"),
    ({"opponent": "mallory"}, "pairs"),
    ({"from": "2026-03-03"}, "shared none pairs duel rated private solo"),
    ({"to": "2026-03-03"}, "won lost shared"),
    ({"from": "2026-03-03", "to": "2026-03-03"}, "shared"),
    ({"to": "9999-12-31", "from": "0001-01-01", "result": "none"}, "none"),
    ({"opponent": "carol", "result": "lost", "game": "m", "rated": "unrated"}, "lost"),
    ({"opponent": "carol", "rated": "rated"}, ""),
    ({"game": "", "mode": "", "opponent": "", "from": "", "to": "", "unknown": "x"},
     "won lost shared none pairs duel rated private solo"),
]  # fmt: skip


def test_each_filter_lists_what_it_says(alice: User, played: dict[str, Match]) -> None:
    client = browser(alice)
    for asked, expected in FILTERS:
        response = client.get("/history/", asked)
        assert response.status_code == 200, asked
        assert names_of(response, played) == expected.split(), asked


def test_profile_filters_as_the_history_does_and_keeps_private_matches_to_those_who_sat_there(
    carol: User, mallory: User, played: dict[str, Match]
) -> None:
    for user, expected in ((carol, "won pairs private"), (mallory, "won pairs"), (None, "won pairs")):
        response = browser(user).get("/people/alice/", {"result": "won"})
        assert names_of(response, played) == expected.split()
    assert names_of(browser(mallory).get("/people/alice/", {"opponent": "carol", "result": "won"}), played) == ["pairs"]


def test_opponent_is_found_by_the_name_that_others_see_where_only_one_has_it(
    alice: User, bob: User, carol: User, played: dict[str, Match]
) -> None:
    User.objects.filter(pk=bob.pk).update(display_name="Robert B")
    assert "won" in names_of(browser(alice).get("/history/", {"opponent": "robert b"}), played)
    copied = "\u2068Robert B\u2069"
    assert "won" in names_of(browser(alice).get("/history/", {"opponent": copied}), played)
    User.objects.filter(pk=carol.pk).update(display_name="Robert B")
    response = browser(alice).get("/history/", {"opponent": "robert b"})
    assert response.status_code == 422
    assert "Several people are called" in text_of(response)


WRONG = [
    ({"game": "chess"}, "game", "There is no such choice."),
    ({"mode": "pairs"}, "mode", "There is no such choice."),
    ({"game": "m", "mode": "block_buster.pairs"}, "mode", "M has no such mode."),
    ({"result": "drawn"}, "result", "There is no such choice."),
    ({"rated": "1"}, "rated", "There is no such choice."),
    ({"opponent": "nobody"}, "opponent", "Nobody here is called \u2068nobody\u2069."),
    ({"opponent": "<b>x</b>"}, "opponent", "&lt;b&gt;x&lt;/b&gt;"),
    ({"opponent": "alice"}, "opponent", "Please name somebody else."),
    ({"opponent": "x" * 5000}, "opponent", "Nobody has a name as long as that."),
    ({"opponent": "b\0b"}, "opponent", "Null characters are not allowed."),
    ({"from": "yesterday"}, "from", "Please give a day of the calendar"),
    ({"from": "2026-02-30"}, "from", "Please give a day of the calendar"),
    ({"to": "10000-01-01"}, "to", "Please give a day of the calendar"),
    ({"from": "2026-03-02", "to": "2026-03-01"}, "to", "This is before the first day."),
]


@pytest.mark.parametrize(("asked", "field", "sentence"), WRONG)
def test_wrong_value_gets_its_sentence_at_its_field_and_lists_nothing(
    alice: User, bob: User, asked: Mapping[str, str], field: str, sentence: str
) -> None:
    ended(alice, bob, places=(1, 2), hours=0)
    for path in ("/history/", "/people/alice/"):
        response = browser(alice).get(path, asked)
        page = text_of(response)
        assert response.status_code == 422
        assert slugs_in(response) == []
        wrong = re.search(rf'<div class="field invalid">\s*<label for="asked-{field}">.*?</div>', page, re.DOTALL)
        assert wrong is not None
        assert sentence in wrong[0]
        assert page.count('class="field invalid"') == 1
        assert 'class="asked" open' in page


def test_all_that_was_shown_is_there_again_by_the_address_that_showing_more_leaves(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "PAGE", 3)
    wanted = [ended(alice, bob, places=(1, 2), hours=hour // 3) for hour in range(8)]
    ended(alice, carol, places=(1, 2), hours=1)
    client, path = browser(alice), "/history/?opponent=bob"
    older = re.search(r'id="history-older"[^>]* href="([^"]+)"', text_of(client.get(path)))
    assert older is not None
    more = client.get("/history/" + html.unescape(older[1]), headers=HTMX)
    assert text_of(more).count("autofocus") == 1, "the first new row has the focus"
    left = more["HX-Replace-Url"]
    assert "before" not in left
    latest = ended(alice, bob, places=(1, 2), hours=9)
    again = client.get(left)
    assert slugs_in(again) == [latest.slug, *[match.slug for match in reversed(wanted)][:6]]
    assert "autofocus" not in text_of(again)
    assert 'id="history-older"' in text_of(again)
    monkeypatch.setattr(history, "MOST", 4)
    assert len(slugs_in(client.get(left))) == 4


@pytest.mark.parametrize(
    "cursor", ["x", "_", "2026-03-01_1", "9999-12-31T23:59:59-14:00_1", "2026-03-01T12:00:00+00:00_x", "\0_1", "１_１"]
)
def test_cursor_that_somebody_made_up_counts_as_none(alice: User, bob: User, cursor: str) -> None:
    match = ended(alice, bob, places=(1, 2), hours=0)
    for name in ("before", "until"):
        assert slugs_in(browser(alice).get("/history/", {name: cursor})) == [match.slug]


def test_more_is_shown_page_by_page_of_what_was_asked_for(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each once, also of the same moment, and also while others end; none that was not asked for."""
    monkeypatch.setattr(history, "PAGE", 3)
    wanted = [ended(alice, bob, places=(1, 2), hours=hour // 3) for hour in range(7)]
    ended(alice, carol, places=(1, 2), hours=1)
    client, path, seen = browser(alice), "/history/?opponent=bob&result=won", []
    for page in range(3):
        response = client.get(path)
        seen += slugs_in(response)
        assert ('id="history-newest"' in text_of(response)) == (page > 0)
        ended(alice, bob, places=(1, 2), hours=9 + page)
        older = re.search(r'id="history-older"[^>]* href="([^"]+)"', text_of(response))
        if older is not None:
            path = "/history/" + html.unescape(older[1])
    assert seen == [match.slug for match in reversed(wanted)]
    assert older is None


def test_page_gets_a_short_address_from_the_form(alice: User, bob: User) -> None:
    """Browsers send the fields that are left empty too."""
    sent = {"game": "m", "mode": "", "result": "", "opponent": "bob & co", "from": ""}
    response = browser(alice).get("/history/", sent, headers=HTMX)
    assert response["HX-Push-Url"] == "/history/?game=m&opponent=bob+%26+co"
    assert "<html" in text_of(response), "what browsers keep for Back is a whole page"
    assert "HX-Push-Url" not in browser(alice).get("/history/", {"game": "m"})


def test_voided_match_has_no_result_any_more(alice: User, bob: User) -> None:
    match = ended(alice, bob, places=(1, 2), hours=0)
    void_match(slug=match.slug, moment=START + timedelta(days=9))
    assert slugs_in(browser(alice).get("/history/", {"result": "won"})) == []
    assert slugs_in(browser(alice).get("/history/", {"result": "none", "to": "2026-03-01"})) == [match.slug]


def test_who_has_left_has_lost_and_the_partner_has_not(alice: User, bob: User, carol: User, mallory: User) -> None:
    pairs = sit_down(alice, bob, carol, mallory, game=BLOCK_BUSTER, options={"mode": "pairs"})
    for user in (bob, alice, mallory):
        resign(slug=pairs.slug, caller=Caller(user), moment=START)
    assert list(pairs.seats.order_by("index").values_list("result", flat=True)) == ["lost", "lost", "won", "lost"]


def test_nobody_has_a_name_that_no_database_can_look_up(db: None) -> None:
    for name in ("%00", "a" * 60_000):
        assert browser().get(f"/people/{name}/").status_code == 404


def test_running_match_has_no_history_yet(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    assert not Seat.objects.filter(match=match, finished_at__isnull=False).exists()
    assert slugs_in(browser(alice).get("/history/")) == []


def test_history_takes_as_many_queries_for_many_matches_as_for_one(alice: User, bob: User, carol: User) -> None:
    ended(alice, bob, carol, places=(1, 2, 3), hours=0)
    client, asked = browser(alice), {"opponent": "bob", "game": "m", "result": "won"}

    def queries(query: Mapping[str, str]) -> int:
        with CaptureQueriesContext(connection) as counted:
            assert client.get("/history/", query).status_code == 200
        return len(counted)

    few = [queries({}), queries(asked)]
    for hour in range(1, 26):
        ended(alice, bob, carol, places=(1, 2, 3), hours=hour)
    assert [queries({}), queries(asked)] == few
    assert few == [6, 7], "the session, its person, turns, invitations, the matches and their seats; the opponent"
