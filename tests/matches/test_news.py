"""What a match's page says to those who listen: the log's last lines in order, to each what they may know."""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree

import pytest

from accounts.people.models import User
from games.matches.callers import Caller
from games.matches.fragments.log import NEWS_TAIL
from games.matches.models import Match
from games.matches.services.play import resign
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, Clock, player_to_move, sit_down
from tests.matches.playing import play_some, play_to_the_end
from tests.matches.twins import served

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Moves of tests and of pages share one clock."""


def news_of(page: str) -> ElementTree.Element:
    found = re.search(r'<div id="news".*?</div>', page)
    assert found is not None
    return ElementTree.fromstring(found[0].replace(" hidden", "", 1).replace(' hx-swap-oob="true"', ""))


def lines_for(user: User | None, match: Match) -> list[str]:
    items = news_of(text_of(browser(user).get(f"/matches/{match.slug}/"))).findall("ol/li")
    return [re.sub("[\u2068\u2069]", "", item.text or "") for item in items]


def turn_for(user: User | None, match: Match) -> tuple[str, str]:
    """How, and with which words, it is said whose turn it is."""
    said = news_of(text_of(browser(user).get(f"/matches/{match.slug}/"))).find("p")
    assert said is not None
    return said.get("data-news", ""), re.sub("[\u2068\u2069]", "", said.text or "").strip()


def test_the_last_lines_are_said_in_the_order_in_which_they_happened(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_some(match, NEWS_TAIL + 3)
    page = text_of(browser().get(f"/matches/{match.slug}/"))
    keys = [item.get("data-key") for item in news_of(page).findall("ol/li")]
    assert keys == [str(ply) for ply in range(match.ply - NEWS_TAIL + 1, match.ply + 1)]
    log = re.findall(r'<span class="log-words">(.*?) </span></li>', page)
    shown = [html.unescape(re.sub(r"<.*?>|[\u2068\u2069]", "", words)).strip() for words in log]
    assert lines_for(None, match) == shown[:NEWS_TAIL][::-1]


def test_a_push_brings_the_same_news_as_the_page(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_some(match, 3)
    for user in (alice, bob, None):
        page = text_of(browser(user).get(f"/matches/{match.slug}/"))
        push = text_of(browser(user).get(f"/matches/{match.slug}/live/", {"version": "1", "stage": "match"}))
        assert ElementTree.tostring(news_of(page)) == ElementTree.tostring(news_of(push))


def test_the_news_are_among_the_bytes_that_tell_nothing_hidden(alice: User, bob: User) -> None:
    """What test_hidden_bytes.py compares has them, in pages and pushes."""
    match = sit_down(alice, bob)
    play_some(match, 3)
    having = {path for path, (_, text, _) in served(match, alice).items() if 'id="news"' in text}
    assert f"/matches/{match.slug}/" in having
    assert any("/live/" in path for path in having)


def test_what_is_drawn_is_said_to_its_player_alone(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    mover = player_to_move(match)
    other = bob if mover == alice else alice
    play_some(match, 1)
    assert " draws " in lines_for(mover, match)[-1]
    for user in (other, None):
        assert " draws " not in lines_for(user, match)[-1]


def test_the_own_turn_is_said_at_once_and_to_nobody_else(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    mover = player_to_move(match)
    other = bob if mover == alice else alice
    how, words = turn_for(mover, match)
    assert (how, words.partition(":")[0]) == ("at-once", "Your turn")
    for user in (other, None):
        assert turn_for(user, match) == ("in-turn", f"It is the turn of {mover.display_name}.")


def test_the_end_is_said_at_once_to_who_played(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    resign(slug=match.slug, caller=Caller(alice), moment=START)
    assert turn_for(bob, match)[0] == "at-once"
    how, words = turn_for(None, match)
    assert how == "in-turn"
    assert words.startswith("Bob has won")
    assert lines_for(None, match)[-1] == "Alice has left the match."


@pytest.mark.parametrize("over", [False, True])
def test_a_match_page_has_one_polite_region(alice: User, bob: User, over: bool) -> None:
    """Everything else of the match that is live is an alert: what is said twice is heard twice."""
    match = sit_down(alice, bob)
    if over:
        play_to_the_end(match)
    # The rooms of the chat are logs of their own: what people say is no news of the match.
    # Nor is that one may not write there.
    page = text_of(browser(alice).get(f"/matches/{match.slug}/")).replace('class="chat-lines" role="log"', "")
    page = page.replace('class="chat-guest muted small" role="status"', "")
    assert len(re.findall(r'role="(?:log|status)"|aria-live="polite"', page)) == 2, "role and aria-live of the same"
    assert page.count('id="heard"') == 1
