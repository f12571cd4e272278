"""What somebody has learned so far: of a person what is stored, of a guest what their session remembers.

A session stays when its guest signs up or logs in, and so does what it remembers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from games.contract.registry import Game, all_games
from games.matches.models import LessonDone

if TYPE_CHECKING:
    from accounts.people.models import User

Done = tuple[str, str]
"""A lesson that was done: its game's slug and its key."""

_LESSONS = "lessons"
"""The session's key for the lessons that its holder has done, as "m/chips"."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far somebody has come in a game: the keys of its lessons that are done, and the next one to do."""

    game: Game
    done: frozenset[str]

    @property
    def following(self) -> str | None:
        """The first lesson that is not done; None after all of them."""
        return next((key for key in self.game.lessons if key not in self.done), None)


def lessons_done(*, user: User | None, session: Any) -> frozenset[Done]:
    """All lessons that they have done, here or before they logged in."""
    stored = LessonDone.objects.filter(user=user).values_list("game_slug", "lesson") if user is not None else ()
    return frozenset({*stored, *lessons_remembered(session=session)})


def progress(*, user: User | None, session: Any) -> dict[str, Progress]:
    """By slug, of each game that has lessons."""
    done = lessons_done(user=user, session=session)
    return {
        game.slug: Progress(game, frozenset(key for key in game.lessons if (game.slug, key) in done))
        for game in all_games()
        if game.lessons
    }


def lessons_remembered(*, session: Any) -> Iterable[Done]:
    """Those that the holder of this session has done."""
    for text in session.get(_LESSONS, []):
        game, _, lesson = text.partition("/")
        yield game, lesson


def remember_lesson(*, session: Any, game: Game, lesson: str) -> None:
    """The holder of this session has done that lesson."""
    kept = session.get(_LESSONS, [])
    text = f"{game.slug}/{lesson}"
    if text not in kept:
        session[_LESSONS] = [*kept, text]
