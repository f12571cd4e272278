"""Playing alone: begun with one click, seen by nobody else, ended by the rules or given up, and said in own words."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.models import Match, Seat, SoloBest
from games.matches.services import admission
from games.matches.services.play import resign
from tests.matches.alone import CHOICES, begun, ended
from tests.matches.browsing import HTMX, browser, notice_in, text_of
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.crowds import Browser, at_once
from tests.matches.playing import play_in_real_time
from tests.matches.wire import do, watching

pytestmark = pytest.mark.django_db

ADDRESS = "/solo/blockyou/"


def page_of(match: Match, user: User | None) -> str:
    return re.sub("[\u2068\u2069]", "", text_of(browser(user).get(f"/matches/{match.slug}/")))


# The start


def test_one_click_begins_a_match_of_one_at_once(alice: User, time: Clock) -> None:
    answer = browser(alice).post(ADDRESS)
    match = Match.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/matches/{match.slug}/")
    assert (match.status, match.seat_count, match.public, match.started_at) == (Match.Status.RUNNING, 1, False, START)
    assert match.options == CHOICES, "what is not chosen is the default"
    seat = match.seats.get()
    assert (seat.kind, seat.user) == (Seat.Kind.PERSON, alice)
    by_htmx = browser(alice).post(ADDRESS, {"pace": "expert"}, headers=HTMX)
    assert by_htmx["HX-Redirect"] == f"/matches/{Match.objects.latest('pk').slug}/"


def test_choices_are_those_of_the_form(alice: User, time: Clock) -> None:
    browser(alice).post(ADDRESS, {"deck": "easy", "pace": "expert"})
    assert Match.objects.get().options == {"deck": "easy", "pace": "expert"}


def test_double_click_begins_one_and_other_choices_another(alice: User, bob: User, time: Clock) -> None:
    for _ in range(2):
        browser(alice).post(ADDRESS)
        time.tick(seconds=1)
    assert Match.objects.count() == 1
    browser(alice).post(ADDRESS, {"pace": "expert"})
    browser(bob).post(ADDRESS)
    assert Match.objects.count() == 3
    time.tick(seconds=5)
    browser(alice).post(ADDRESS)
    assert Match.objects.count() == 4, "later the same click means another match"


def test_who_gives_up_begins_anew_at_once(alice: User) -> None:
    first = begun(alice)
    resign(slug=first.slug, caller=Caller(alice), moment=START)
    assert begun(alice).slug != first.slug


def test_match_against_a_bot_is_no_match_of_one(alice: User, time: Clock) -> None:
    browser(alice).post("/play-now/m/")
    browser(alice).post("/play-now/m/")
    assert Match.objects.get().seat_count == 2


@pytest.mark.django_db(transaction=True)
def test_clicks_at_once_begin_one(alice: User) -> None:
    page = Browser(alice)
    answers = at_once([page.post(ADDRESS) for _ in range(6)])
    assert {answer.status_code for answer in answers} == {302}
    assert len({answer["Location"] for answer in answers}) == Match.objects.count() == 1


def test_what_is_wrong_is_said_and_begins_nothing(alice: User, time: Clock) -> None:
    for form in ({"deck": "marked"}, {"pace": "\0"}, {"pace": "expert", "deck": "9" * 5000}):
        refused = browser(alice).post(ADDRESS, form)
        assert (refused.status_code, notice_in(refused)) == (422, "bad-input")
        assert "The form has a value that is not offered." in text_of(refused)
    guest = browser().post(ADDRESS)
    assert (guest.status_code, notice_in(guest)) == (403, "not-logged-in")
    for game in ("m", "chess"):
        assert browser(alice).post(f"/solo/{game}/").status_code == 404
    assert browser(alice).get(ADDRESS)["Location"] == "/lobby/"
    assert not Match.objects.exists()


def test_limits_of_new_matches_count_these_too(alice: User, time: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MAX_OPENED_AN_HOUR", 1)
    begun(alice)
    refused = browser(alice).post(ADDRESS, {"pace": "expert"})
    assert (refused.status_code, notice_in(refused)) == (429, "too-many")


def test_lobby_and_home_offer_it_where_it_can_be_played(alice: User) -> None:
    for address in ("/lobby/", "/"):
        page = text_of(browser(alice).get(address))
        assert page.count('action="/solo/blockyou/"') == 1
        assert "/solo/m/" not in page
        assert 'href="/best-times/blockyou/"' in page
        for name, value in CHOICES.items():
            assert re.search(rf'<select name="{name}".*?<option value="{value}" selected>', page, re.S)
        assert "Your best times stand in the public list." in page
    assert "/solo/" not in text_of(browser().get("/")), "guests sign up first"


# Under way


def test_nobody_else_sees_it(alice: User, bob: User) -> None:
    match = begun(alice)
    for user in (bob, None):
        for address in ("", "live/?version=0", "replay/", "record/"):
            assert browser(user).get(f"/matches/{match.slug}/{address}").status_code == 404
        assert match.slug not in text_of(browser(user).get("/lobby/"))
    assert match.slug in text_of(browser(alice).get("/lobby/"))


def test_page_offers_to_give_up_and_nothing_that_needs_others(alice: User) -> None:
    page = page_of(begun(alice), alice)
    assert 'id="leave-resign"' in page
    assert "There is no result then." in page
    assert 'id="leave-end"' not in page
    assert 'id="leave-cancel"' not in page


# The end


def test_match_played_to_its_end_has_a_time(alice: User) -> None:
    """The score is the game's: the time to the last card, and penalties."""
    match = begun(alice)
    play_in_real_time(match, Random(1))
    assert match.reason == "cleared"
    assert match.outcome is not None
    assert SoloBest.objects.get().score == match.outcome["scores"][0]
    assert match.outcome["scores"][0] >= match.reached - 3000


def test_end_says_the_time_and_not_who_has_won(alice: User, bob: User) -> None:
    match = ended(alice, 192480)
    page = page_of(match, alice)
    assert "Your result: 3:12.480." in page
    assert "won" not in re.sub("<[^>]+>", "", page)
    assert "1." not in page[page.index('id="players"') : page.index('id="actions"')], "nor a place among none"
    replay = re.sub("[\u2068\u2069]", "", text_of(browser(alice).get(f"/matches/{match.slug}/replay/")))
    assert "Your result: 3:12.480." in replay
    assert browser(bob).get(f"/matches/{match.slug}/replay/").status_code == 404


def test_history_and_profile_say_the_time(alice: User) -> None:
    ended(alice, 192480)
    for address in ("/history/", "/people/alice/"):
        page = text_of(browser(alice).get(address))
        assert "3:12.480" in page
        assert "192480" not in page.replace(",", "").replace("\xa0", "")
        assert not re.search(r"\bplace\b", re.sub("<[^>]+>", "", page[page.index("match-list") :]))


def test_scores_of_other_matches_are_said_as_numbers(alice: User, bob: User) -> None:
    """Of those that their game says in no way of its own, and of BlockYou! in company: cards left."""
    match = sit_down(alice, bob)
    standing = {"places": [1, 2], "scores": [310, -20]}
    Match.objects.filter(pk=match.pk).update(
        status="over", reason="scored", finished_at=START, standing=standing, outcome=standing
    )
    match.seats.update(game_slug="m", finished_at=START)
    page = text_of(browser(alice).get("/history/"))
    assert "310" in page
    assert "−20" in page
    assert get_game("blockyou").texts.score(3, 2) == "3"  # type: ignore[attr-defined]


def test_who_gives_up_has_no_result(alice: User) -> None:
    match = begun(alice)
    resign(slug=match.slug, caller=Caller(alice), moment=START + timedelta(seconds=20))
    match.refresh_from_db()
    assert (match.status, match.reason, match.standing) == (Match.Status.OVER, "resigned", None)
    assert not SoloBest.objects.exists()
    page = page_of(match, alice)
    assert "The match has ended without a result." in page
    assert "You resigned." in page
    assert 'id="play-again"' in page


def test_once_more_with_the_same_choices(alice: User, time: Clock) -> None:
    match = ended(alice, 100_000, deck="easy")
    page = page_of(match, alice)
    form = page[page.index('hx-post="/solo/blockyou/"') : page.index('id="play-again"')]
    chosen = dict(re.findall(r'name="(\w+)" value="(\w+)"', form))
    assert chosen.pop("csrfmiddlewaretoken")
    assert chosen == {"deck": "easy", "pace": "normal"}
    time.tick(minutes=1)
    browser(alice).post(ADDRESS, chosen, headers=HTMX)
    assert Match.objects.latest("pk").options == match.options


def test_match_of_one_is_no_match_by_invitation(alice: User) -> None:
    match = begun(alice)
    page = text_of(browser(alice).get("/lobby/"))
    assert match.slug in page
    assert '<span class="tag">alone</span>' in page
    assert "By invitation" not in page


@pytest.mark.django_db(transaction=True)
async def test_end_comes_over_the_socket_to_who_plays_alone(alice: User) -> None:
    """What is said of the place among the best is asked of the database each time, and not on the sockets' loop."""
    before = await do(ended, alice, 90_000)
    match = await do(begun, alice, minutes=1)
    async with watching(match, alice) as page:
        assert 'data-status="over"' in await page.act("resign")
    async with watching(before, alice) as page:
        assert await page.hears_nothing()
