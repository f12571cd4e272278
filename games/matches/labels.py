"""The labels of a game's drawings, each said once in a language: a drawing has a hundred, and most are as before."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from django.utils.translation import get_language

from games.contract.registry import Game, get_game
from games.contract.rules import Say


def labels_of(game: Game) -> Say:
    """The game's `say` in the language that is in force now."""
    return _labels(game.info.slug, get_language())


@cache
def _labels(slug: str, language: str | None) -> Say:
    texts = get_game(slug).texts

    @lru_cache(maxsize=16384)
    def label(code: str, params: tuple[tuple[str, Any], ...]) -> str:
        return texts.say(code, **dict(params))

    return lambda code, **params: label(code, tuple(params.items()))
