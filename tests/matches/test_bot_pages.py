"""Bots on pages: their levels where one chooses and where one looks, and the way back to a seat that one has."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from accounts.people.models import User
from games.contract import registry
from games.contract.registry import all_games
from games.matches.callers import Caller
from games.matches.models import Match, Seat
from games.matches.services.play import resign
from games.matches.services.takeovers import return_to_seat
from games.matches.services.thoughts import ease_bot, play_thought
from tests.matches.browsing import act, browser, notice_in, table_form, text_of
from tests.matches.conftest import START, Clock, legal_texts, move_form, player_to_move, sit_down, to_move
from tests.matches.playing import other, play_form
from tests.matches.pondering import PAUSED, bots_turn, pondered, taken
from tests.matches.timekeeping import LIVE

pytestmark = pytest.mark.django_db

LEVELS = ("easy", "normal", "hard")
TAKEOVER: dict[str, Any] = {"bot_takes_over": True}


@pytest.fixture(autouse=True)
def _bots(monkeypatch: pytest.MonkeyPatch, time: Clock) -> None:
    monkeypatch.setitem(registry._added, "m", pondered())
    monkeypatch.setattr("tests.pondered.bot.LEVELS", LEVELS)


def shown(user: User | None, path: str) -> str:
    """The page's text in one line, without the characters that hold names together."""
    plain = re.sub("<[^>]+>", " ", text_of(browser(user).get(path)))
    return re.sub(r"\s+", " ", re.sub("[\u2068\u2069]", "", plain))


def page_of(match: Match, user: User | None) -> str:
    return shown(user, f"/matches/{match.slug}/")


def offered(page: str) -> list[str]:
    """The levels of the first choice of them."""
    found = re.search(r'<select[^>]*name="level".*?</select>', page, re.DOTALL)
    return re.findall(r'value="([^"]+)"', found[0]) if found else []


# Choosing


@pytest.mark.parametrize("path", ["/", "/lobby/", "/rules/m/"])
def test_play_now_offers_the_levels_the_weakest_first(alice: User, path: str) -> None:
    page = text_of(browser(alice).get(path))
    form = page[page.index('action="/play-now/m/"') :]
    assert offered(form[: form.index("</form>")]) == list(LEVELS)


def test_match_against_bots_is_no_match_by_invitation(alice: User, bob: User) -> None:
    against_bots = sit_down(alice, bots=2, public=False)
    page = text_of(browser(alice).get("/lobby/"))
    assert against_bots.slug in page
    assert "By invitation" not in page
    sit_down(alice, bob, bots=1, public=False)
    assert "By invitation" in text_of(browser(alice).get("/lobby/"))


def test_where_there_is_one_level_there_is_no_choice(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for game in all_games():
        monkeypatch.setattr(game.bot, "LEVELS", ("easy",))
    assert 'name="level"' not in text_of(browser(alice).get("/lobby/"))


@pytest.mark.parametrize(("form", "level"), [({}, "easy"), ({"level": "easy"}, "easy"), ({"level": "hard"}, "hard")])
def test_play_now_begins_against_that_level(alice: User, form: dict[str, str], level: str) -> None:
    assert browser(alice).post("/play-now/m/", form).status_code == 302
    assert Seat.objects.get(kind=Seat.Kind.BOT).level == level


def test_play_now_against_another_level_is_no_double_click(alice: User) -> None:
    for level in ("easy", "hard", "hard"):
        browser(alice).post("/play-now/m/", {"level": level})
    assert sorted(Seat.objects.filter(kind=Seat.Kind.BOT).values_list("level", flat=True)) == ["easy", "hard"]


def test_play_now_against_no_such_level_begins_nothing(alice: User) -> None:
    for level in ("genius", "", "easy ", "ハード"):
        answer = browser(alice).post("/play-now/m/", {"level": level})
        assert answer.status_code == 422
        assert "There is no such bot." in text_of(answer)
    assert not Match.objects.exists()


def test_the_host_chooses_a_level_for_each_free_seat(alice: User) -> None:
    match = sit_down(alice, seats=3, start=False)
    page = text_of(browser(alice).get(f"/matches/{match.slug}/"))
    assert page.count('name="level"') == 2
    assert offered(page) == list(LEVELS)
    for seat, level in ((1, "hard"), (2, "normal")):
        assert act(alice, match, "bot", {"seat": str(seat), "level": level}).status_code == 200
    assert [seat.level for seat in match.seats.order_by("index")] == ["", "hard", "normal"]
    words = page_of(match, alice)
    assert "Bot hard" in words
    assert "Bot normal" in words


def test_nobody_else_is_offered_a_level(alice: User, bob: User) -> None:
    match = sit_down(alice, seats=3, start=False)
    rated = sit_down(alice, seats=2, rated=True, clock=LIVE, start=False)
    assert 'name="level"' not in text_of(browser(bob).get(f"/matches/{match.slug}/"))
    assert 'name="level"' not in text_of(browser(alice).get(f"/matches/{rated.slug}/"))


# Looking


def test_the_level_stands_beside_the_bot(alice: User) -> None:
    match = bots_turn(alice, level="hard")
    assert "Bot bot (hard)" in page_of(match, alice)
    resign(slug=match.slug, caller=Caller(alice), moment=START)
    assert "Bot bot (hard)" in page_of(match, alice)
    assert "bot (hard)" in text_of(browser(alice).get(f"/matches/{match.slug}/sheet.txt"))


def test_that_a_bot_failed_is_said(alice: User) -> None:
    match = bots_turn(alice, level="hard")
    ease_bot(taken(START)[0], moment=START)
    words = page_of(match, alice)
    assert "Bot bot (easy)" in words
    assert "The bot on the seat of Bot found no move in time. An easy one plays on." in words


# A bot stands in


@pytest.mark.parametrize(
    ("changed", "takes_over"),
    [
        ({}, False),
        ({"leaving": "as-usual"}, False),
        ({"leaving": "bot"}, True),
        ({"leaving": "bot", "rated": "unrated"}, True),
        # Of a rated table the page does not ask for it.
        ({"leaving": "bot", "rated": "rated", "clock_live": "300000+5000"}, False),
    ],
)
def test_the_form_of_a_table_offers_it_for_unrated_ones(alice: User, changed: dict[str, str], takes_over: bool) -> None:
    assert browser(alice).post("/tables/new/m/", table_form(**changed)).status_code == 302
    match = Match.objects.get()
    assert (match.bot_takes_over, match.rated) == (takes_over, "clock_live" in changed)


def test_the_form_says_before_what_it_means_and_takes_nothing_else(alice: User) -> None:
    assert "Unrated only: a bot plays the seat" in shown(alice, "/tables/new/m/")
    answer = browser(alice).post("/tables/new/m/", table_form(leaving="everything"))
    assert answer.status_code == 422
    assert not Match.objects.exists()


def test_the_table_says_it_to_all_who_might_sit_down(alice: User, bob: User) -> None:
    match, plain = sit_down(alice, seats=2, start=False, **TAKEOVER), sit_down(alice, seats=2, start=False)
    said = "When a player leaves, a bot (normal) plays their seat on, and they may have it back"
    for user in (alice, bob, None):
        assert said in page_of(match, user)
        assert "A bot stands in for who leaves" in page_of(match, user)
        assert "bot (normal)" not in page_of(plain, user)


def test_who_leaves_is_told_what_becomes_of_the_seat_and_takes_it_back(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, **TAKEOVER)
    assert "A bot plays your seat on. You may have it back while the match runs" in page_of(match, bob)
    assert act(bob, match, "resign").status_code == 200
    words = page_of(match, bob)
    assert "You have left this match. A bot plays your seat until you take it back." in words
    assert "Take your seat back" in words
    assert "has left bot (normal)" in words
    for looker in (alice, None):
        assert "Take your seat back" not in page_of(match, looker)
        assert "A bot stands in for Bob." in page_of(match, looker)
    assert "A bot has your seat" in shown(bob, "/lobby/")
    assert "A bot has your seat" not in shown(alice, "/lobby/")
    assert act(bob, match, "return", htmx=False).status_code == 302
    page = page_of(match, alice)
    assert "Bob is back, and plays on." in page
    assert "has left bot (normal)" not in page
    assert 'id="turn-key"' in text_of(browser(bob).get(f"/matches/{match.slug}/")), "with a form to move by"


def test_the_last_one_is_told_that_it_ends(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, **TAKEOVER)
    act(bob, match, "resign")
    words = page_of(match, alice)
    assert "You are the last one here, so the match is over then." in words
    assert "End it without a result" in words


def test_others_who_may_not_come_back_are_refused(alice: User, bob: User, carol: User, mallory: User) -> None:
    match = sit_down(alice, bob, carol)
    act(bob, match, "resign")
    assert "Take your seat back" not in page_of(match, bob)
    for user, status in ((bob, 403), (mallory, 403)):
        assert act(user, match, "return").status_code == status
    ended = sit_down(alice, bob)
    act(bob, ended, "resign")
    answer = act(bob, ended, "return")
    assert (answer.status_code, notice_in(answer)) == (409, "not-running")


def test_the_others_choose_to_go_on_with_a_bot(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob, clock=LIVE, **TAKEOVER)
    time.tick(minutes=3)
    act(alice, match, "end", {"agreed": "0"})
    browser(alice).get(f"/matches/{match.slug}/live/?version=0&stage=match")
    words = page_of(match, alice)
    assert "Bob is away. You may wait, or go on: then a bot plays their seat until they are back." in words


def test_log_replay_and_sheet_say_who_moved(alice: User, bob: User) -> None:
    """The move of a bot in somebody's place is not theirs."""
    match = sit_down(alice, bob, **TAKEOVER)
    leaver = player_to_move(match)
    stays = other(leaver, alice, bob)
    resign(slug=match.slug, caller=Caller(leaver), moment=START)
    (thought,) = taken(START)
    play_thought(thought, move=legal_texts(match)[0], moment=START + PAUSED)
    return_to_seat(slug=match.slug, caller=Caller(leaver), moment=START + timedelta(seconds=2))
    assert match.seats.get(index=to_move(match)).user == stays
    play_form(match, stays, move_form(match), seconds=3)
    play_form(match, leaver, move_form(match), seconds=4)
    mine = f"{leaver.display_name} (stand-in)"
    for user in (alice, None):
        words = page_of(match, user)
        assert words.count(mine) >= 1
        assert f"{stays.display_name} (stand-in)" not in words
        assert mine in shown(user, f"/matches/{match.slug}/replay/1/")
    resign(slug=match.slug, caller=Caller(leaver), moment=START + timedelta(seconds=5))
    resign(slug=match.slug, caller=Caller(stays), moment=START + timedelta(seconds=6))
    sheet = re.sub("[\u2068\u2069]", "", text_of(browser(alice).get(f"/matches/{match.slug}/sheet.txt")))
    assert sheet.count(mine) == 1
    assert "A bot stands in for" in sheet
    assert "is back, and plays on." in sheet


def test_a_result_against_the_points_is_said_without_a_victory_by_points(alice: User, bob: User) -> None:
    """The bot may have reached more than who stayed, and has not won for it."""
    match = sit_down(alice, bob, **TAKEOVER)
    resign(slug=match.slug, caller=Caller(bob), moment=START)
    places, scores = {"places": [2, 1], "scores": [10, 30]}, {"places": [1, 2], "scores": [10, 30]}
    outcome = {"reason": "blocked", **places}
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.OVER, reason="blocked", outcome=outcome, standing=scores, finished_at=START, due_at=None
    )
    words = page_of(match, alice)
    assert "You have won. Final scores: you 10, Bob 30" in words
    assert "10 to 30" not in words
    assert "has left, bot (normal)" in words or "Resigned, bot (normal)" in words
