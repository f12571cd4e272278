"""The pages of lessons: answers without a match, progress of people and guests, and whatever else may be sent."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from accounts.people.models import User
from games.contract.registry import all_games, get_game
from games.matches.models import LessonDone, Match, Move
from tests.conftest import PASSWORD
from tests.matches.browsing import HTMX, browser, notice_in, text_of
from tests.matches.conftest import START, Clock

pytestmark = pytest.mark.django_db

CHIPS = "/lessons/m/chips/"
SOLVED, ONE_CHIP = "BT1@1,1", "YS2@0,0"
"""Answers to that lesson: one that it asks for, and a legal one that it does not."""

SCORING = "/lessons/m/scoring/"
FIRST, SECOND = "YC4@5,1", "take 5,1"
"""The two steps of that lesson."""


def answer(client: Client, path: str, move: str, answers: str = "", *, htmx: bool = True) -> Any:
    return client.post(path, {"move": move, "answers": answers, "key": "1f"}, headers=HTMX if htmx else {})


def done(user: User) -> list[tuple[str, str]]:
    return sorted(LessonDone.objects.filter(user=user).values_list("game_slug", "lesson"))


def test_every_lesson_shows_its_board_and_its_task() -> None:
    """To guests, too, in the markup of a match's page, so that its scripts find all they need."""
    client = browser()
    for game in all_games():
        listed = text_of(client.get(f"/lessons/{game.slug}/"))
        for key, lesson in game.lessons.items():
            page = text_of(client.get(f"/lessons/{game.slug}/{key}/"))
            words = game.lesson_texts.lesson(key)
            assert words.title in listed
            assert words.title in page
            assert f'data-stage="match" data-game="{game.slug}"' in page
            assert page.count('<p class="player-name">') == lesson.players
            for needed in ('id="board"', 'id="hand"', 'id="move-text"', 'id="move-key"', 'id="turn-key"', 'id="heard"'):
                assert needed in page


def test_an_answer_that_is_asked_for_is_praised_and_kept_once(alice: User, time: Clock) -> None:
    """No row of a match is written, and the next lesson is offered."""
    client = browser(alice)
    for _again in range(2):
        answered = answer(client, CHIPS, SOLVED)
        assert answered.status_code == 200
        assert "20 points for you" in text_of(answered)
        assert 'hx-swap-oob="true"' in text_of(answered)
        assert 'id="lesson-next" class="button primary" href="/lessons/m/passing/"' in text_of(answered)
        assert 'id="move-form"' not in text_of(answered)
    assert done(alice) == [("m", "chips")]
    assert LessonDone.objects.get().done_at == START
    assert not Match.objects.exists()
    assert not Move.objects.exists()


def test_a_legal_answer_that_is_not_asked_for_is_explained(alice: User) -> None:
    """The board is as before, and the lesson is not done."""
    answered = answer(browser(alice), CHIPS, ONE_CHIP)
    assert answered.status_code == 200
    assert "it needs three neighbours" in text_of(answered)
    assert text_of(answered).count('class="m-tile"') == 5
    assert 'id="move-form"' in text_of(answered)
    assert done(alice) == []


@pytest.mark.parametrize(
    ("path", "move", "words"),
    [
        (CHIPS, "BT1@9,9", "Nothing lies beside 9,9"),
        (CHIPS, "GC3@1,1", "has neither colour, figure nor value in common"),
        ("/lessons/block_buster/joining/", "2 a1 a2", "A block lies at a1 already"),
        ("/lessons/blockyou/placing/", "nofit", "Only who plays alone can say that nothing fits"),
    ],
)
def test_an_illegal_answer_gets_the_rules_own_refusal(alice: User, path: str, move: str, words: str) -> None:
    for htmx in (True, False):
        answered = answer(browser(alice), path, move, htmx=htmx)
        assert answered.status_code == 422
        assert words in text_of(answered)
        assert ("<html" in text_of(answered)) is not htmx
    assert done(alice) == []


def test_a_lesson_of_several_steps_goes_on_from_what_was_answered(alice: User) -> None:
    client = browser(alice)
    first = text_of(answer(client, SCORING, FIRST))
    assert f'name="answers" value="{FIRST}"' in first
    assert "m-in-take" in first
    assert get_game("m").lesson_texts.lesson("scoring").tasks[1] in first
    assert done(alice) == []
    assert "40 points in yellow" in text_of(answer(client, SCORING, SECOND, FIRST))
    assert done(alice) == [("m", "scoring")]


@pytest.mark.parametrize("move", ["", "?", "x" * 120, "pass\nRT1", "RT1@0,0\x00", "\ud7ff", "RT3@2,-1; DROP", "<b>"])
def test_what_is_no_move_is_told_so(alice: User, move: str) -> None:
    for path in (CHIPS, "/lessons/block_buster/rings/", "/lessons/blockyou/nofit/"):
        answered = answer(browser(alice), path, move)
        assert answered.status_code == 422
        assert "This is not the text of a" in text_of(answered)
        assert "<b>" not in text_of(answered).partition('id="lesson-said"')[2][:300]


def test_nothing_that_is_sent_breaks_a_lesson(alice: User) -> None:
    """Forms that no page of ours sends: too long, damaged, or with answers that do not lead anywhere."""
    client = browser(alice)
    too_long = answer(client, CHIPS, "x" * 121)
    assert (too_long.status_code, notice_in(too_long)) == (422, "bad-input")
    for answers in (SOLVED, ONE_CHIP, "x", f"{FIRST};{SECOND}", ";".join(["x"] * 5000), "x" * 100_000):
        path = SCORING if answers.startswith(FIRST) else CHIPS
        damaged = answer(client, path, SECOND, answers)
        assert (damaged.status_code, notice_in(damaged)) == (422, "bad-input")
        assert "The form is damaged" in text_of(damaged)
    assert client.post(CHIPS, {}, headers=HTMX).status_code == 422
    assert client.post(CHIPS, {"move": "x" * 1_000_000}, headers=HTMX).status_code == 413
    assert client.put(CHIPS).status_code == 405
    assert done(alice) == []


def test_nobody_answers_without_end() -> None:
    """Each of these guests comes without a session, and a lesson that is done begins one."""
    with override_settings(ACCOUNT_RATE_LIMITS={"lesson": "2/m/ip"}):
        for _ in range(2):
            assert answer(browser(), CHIPS, SOLVED).status_code == 200
        refused = answer(browser(), CHIPS, SOLVED)
    assert (refused.status_code, notice_in(refused)) == (429, "too-often")
    assert Session.objects.count() == 2


def test_there_are_no_other_lessons(client: Client) -> None:
    for path in ("/lessons/m/nothing/", "/lessons/chess/", "/lessons/chess/chips/", f"/lessons/m/{'x' * 500}/"):
        assert client.get(path).status_code == 404
        assert client.post(path, {"move": "pass"}).status_code in (404, 405)


def test_a_guests_progress_is_remembered_and_comes_along(alice: User) -> None:
    """First by the session alone; once somebody logs in it counts, and the next lesson stores all of it."""
    client = browser()
    answer(client, CHIPS, SOLVED)
    assert not LessonDone.objects.exists()
    assert text_of(client.get("/lessons/m/")).count('class="done"') == 1
    client.login(username="alice", password=PASSWORD)
    assert text_of(client.get("/lessons/m/")).count('class="done"') == 1
    answer(client, SCORING, SECOND, FIRST)
    assert done(alice) == [("m", "chips"), ("m", "scoring")]


def test_the_end_says_well_done_and_offers_a_match(alice: User) -> None:
    """The last lesson leads to a bot, a guest to signing up; the list says that all are done."""
    last = "/lessons/m/forced/"
    assert 'action="/play-now/m/"' in text_of(answer(browser(alice), last, "take 0,1"))
    assert "Sign up and play" in text_of(answer(browser(), last, "take 0,1"))
    assert "Well done: you have done all" not in text_of(browser(alice).get("/lessons/m/"))
    for key in get_game("m").lessons:
        LessonDone.objects.get_or_create(user=alice, game_slug="m", lesson=key, defaults={"done_at": START})
    page = text_of(browser(alice).get("/lessons/m/"))
    assert "Well done: you have done all" in page
    assert 'action="/play-now/m/"' in page


def test_pages_lead_to_the_lessons(alice: User) -> None:
    """Above all the lobby, where who has just signed up arrives, and the rules."""
    for client in (browser(), browser(alice)):
        for path in ("/", "/lobby/", "/lessons/", "/rules/"):
            page = text_of(client.get(path))
            for game in all_games():
                assert f'href="/lessons/{game.slug}/"' in page, path
        for game in all_games():
            assert f'href="/lessons/{game.slug}/"' in text_of(client.get(f"/rules/{game.slug}/"))
        assert 'href="/lessons/"' in text_of(client.get("/help/"))


def test_an_answer_costs_few_queries(alice: User) -> None:
    """Who asks, what they have done, and the row of this one; nothing of matches."""
    client = browser(alice)
    answer(client, CHIPS, SOLVED)
    with CaptureQueriesContext(connection) as queries:
        answer(client, CHIPS, ONE_CHIP)
    assert not [one["sql"] for one in queries if "matches_match" in one["sql"] or "matches_move" in one["sql"]]
    assert len(queries) <= 6, [one["sql"] for one in queries]
