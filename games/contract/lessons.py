"""Lessons: small positions played on the real board, each of which teaches one rule. Pure.

A lesson is a deal and the moves that lead from it, so that it shows nothing that the rules could not bring about. Its
steps ask for moves of one seat; what is legal and yet not asked for is a code, which the game's texts explain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from games.contract.rules import Rules
from games.contract.values import Event, Json, Moment, Options


@dataclass(frozen=True, slots=True)
class Answer:
    """A legal move that was tried: the position before it, what it leads to, and all that happened on the way."""

    before: Any
    move: Any
    after: Any
    events: tuple[Event, ...]

    def happened(self, code: str, **params: Any) -> bool:
        """Whether there is such an event, with these parameters at least."""
        return any(event.code == code and params.items() <= dict(event.params).items() for event in self.events)


Judge = Callable[[Answer], str | None]
"""None if the answer is what the step asks for; otherwise the code of the reason why it is not."""


@dataclass(frozen=True, slots=True)
class Played:
    """A move that belongs to the lesson. `at` is its match time in ms: 0 in games by turns."""

    seat: int
    move: str
    at: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """Asks for a move; once it is played, the others reply."""

    judge: Judge
    replies: tuple[Played, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """One rule to learn. `key` is lower-case letters and hyphens, and stays: progress is kept by it.

    `seat` is the learner's. In real time `at` is the match time at which the lesson stands still, and `settles` for how
    long time goes on after an answer, so that its verdict falls; both in ms.
    """

    key: str
    players: int
    options: Options
    deal: Mapping[str, Json]
    steps: tuple[Step, ...]
    opening: tuple[Played, ...] = ()
    seat: int = 0
    at: int = 0
    settles: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a learner stands: the position, its match time, and the answers so far that have led there.

    `last` is the move played last, as the learner may know it; its events are what has just happened, in real time all
    of them since the start.
    """

    position: Any
    at: int
    last: Moment
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LessonWords:
    """A lesson in the reader's language: title and rule, and by step what to do, and what is said once it is done."""

    title: str
    rule: str
    tasks: tuple[str, ...]
    praise: tuple[str, ...]


@runtime_checkable
class SaysLessons(Protocol):
    """Texts must have this too where the game has lessons."""

    def lesson(self, key: str) -> LessonWords:
        """The words of a lesson."""

    def explanation(self, code: str) -> str:
        """Why a legal move is not what the lesson asks for, by the code of its judge."""


class NotSolved(Exception):
    """Answers that are said to have solved a lesson's steps have not."""


def begin(rules: Rules[Any, Any, Any], lesson: Lesson) -> Scene:
    """The lesson before its first step."""
    position = rules.start(rules.complete_options(lesson.options, lesson.players), lesson.deal, lesson.players)
    scene = _play_on(rules, lesson, Scene(position, 0, Moment()), lesson.opening)
    position, events = rules.advance(scene.position, max(scene.at, lesson.at))
    return Scene(position, max(scene.at, lesson.at), _with(scene.last, events, lesson.seat))


def try_move(rules: Rules[Any, Any, Any], lesson: Lesson, scene: Scene, text: str) -> Scene | str:
    """Where the move leads if it is what the next step asks for; otherwise the judge's code.

    There is a next step. Raises `IllegalMove` for what the rules refuse.
    """
    step, move, seat = lesson.steps[len(scene.answers)], rules.parse_move(text), lesson.seat
    at = scene.at + lesson.settles
    position, events = rules.play(scene.position, seat, move, at=scene.at)
    position, settled = rules.advance(position, at)
    code = step.judge(Answer(scene.position, move, position, (*events, *settled)))
    if code is not None:
        return code
    last = _with(_moment(rules, scene.last, seat, text), (*events, *settled), seat)
    return _play_on(rules, lesson, Scene(position, at, last, (*scene.answers, text)), step.replies)


def replay_answers(rules: Rules[Any, Any, Any], lesson: Lesson, answers: Sequence[str]) -> Scene:
    """The lesson after these answers. There are no more of them than steps.

    Raises `NotSolved`, or `IllegalMove`.
    """
    scene = begin(rules, lesson)
    for text in answers:
        led_to = try_move(rules, lesson, scene, text)
        if isinstance(led_to, str):
            raise NotSolved
        scene = led_to
    return scene


def _play_on(rules: Rules[Any, Any, Any], lesson: Lesson, scene: Scene, moves: Sequence[Played]) -> Scene:
    """The scene after moves that belong to the lesson."""
    position, at, last = scene.position, scene.at, scene.last
    for played in moves:
        at, move = max(at, played.at), rules.parse_move(played.move)
        text = rules.view_move(position, played.seat, move, lesson.seat)
        position, events = rules.play(position, played.seat, move, at=at)
        last = _with(_moment(rules, last, played.seat, text), events, lesson.seat)
    return Scene(position, at, last, scene.answers)


def _moment(rules: Rules[Any, Any, Any], before: Moment, seat: int, text: str) -> Moment:
    """The moment of a move; in real time what has happened before it is recent still, and claims are told by events."""
    return before if rules.info.real_time else Moment(seat, text)


def _with(moment: Moment, events: Sequence[Event], seat: int) -> Moment:
    return replace(moment, events=(*moment.events, *(event for event in events if event.seen_by(seat))))
