"""How keys that people copy by hand are shown."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def by_fours(key: str) -> str:
    """The key in groups of four, between which the eye rests; apps leave out the blanks."""
    return " ".join(key[at : at + 4] for at in range(0, len(key), 4))
