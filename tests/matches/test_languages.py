"""Whoever follows the links of the site in a language that is offered finds no English on the way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, product
from random import Random

import pytest

from accounts.people.models import User
from games.contract.registry import all_games
from tests.config.catalogues import LANGUAGES, english_left, speak
from tests.matches.browsing import browser
from tests.matches.conftest import Clock, sit_down
from tests.matches.playing import play_in_real_time, play_some, play_to_the_end
from tests.sizes import SOAKING, size

LINK = re.compile(r'href="(/[^"#]*)')
OF_A_KIND = size("pages of a kind", ci=2, soak=4)
"""So many pages with the same kind of address are read."""


def crawl(user: User | None, language: str) -> Iterator[tuple[str, str, str]]:
    """Addresses with their page in English and in that language, following links, a few to each kind of page."""
    known, other = speak(browser(user), "en"), speak(browser(user), language)
    ahead, seen, kinds = ["/"], {"/"}, Counter[str]()
    while ahead:
        path = ahead.pop(0)
        answers = [client.get(path) for client in (known, other)]
        if answers[0].status_code != 200 or not answers[0]["Content-Type"].startswith("text/"):
            continue
        english, translated = (answer.content.decode() for answer in answers)
        yield path, english, translated
        for link in LINK.findall(english):
            kind = re.sub(r"/[0-9a-f]{8,}/", "/*/", re.sub(r"/\d+/", "/0/", link)).split("?")[0]
            if link not in seen and kinds[kind] < OF_A_KIND and not link.startswith(("/static/", "/admin/")):
                seen.add(link)
                kinds[kind] += 1
                ahead.append(link)


@pytest.fixture
def matches_of_all_kinds(time: Clock, alice: User, bob: User, carol: User) -> None:
    """Of each game a table, one under way and one that is over."""
    for game in all_games():
        sit_down(bob, game=game, seats=3, start=False)
        running, over = sit_down(alice, bob, carol, game=game), sit_down(alice, bob, game=game)
        if game.info.real_time:
            play_in_real_time(over, Random(1))
        else:
            play_some(running, 6)
            play_to_the_end(over)


READERS = ("guest", "alice")
# In a slice each reads in another language.
WAYS = list(product(READERS, LANGUAGES) if SOAKING else zip(READERS, cycle(LANGUAGES), strict=False))


@pytest.mark.soak
@pytest.mark.parametrize(("who", "language"), WAYS)
def test_no_english_is_left_on_any_page(matches_of_all_kinds: None, alice: User, language: str, who: str) -> None:
    left: dict[str, set[str]] = {}
    pages = 0
    for path, english, translated in crawl(alice if who == "alice" else None, language):
        assert f'<html lang="{language}"' in translated or not translated.lstrip().startswith("<"), path
        pages += 1
        if found := english_left(english, translated, language):
            left[path] = found
    assert left == {}
    assert pages > 20
