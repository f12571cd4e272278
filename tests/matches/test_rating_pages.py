"""Ratings on pages: the choice at the table, the change beside the result, the leaderboards, the profile."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.fragments.graph import draw_graph
from games.matches.ledger import Rating, RatingChange
from games.matches.models import Match
from games.matches.rating_lists import Point
from games.matches.services.recompute import recompute
from games.matches.services.results import void_match
from games.matches.skill import SETTLED_AFTER
from tests.matches.browsing import act, browser, notice_in, table_form, text_of
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.ledgers import play_rated, rated_table

pytestmark = pytest.mark.django_db

RECOMPUTING = "are being recomputed"
CLOCK = {"clock_live": "600000+10000"}


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Matches of tests and of pages share one clock."""


def words(response: Any) -> str:
    """What the page says, without its markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text_of(response)))


# At the table


def test_rated_is_a_choice_of_the_form(alice: User) -> None:
    client = browser(alice)
    offered = text_of(client.get("/tables/new/m/"))
    assert re.search(r'name="rated" value="unrated"[^>]* checked', offered)
    for chosen, rated in (({"rated": "rated", **CLOCK}, True), ({"rated": "unrated"}, False), ({}, False)):
        response = client.post("/tables/new/m/", table_form(**chosen))
        assert (response.status_code, Match.objects.latest("pk").rated) == (302, rated)


@pytest.mark.parametrize(
    ("game", "form", "reason"),
    [
        ("m", table_form(rated="rated", clock_live="none"), "clock"),
        ("m", table_form(rated="perhaps"), "Select a valid choice"),
        ("blockyou", {**table_form(rated="rated", seats="1"), "option_start": ""}, "two players at least"),
    ],
)
def test_rated_table_that_can_not_be_is_refused_with_the_reason(
    alice: User, game: str, form: dict[str, str], reason: str
) -> None:
    if game == "blockyou":
        form = {key: value for key, value in form.items() if not key.startswith("option_")}
        info = get_game(game).info
        form |= {f"option_{option.key}": str(option.default) for option in info.options}
    response = browser(alice).post(f"/tables/new/{game}/", form)
    assert response.status_code == 422
    assert reason in words(response)
    assert not Match.objects.exists()


def test_rated_table_says_so_everywhere_and_offers_no_bot(alice: User, bob: User) -> None:
    match = rated_table(alice, seats=2, start=False)
    page = text_of(browser(alice).get(f"/matches/{match.slug}/"))
    assert "Give to a bot" not in page
    assert "This match will be rated" in page
    assert "Rated" in words(browser(bob).get("/lobby/"))
    response = act(alice, match, "bot", {"seat": "1"})
    assert (response.status_code, notice_in(response)) == (409, "people-only")
    running = rated_table(alice, bob, hours=1)
    assert 'id="rated"' in text_of(browser(bob).get(f"/matches/{running.slug}/"))
    assert "Rated" in words(browser(bob).get(f"/matches/{running.slug}/"))
    plain = sit_down(alice, bob, moment=START + timedelta(hours=2))
    assert "Rated" not in words(browser(bob).get(f"/matches/{plain.slug}/"))


# After the end


def test_result_says_what_became_of_each_rating(alice: User, bob: User) -> None:
    match = play_rated(alice, bob, places=(1, 2))
    for user in (alice, bob, None):
        said = words(browser(user).get(f"/matches/{match.slug}/"))
        assert ("Your rating: 1500 → 1579 (+79)" in said) == (user == alice)
        assert "Rating 1500 → 1579 (+79) provisional" in said
        assert "Rating 1500 → 1421 (−79) provisional" in said
    unrated = sit_down(alice, bob, moment=START + timedelta(hours=2))
    assert "→" not in words(browser(alice).get(f"/matches/{unrated.slug}/"))


def test_pages_say_that_ratings_are_recomputed_until_they_are(alice: User, bob: User) -> None:
    first, second = play_rated(alice, bob, places=(1, 2)), play_rated(alice, bob, places=(1, 2), hours=1)
    pages = [f"/matches/{second.slug}/", "/people/alice/", "/ratings/m/"]
    client = browser(alice)
    for page in pages:
        assert RECOMPUTING not in words(client.get(page))
    void_match(slug=first.slug, moment=START)
    for page in pages:
        assert RECOMPUTING in words(client.get(page)), page
    assert "1579 → " in words(client.get(pages[0]))
    assert "→" not in words(client.get(f"/matches/{first.slug}/")), "of the voided one nothing is said any more"
    recompute(game="m")
    for page in pages:
        assert RECOMPUTING not in words(client.get(page)), page
    assert "1500 → 1579 (+79)" in words(client.get(pages[0])), "also where the match was kept drawn"


def test_match_above_the_voided_one_is_not_recomputed(alice: User, bob: User) -> None:
    first, second = play_rated(alice, bob, places=(1, 2)), play_rated(alice, bob, places=(1, 2), hours=1)
    void_match(slug=second.slug, moment=START)
    assert RECOMPUTING not in words(browser(alice).get(f"/matches/{first.slug}/"))


# Leaderboards


def rank(*people: User, shown: list[int], matches: int = SETTLED_AFTER) -> None:
    """Ratings as if that many matches had been played."""
    play_rated(*people, places=range(1, len(people) + 1))
    for person, rating in zip(people, shown, strict=True):
        Rating.objects.filter(user=person).update(shown=rating, matches=matches)


def lines(response: Any) -> list[list[str]]:
    """The leaderboard, cell by cell."""
    rows = re.findall(r"<tr[^>]*>(<td.*?)</tr>", text_of(response), re.S)
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.S)] for row in rows
    ]


def test_leaderboard_ranks_settled_ratings_of_active_people(
    alice: User, bob: User, carol: User, mallory: User, mod: User
) -> None:
    people = [alice, bob, carol, mallory, mod]
    rank(*people, shown=[1510, 1620, 1620, 1900, 1800])
    Rating.objects.filter(user=mallory).update(matches=SETTLED_AFTER - 1)
    User.objects.filter(pk=mod.pk).update(is_active=False)
    expected = [["1", "Bob", "1620", "10"], ["1", "Carol", "1620", "10"], ["3", "Alice", "1510", "10"]]
    assert lines(browser().get("/ratings/m/")) == expected
    own = browser(alice).get("/ratings/m/")
    assert lines(own) == [*expected[:2], ["3", "Alice you", "1510", "10"]]
    assert "1 more rated match, and you are ranked too." in words(browser(mallory).get("/ratings/m/"))
    assert browser().get("/ratings/chess/").status_code == 404


def test_own_place_is_told_also_below_the_list(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.matches.rating_lists.BEST", 2)
    rank(alice, bob, carol, shown=[1700, 1600, 1400])
    page = browser(carol).get("/ratings/m/")
    assert len(lines(page)) == 2
    assert "You stand on place 3 with 1400." in words(page)
    assert "You stand on" not in words(browser(alice).get("/ratings/m/"))


def test_leaderboard_without_anybody_says_what_to_do(alice: User) -> None:
    for user in (None, alice):
        assert "Nobody is ranked yet." in words(browser(user).get("/ratings/m/"))
    assert f"{SETTLED_AFTER} more rated matches" in words(browser(alice).get("/ratings/m/"))
    assert browser().get("/ratings/", follow=True).status_code == 200


def test_names_on_leaderboards_are_text(alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(display_name="<b>{{ x }}\u202e</b>")
    rank(alice, bob, shown=[1700, 1600])
    page = text_of(browser().get("/ratings/m/"))
    assert "<bdi>&lt;b&gt;{{ x }}&lt;/b&gt;</bdi>" in page


# The profile


def test_profile_tells_rating_record_and_way(alice: User, bob: User, carol: User) -> None:
    for number in range(SETTLED_AFTER):
        play_rated(alice, bob, places=(1, 2) if number % 3 else (2, 1), hours=number)
    play_rated(alice, bob, carol, places=(1, 1, 3), hours=20)
    rating = Rating.objects.get(user=alice)
    page = browser().get("/people/alice/")
    said = words(page)
    assert f"{rating.shown} " in said
    assert "provisional" not in said
    best = max(RatingChange.objects.filter(rating=rating, nth__gte=SETTLED_AFTER).values_list("shown_after", flat=True))
    assert f"11 rated matches · 6 won, 4 lost · 1 first place shared · best {best}" in said
    assert re.search(r"2 players 6 0 4 3 players 0 1 0", said)
    assert f"11 matches, from 2026-03-01 to 2026-03-02: from 1421 to {rating.shown}" in said
    assert "provisional" in words(browser().get("/people/carol/"))
    assert "rating-graph" not in text_of(browser().get("/people/mod/"))


def test_profile_tells_the_modes_of_a_game(alice: User, bob: User) -> None:
    play_rated(alice, bob, places=(1, 2), game=get_game("block_buster"), options={"mode": "official-duel"})
    label = get_game("block_buster").texts.option_value("mode", "official-duel")[0]
    assert f"2 players · {label} 1 0 0" in words(browser().get("/people/alice/"))


def test_private_rated_matches_are_in_the_rating_and_not_named(alice: User, bob: User) -> None:
    match = play_rated(alice, bob, places=(1, 2), public=False)
    page = browser().get("/people/alice/")
    assert "1 rated match" in words(page)
    assert match.slug not in text_of(page)


# The graph


def points(*shown: int) -> list[Point]:
    return [Point(each, START + timedelta(days=number)) for number, each in enumerate(shown)]


def drawn(*shown: int) -> list[tuple[float, float]]:
    svg = draw_graph(points(*shown), title="Rating", name="g")
    found = re.search(r'polyline class="graph-line" points="([^"]+)"', svg)
    assert found is not None
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in found[1].split(" "))]


def test_graph_rises_with_the_rating_and_stays_within_its_frame() -> None:
    for shown in ([1500, 1579, 1421], [1500] * 4, [1490, 1490 + 3000], [7], [-200, 100]):
        line = drawn(*shown)
        assert [x for x, _ in line] == sorted({x for x, _ in line})
        assert all(0 < x < 480 and 0 < y < 190 for x, y in line)
        assert [y for _, y in sorted(line, key=lambda at: -at[1])] == [
            line[at][1] for at in sorted(range(len(shown)), key=lambda at: shown[at])
        ]


def test_graph_has_levels_with_round_numbers_and_says_it_in_words() -> None:
    svg = draw_graph(points(1500, 1579, 1421), title="Rating <in> M", name="g")
    assert re.findall(r'class="graph-number"[^>]*>(\d+)<', svg) == ["1400", "1450", "1500", "1550", "1600"]
    assert 'role="img" aria-labelledby="g-title g-desc"' in svg
    assert '<title id="g-title">Rating &lt;in&gt; M</title>' in svg
    assert "3 matches, from 2026-03-01 to 2026-03-03: from 1500 to 1421, lowest 1421, highest 1579." in svg
    assert "style" not in svg
