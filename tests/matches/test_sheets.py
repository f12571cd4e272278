"""The sheet of a finished match: plain text that a person reads, whatever its players call themselves."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

import pytest

from accounts.people.models import User
from accounts.people.names import FIRST_STRONG_ISOLATE, POP_ISOLATE
from games.contract.registry import Game, all_games, get_game
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.services.due import settle_due
from games.matches.services.play import agree_to_end, cancel_match, resign
from games.matches.services.results import void_match
from tests.matches.alone import ended
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, Clock, sit_down, turn_key
from tests.matches.playing import play_form, play_some, play_to_the_end

pytestmark = pytest.mark.django_db

ISOLATES = re.compile(f"[{FIRST_STRONG_ISOLATE}{POP_ISOLATE}]")


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Nothing moves while a test looks."""


def sheet_of(match: Match, user: User | None = None) -> str:
    """The sheet, which is plain text without marks that nobody sees."""
    answer = browser(user).get(f"/matches/{match.slug}/sheet.txt")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    text = text_of(answer)
    assert ISOLATES.search(text) is None
    return text


@pytest.mark.parametrize("game", ["m", "block_buster"])
def test_a_sheet_tells_the_whole_match(alice: User, bob: User, game: str) -> None:
    match = sit_down(alice, bob, game=get_game(game))
    play_to_the_end(match)
    text = sheet_of(match)
    lines = text.splitlines()
    assert lines[0] == f"A match of {match.game.info.title}"
    assert "Begun: 2026-03-01 12:00 UTC" in lines
    assert f"Address: http://testserver/matches/{match.slug}/" in lines
    assert match.deal_hash in text
    assert match.standing is not None
    for index, name in enumerate(["Alice", "Bob"]):
        score = str(match.standing["scores"][index]).replace("-", "−")
        place = match.standing["places"][index]
        assert re.search(rf"^ +{index + 1}\. {name}, place {place}, {score} points?$", text, re.M)
    numbers = [int(found) for found in re.findall(r"^ +(\d+)\.  +\d+:\d\d:\d\d  \S", text, re.M)]
    assert numbers == list(range(1, match.ply + 1)), "every move has its number, its time and its words"
    for move in match.moves.all():
        words = match.game.texts.move(move.text, move.seat, ["Alice", "Bob"])
        assert words in text


def test_sheet_says_what_is_counted(alice: User, bob: User) -> None:
    """Alone a time, and no place; in company cards."""
    alone = ended(alice, 39_300)
    assert re.search(r"^ +1\. Alice, time 0:39\.300$", sheet_of(alone, alice), re.M)
    company = sit_down(alice, bob, game=get_game("blockyou"))
    resign(slug=company.slug, caller=Caller(bob), moment=START)
    company.refresh_from_db()
    assert re.search(r"^ +1\. Alice, place 1, \d+ cards left$", sheet_of(company), re.M)


def test_who_left_and_when_stands_among_the_moves(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol)
    play_some(match, 2)
    resign(slug=match.slug, caller=Caller(bob), moment=START + timedelta(days=2, hours=1, seconds=5))
    agree_to_end(slug=match.slug, caller=Caller(alice), agreed=True, moment=START + timedelta(days=3))
    agree_to_end(slug=match.slug, caller=Caller(carol), agreed=True, moment=START + timedelta(days=3))
    text = sheet_of(match)
    assert re.search(r"^ +2\. Bob, has left$", text, re.M)
    assert re.search(r"^ +2 d 01:00:05  Bob has left the match\.$", text, re.M)
    assert "The match has ended without a result." in text


def test_bots_are_named_as_such(alice: User) -> None:
    match = sit_down(alice, bots=1)
    void_match(slug=match.slug, moment=START)
    assert "2. Bot, bot" in sheet_of(match)


def test_a_match_without_moves_says_so(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    void_match(slug=match.slug, moment=START)
    assert sheet_of(match).endswith("Moves\n    Nobody has moved.\n")


def test_only_finished_matches_have_a_sheet(alice: User, bob: User, mallory: User) -> None:
    table, running, cancelled = sit_down(alice, bob, start=False), sit_down(alice, bob), sit_down(alice, bob)
    hidden = sit_down(alice, bob, public=False)
    cancel_match(slug=cancelled.slug, caller=Caller(alice), moment=START)
    void_match(slug=hidden.slug, moment=START)
    for match in (table, running, cancelled):
        assert browser(alice).get(f"/matches/{match.slug}/sheet.txt").status_code == 404
    assert browser(mallory).get(f"/matches/{hidden.slug}/sheet.txt").status_code == 404
    assert browser().get(f"/matches/{hidden.slug}/sheet.txt").status_code == 404
    assert "Alice" in sheet_of(hidden, bob)
    assert browser().get("/matches/nothing/sheet.txt").status_code == 404


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "\u202egnissim\u2066",
        "two\nlines\r\x85\u2028of it",
        "%s %(name)s {name}",
        "שלום",
        "\x1b[2J\x07",
    ],
)
def test_hostile_names_stay_within_their_place(alice: User, bob: User, name: str) -> None:
    """Whatever is stored: old rows know no rules for names."""
    match = sit_down(alice, bob)
    play_some(match, 4)
    void_match(slug=match.slug, moment=START)
    path = f"/matches/{match.slug}/sheet.txt"
    plain = text_of(browser().get(path))
    User.objects.filter(pk=alice.pk).update(display_name=name)
    text = text_of(browser().get(path))
    assert text != plain
    assert len(text.splitlines()) == len(plain.splitlines()), "no name breaks a line"
    within = f"{FIRST_STRONG_ISOLATE}([^{POP_ISOLATE}]*){POP_ISOLATE}"
    names = re.findall(within, text)
    assert len(names) == len(re.findall(within, plain))
    marks = "[\u202a-\u202e\u2066-\u2069\x00-\x09\x0b-\x1f]"
    assert not re.search(marks, re.sub(within, "", text) + "".join(names)), "nothing reorders what is around a name"


@pytest.mark.parametrize("game", [game for game in all_games() if game.info.real_time], ids=lambda game: game.slug)
def test_in_real_time_claims_and_what_came_of_them_have_milliseconds(
    alice: User, bob: User, time: Clock, game: Game
) -> None:
    match = sit_down(alice, bob, game=game)
    settle_due(moment=time.tick(seconds=5))
    match.refresh_from_db()
    position = game.rules.load(match.position or {})
    claim = Random(1).choice(list(game.rules.legal_moves(position, 0)))
    form = {"move": game.rules.format_move(claim), "turn_key": turn_key(match, 0), "key": "k"}
    play_form(match, alice, form, seconds=5.02)
    settle_due(moment=time.tick(seconds=60))
    void_match(slug=match.slug, moment=time.now())
    text = sheet_of(match)
    assert re.search(r"^ +1\.  +0:00:05\.020  .*Alice", text, re.M)
    untold = [
        line for line in text.partition("Moves\n")[2].splitlines() if not re.match(r"^ +(\d+\.|\d:\d\d:\d\d|\S)", line)
    ]
    assert untold == []
    times = re.findall(r"\d:\d\d:\d\d\.\d{3}", text)
    assert times == sorted(times)
    assert len(times) > 2
