"""Finds the games: every package below `games` with a `rules` module is one. No list is kept by hand."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, cast

from games.contract.lessons import Lesson, SaysLessons
from games.contract.rules import Bot, EarnsTime, GivesHints, Presenter, Rules, SaysScores, Texts
from games.contract.values import GameInfo


class UnknownGame(LookupError):
    """No folder keeps the contract under this slug."""


@dataclass(frozen=True)
class Game:
    """A game by its package; its modules are imported when first asked for, so that rules load without Django."""

    slug: str
    package: str

    @cached_property
    def rules(self) -> Rules[Any, Any, Any]:
        return cast("Rules[Any, Any, Any]", self._module("rules").RULES)

    @cached_property
    def presenter(self) -> Presenter[Any]:
        return cast("Presenter[Any]", self._module("presenter"))

    @cached_property
    def bot(self) -> Bot[Any]:
        return cast("Bot[Any]", self._module("bot"))

    @cached_property
    def texts(self) -> Texts:
        return cast("Texts", self._module("texts"))

    @cached_property
    def lessons(self) -> Mapping[str, Lesson]:
        """By key, in their order; none where the folder has no module for them."""
        if importlib.util.find_spec(f"{self.package}.lessons") is None:
            return {}
        return {lesson.key: lesson for lesson in self._module("lessons").LESSONS}

    @cached_property
    def lesson_texts(self) -> SaysLessons:
        """The texts of a game that has lessons."""
        return cast("SaysLessons", self.texts)

    @cached_property
    def scores(self) -> SaysScores | None:
        """The texts if they say scores in their own way. Kept: lists ask for every seat, and the check is not quick."""
        return self.texts if isinstance(self.texts, SaysScores) else None

    @cached_property
    def earning(self) -> EarnsTime[Any, Any] | None:
        """The rules if they say which moves earn time. Kept for the same reason."""
        return self.rules if isinstance(self.rules, EarnsTime) else None

    @cached_property
    def hints(self) -> GivesHints[Any] | None:
        """The bot if it gives hints. Kept for the same reason."""
        return self.bot if isinstance(self.bot, GivesHints) else None

    @property
    def info(self) -> GameInfo:
        return self.rules.info

    def _module(self, name: str) -> Any:
        return importlib.import_module(f"{self.package}.{name}")


_added: dict[str, Game] = {}
"""By slug, games that live elsewhere: the toy game, while its tests run."""


@cache
def _found() -> dict[str, Game]:
    import games

    folders = sorted(module.name for module in pkgutil.iter_modules(games.__path__) if module.ispkg)
    return {slug: Game(slug, f"games.{slug}") for slug in folders if _keeps_the_contract(f"games.{slug}")}


def _keeps_the_contract(package: str) -> bool:
    return package != "games.contract" and importlib.util.find_spec(f"{package}.rules") is not None


def all_games() -> tuple[Game, ...]:
    """Every game, by slug."""
    games = {**_found(), **_added}
    return tuple(games[slug] for slug in sorted(games))


def game_or_none(slug: str) -> Game | None:
    """The game of that slug; None if no folder is there."""
    return _added.get(slug) or _found().get(slug)


def get_game(slug: str) -> Game:
    """The game of that slug. Raises `UnknownGame`."""
    found = game_or_none(slug)
    if found is None:
        raise UnknownGame(slug)
    return found
