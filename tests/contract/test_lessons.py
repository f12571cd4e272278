"""What every game's lessons must keep: positions that can come about, tasks that can be done, words for each answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module

import pytest

from games.contract.errors import IllegalMove
from games.contract.lessons import Lesson, LessonWords, NotSolved, SaysLessons, Scene, begin, replay_answers, try_move
from games.contract.record import Entry, make_record
from games.contract.registry import Game, all_games
from games.contract.replay import check_record
from tests.contract.sampled import TOY

TAUGHT = [game for game in all_games() if game.lessons]
LESSONS = [
    pytest.param(game, lesson, id=f"{game.slug} {lesson.key}") for game in TAUGHT for lesson in game.lessons.values()
]
over_lessons = pytest.mark.parametrize(("game", "lesson"), LESSONS)
over_taught = pytest.mark.parametrize("game", TAUGHT, ids=[game.slug for game in TAUGHT])

JUNK = (
    "",
    " ",
    "pass ",
    "x" * 200,
    "\ud800",
    "9" * 50,
    "0,0/9",
    "RT1@99,99",
    "I3 z9 z9 z9",
    "take 0,0",
    "nofit",
    "pass",
)


def scenes(game: Game, lesson: Lesson) -> Iterator[Scene]:
    """The lesson before each of its steps, the others solved by the first move that does."""
    scene = begin(game.rules, lesson)
    for _step in lesson.steps:
        yield scene
        scene = next(led_to for _, led_to in answers(game, lesson, scene) if isinstance(led_to, Scene))


def answers(game: Game, lesson: Lesson, scene: Scene) -> Iterator[tuple[str, Scene | str]]:
    """Every legal move with what comes of it."""
    for move in game.rules.legal_moves(scene.position, lesson.seat):
        text = game.rules.format_move(move)
        yield text, try_move(game.rules, lesson, scene, text)


@over_taught
def test_a_game_is_taught_in_a_few_lessons(game: Game) -> None:
    """Their keys stand in addresses and in the database."""
    assert 6 <= len(game.lessons) <= 10
    assert all(re.fullmatch("[a-z][a-z-]{1,31}", key) for key in game.lessons)
    assert isinstance(game.texts, SaysLessons)


def test_a_game_need_not_have_any() -> None:
    """The toy game has none."""
    assert TOY.lessons == {}


@over_lessons
def test_its_position_is_one_that_the_rules_bring_about(game: Game, lesson: Lesson) -> None:
    """From a whole deal by legal moves: as a record it replays; and it is the learner's turn."""
    scene = begin(game.rules, lesson)
    assert lesson.seat in game.rules.to_move(scene.position)
    record = make_record(
        game=game.slug,
        options=lesson.options,
        players=["x"] * lesson.players,
        deal=lesson.deal,
        moves=[Entry(played.seat, played.move, played.at) for played in lesson.opening],
        outcome=None,
        until=scene.at if game.info.real_time else None,
    )
    assert check_record(json.dumps(record).encode()).outcome is None


@over_lessons
def test_every_step_can_be_done_and_every_other_legal_move_is_explained(game: Game, lesson: Lesson) -> None:
    words = game.lesson_texts.lesson(lesson.key)
    assert len(words.tasks) == len(words.praise) == len(lesson.steps)
    for scene in scenes(game, lesson):
        led_to = [answer for _, answer in answers(game, lesson, scene)]
        assert any(isinstance(answer, Scene) for answer in led_to)
        codes = {answer for answer in led_to if isinstance(answer, str)}
        assert codes, "a step that any move does teaches nothing"
        assert all(game.lesson_texts.explanation(code) for code in codes)


@over_taught
def test_no_words_lie_about(game: Game) -> None:
    """Each lesson and each code of its judges has words, and there are no others."""
    spoken = import_module(f"{game.package}.texts.lessons")
    assert list(spoken.LESSONS) == list(game.lessons)
    assert all(isinstance(words(), LessonWords) for words in spoken.LESSONS.values())
    codes = {
        answer
        for lesson in game.lessons.values()
        for scene in scenes(game, lesson)
        for _, answer in answers(game, lesson, scene)
        if isinstance(answer, str)
    }
    assert codes == set(spoken.EXPLANATIONS)


@over_taught
def test_every_illegal_move_is_refused_in_the_rules_own_words(game: Game) -> None:
    """Moves of one lesson in another, and texts that are none: never the general sentence, and never an accident."""
    rules, general = game.rules, game.texts.refusal("no such code", {})
    tried = [(lesson, scene) for lesson in game.lessons.values() for scene in scenes(game, lesson)]
    legal = [{text for text, _ in answers(game, lesson, scene)} for lesson, scene in tried]
    some = [*JUNK, *sorted(set().union(*(sorted(texts)[::7] for texts in legal)))]
    refused = 0
    for (lesson, scene), own in zip(tried, legal, strict=True):
        for text in some:
            if text in own:
                continue
            with pytest.raises(IllegalMove) as error:
                try_move(rules, lesson, scene, text)
            assert game.texts.refusal(error.value.code, error.value.params) not in ("", general)
            refused += 1
    assert refused > len(tried) * (len(JUNK) - 3)


@over_lessons
def test_answers_lead_to_the_same_place_again(game: Game, lesson: Lesson) -> None:
    """The page keeps nothing but them; a wrong one among them leads nowhere."""
    scene = begin(game.rules, lesson)
    for _step in lesson.steps:
        tried = list(answers(game, lesson, scene))
        wrong = next(text for text, led_to in tried if isinstance(led_to, str))
        with pytest.raises(NotSolved):
            replay_answers(game.rules, lesson, (*scene.answers, wrong))
        scene = next(led_to for _, led_to in tried if isinstance(led_to, Scene))
        assert replay_answers(game.rules, lesson, scene.answers) == scene
