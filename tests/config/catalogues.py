"""The catalogues in `locale/`, read as the files they are (a fresh machine has no msgfmt), and texts beside English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from django.conf import settings
from django.test import Client
from django.utils.translation import to_language

from tests.config.reading import LETTERS, LINKS, NAMES, words_of

FOLDER = Path(settings.LOCALE_PATHS[0])
LOCALES = sorted(path.parts[-3] for path in FOLDER.glob("*/LC_MESSAGES/django.po"))
LANGUAGES = [to_language(locale) for locale in LOCALES]
ISOLATED = re.compile("\u2068[^\u2069]*\u2069")
SAME = re.compile(r"\b(alice|bob|carol|mod|[0-9a-f]{64}|\d{4}-\d\d-\d\d \d\d:\d\d UTC)\b", re.IGNORECASE)
"""The cast, seals, and the house's way to write a moment."""


@dataclass
class Message:
    """A text of the code with what stands for it: one text, or one for each plural form."""

    flags: set[str] = field(default_factory=set)
    parts: dict[str, str] = field(default_factory=dict)

    @property
    def said(self) -> list[str]:
        return [text for key, text in self.parts.items() if key.startswith("msgstr")]

    @property
    def sources(self) -> list[str]:
        return [self.parts[key] for key in ("msgid", "msgid_plural") if key in self.parts]

    @property
    def key(self) -> str:
        """As gettext has it in a compiled catalogue."""
        context = self.parts.get("msgctxt")
        return self.parts["msgid"] if context is None else f"{context}\x04{self.parts['msgid']}"


def messages(locale: str) -> list[Message]:
    """All that the catalogue has, its header first."""
    return list(_read(path_of(locale, "po").read_text(encoding="utf-8")))


def path_of(locale: str, kind: str) -> Path:
    return FOLDER / locale / "LC_MESSAGES" / f"django.{kind}"


def _read(text: str) -> Iterator[Message]:
    for block in re.split(r"\n\s*\n", text):
        message, part = Message(), ""
        for line in block.splitlines():
            if line.startswith("#,"):
                message.flags |= {flag.strip() for flag in line[2:].split(",")}
            elif line and not line.startswith("#"):
                keyword, quoted = line.split('"', 1)
                part = keyword.strip() or part
                message.parts[part] = message.parts.get(part, "") + ast.literal_eval(f'"{quoted}')
        if message.parts:
            yield message


def read(text: str) -> set[str]:
    """What can be read of a page or a text, piece by piece, without what is the same in every language."""
    pieces = words_of(text) if text.lstrip().startswith("<") else text.splitlines()
    for same in (LINKS, ISOLATED, NAMES, SAME):
        pieces = [same.sub("", piece) for piece in pieces]
    return {" ".join(piece.split()).strip(" :") for piece in pieces if LETTERS.search(piece)}


PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")


@cache
def same_on_purpose(language: str) -> re.Pattern[str]:
    """Words of the catalogue that are spelt as in English, also with something filled in, as in "2 min 17 s"."""
    found = messages(next(locale for locale in LOCALES if to_language(locale) == language))
    same = {said for message in found for said in message.said if said in message.sources}
    texts = (map(re.escape, PLACEHOLDER.split(text)) for text in same if LETTERS.search(PLACEHOLDER.sub("", text)))
    return re.compile("|".join("[^<>]+?".join(parts) for parts in texts))


def english_left(english: str, translated: str, language: str) -> set[str]:
    same = same_on_purpose(language)
    return {piece for piece in read(english) & read(translated) if not same.fullmatch(piece)}


def speak(client: Client, language: str) -> Client:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    return client
