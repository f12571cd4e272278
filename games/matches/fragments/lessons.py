"""A lesson as its page shows it: the rule, the task, what is said of the last answer, the board and the hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from games.contract.lessons import Lesson, Scene
from games.contract.registry import Game
from games.matches import texts
from games.matches.fragments.match import draw_board, recent_moment

SEPARATOR = ";"
"""Between the answers of a lesson in its form; no move's text has one."""


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of an answer: `kind` is "good", "bad" (the rules refuse it) or "" (not what is asked for)."""

    kind: str
    text: str


def lesson_context(game: Game, lesson: Lesson, scene: Scene, said: Said | None) -> dict[str, Any]:
    """What differs from answer to answer, for the template of the stage."""
    words, steps = game.lesson_texts.lesson(lesson.key), len(lesson.steps)
    is_done = len(scene.answers) == steps
    over = game.rules.outcome(scene.position) is not None
    last = recent_moment(scene.last.events, lesson.seat) if game.info.real_time else scene.last
    drawing = draw_board(game, game.rules.view(scene.position, lesson.seat), replace(last, over=over))
    return {
        "game": game,
        "key": lesson.key,
        "seat": str(lesson.seat),
        "words": words,
        "task": words.tasks[min(len(scene.answers), steps - 1)],
        "said": said,
        "done": is_done,
        "answers": SEPARATOR.join(scene.answers),
        "step": str(len(scene.answers)),
        "now": str(scene.at),
        "board": drawing["board"],
        "hand": drawing["hand"],
        "rows": [
            (_player(seat, lesson.seat), seat == lesson.seat, panel) for seat, panel in enumerate(drawing["panels"])
        ],
        "following": _following(game, lesson.key),
    }


def praise(game: Game, lesson: Lesson, scene: Scene) -> Said:
    """What is said of the answer that has led here, and of what another player has played then."""
    words = [game.lesson_texts.lesson(lesson.key).praise[len(scene.answers) - 1]]
    if scene.last.seat not in (None, lesson.seat):
        names = [_player(seat, lesson.seat) for seat in range(lesson.players)]
        words += texts.moment_lines(replace(scene.last, events=()), game=game, names=names)
    return Said("good", " ".join(words))


def _player(seat: int, learner: int) -> str:
    return _("You") if seat == learner else _("Player %(number)s") % {"number": seat + 1}


def _following(game: Game, key: str) -> str | None:
    """The lesson after this one; None after the last."""
    keys = list(game.lessons)
    return next(iter(keys[keys.index(key) + 1 :]), None)
