"""What a person reads of a page."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from django.conf import settings
from django.utils.translation import get_language_info

from games.contract.registry import all_games

READ_ALOUD = ("alt", "aria-label", "placeholder", "title")
LETTERS = re.compile(r"[^\W\d_]{2,}")
LINKS = re.compile(r"https?://\S+")
TITLES = "|".join(re.escape(game.info.title) for game in all_games() if len(game.info.title) > 1)
LANGUAGES = "|".join(get_language_info(code)["name_local"] for code, _name in settings.LANGUAGES)
NAMES = re.compile(rf"Tesela|UTC|alice(@example\.org)?|{TITLES}|{LANGUAGES}", re.IGNORECASE)
"""The same in every language."""


class Words(HTMLParser):
    """Collects what is read of a page: its texts, and the attributes read aloud; not names (`<bdi>`), not fields."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "bdi", "kbd", "textarea"):
            self.silent.append(tag)
        self.found += [value or "" for name, value in attrs if name in READ_ALOUD]

    def handle_endtag(self, tag: str) -> None:
        if self.silent and self.silent[-1] == tag:
            self.silent.pop()

    def handle_data(self, data: str) -> None:
        # One space for a name, so that a sentence around it stays one.
        self.found.append(" " if self.silent else data)


def words_of(page: str) -> list[str]:
    """The texts of a page, piece by piece."""
    reader = Words()
    reader.feed(page)
    reader.close()
    return reader.found
