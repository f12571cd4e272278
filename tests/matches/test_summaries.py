"""The page of a match that is over tells it whole: result, reason, options, moves, how long, and when."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches import clock_texts
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.services.clocks import USUAL_LIMITS
from games.matches.services.play import resign
from games.matches.services.results import void_match
from tests.matches import alone
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, sit_down
from tests.matches.ledgers import play_rated
from tests.matches.playing import play_some, play_to_the_end

pytestmark = pytest.mark.django_db


def summary_of(match: Match, user: User | None = None) -> str:
    """What the part of the page says, without its markup."""
    page = text_of(browser(user).get(f"/matches/{match.slug}/"))
    part = re.search(r'<section id="summary".*?</section>', page, re.DOTALL)
    assert part is not None
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", part[0])).strip()


def test_page_of_a_finished_match_has_its_table_options_duration_and_dates(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol, options={"start": "arch"}, clock=USUAL_LIMITS[Match.Pace.LIVE])
    play_to_the_end(match)
    match.refresh_from_db()
    assert match.standing is not None
    said = summary_of(match)
    for name, place, score in zip(("Alice", "Bob", "Carol"), *match.standing.values(), strict=True):
        assert f"{place} {name} {str(score).replace('-', '−')}" in said
    assert f"{match.game.texts.option('start')} {match.game.texts.option_value('start', 'arch')[0]}" in said
    assert "Pace Live" in said
    assert "Clock 20 min + 20 s a move" in said
    assert "Rating Unrated" in said
    assert "Begun 2026-03-01 12:00 UTC" in said
    assert "Ended 2026-03-01 12:0" in said
    assert re.search(r"Duration \d+ min \d+ s$", said)
    page = text_of(browser().get(f"/matches/{match.slug}/"))
    assert "has won" in page or "share the first place" in page
    assert f'href="/matches/{match.slug}/final.svg"' in page
    assert f'id="all-moves" href="/matches/{match.slug}/replay/"' in page


def test_who_left_and_what_was_rated_stands_beside_the_result(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_some(match, 2)
    resign(slug=match.slug, caller=Caller(bob), moment=START + timedelta(hours=2, minutes=5))
    said = summary_of(match)
    assert "2 Bob Resigned" in said
    assert "Duration 2 hours 5 minutes" in said
    assert "Rating Rated" in summary_of(play_rated(alice, bob, places=(1, 2), hours=3))


def test_match_without_a_result_has_no_table_and_a_match_alone_no_place(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    void_match(slug=match.slug, moment=START + timedelta(seconds=7))
    said = summary_of(match)
    assert "Place" not in said
    assert "Duration 0 min 7 s" in said
    solo = summary_of(alone.ended(alice, 83_250), alice)
    assert "Place" not in solo
    assert "Alice 1:23.250" in solo


def test_running_match_says_none_of_it(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_some(match, 1)
    assert summary_of(match) == "The match"
    page = text_of(browser(alice).get(f"/matches/{match.slug}/"))
    assert "final.svg" not in page
    assert re.search(r'<section id="summary"[^>]* hidden>', page)


def test_summary_comes_with_the_push_that_ends_the_match(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    resign(slug=match.slug, caller=Caller(bob), moment=START)
    pushed = text_of(browser(alice).get(f"/matches/{match.slug}/live/?version=1&stage=match"))
    assert re.search(r'<section id="summary"[^>]* hx-swap-oob="true">', pushed)


@pytest.mark.parametrize(
    ("time", "said"),
    [
        (timedelta(seconds=5), "0 min 5 s"),
        (timedelta(minutes=59, seconds=59), "59 min 59 s"),
        (timedelta(hours=1), "1 hour"),
        (timedelta(days=2, hours=3, minutes=9), "2 days 3 hours"),
    ],
)
def test_duration_in_words(time: timedelta, said: str) -> None:
    assert clock_texts.time_played(time) == said


def test_options_of_each_game_are_said(alice: User, bob: User) -> None:
    for game, options in (("block_buster", {"mode": "official-duel"}), ("blockyou", {"deck": "easy"})):
        match = sit_down(alice, bob, game=get_game(game), options=options)
        resign(slug=match.slug, caller=Caller(bob), moment=START + timedelta(seconds=30))
        match.refresh_from_db()
        said, words = summary_of(match), match.game.texts
        matters = {option.key: option.matters(match.seat_count) for option in match.game.info.options}
        for key, value in match.options.items():
            assert (f"{words.option(key)} {words.option_value(key, value)[0]}" in said) is matters[key]
