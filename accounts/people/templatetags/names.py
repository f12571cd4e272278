"""Template filters that show a name harmlessly, whatever is in it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.people.names import isolated_name, shown_name

register = template.Library()


@register.filter
def display_name(person: Any) -> SafeString:
    """The name of a user or a seat (or a name as text), escaped, in a `<bdi>` that keeps its direction to itself."""
    return _isolated(_name(person))


@register.filter
def plain_name(person: Any) -> str:
    """The same for places without markup, as titles and attributes: isolated by characters; autoescape applies."""
    return isolated_name(_name(person))


@lru_cache(maxsize=8192)
def _isolated(name: str) -> SafeString:
    """Kept, since every push of a match has all its names in it several times."""
    return format_html("<bdi>{}</bdi>", shown_name(name))


def _name(person: Any) -> str:
    """Of a person or a seat the name as it is now, of a row of a list the one that was read for it."""
    for attribute in ("shown_name", "display_name"):
        if hasattr(person, attribute):
            return str(getattr(person, attribute))
    return str(person)
