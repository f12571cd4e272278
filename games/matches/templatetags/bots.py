"""Template filters for the levels of bots."""

from __future__ import annotations

from django import template

from games.matches import bot_texts

register = template.Library()


@register.filter
def level_name(code: str) -> str:
    """The level in a word."""
    return bot_texts.level(code)
