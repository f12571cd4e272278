"""Each language that has a catalogue is whole: nothing untranslated, nothing broken by translating."""

from __future__ import annotations

import gettext
import re
from collections import Counter
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils.translation import get_supported_language_variant

from accounts.people.models import User
from tests.config.catalogues import LANGUAGES, LOCALES, Message, english_left, messages, path_of, speak

PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}|</?\w+[^>]*>")


def test_what_is_offered_is_what_has_a_catalogue() -> None:
    assert {code for code, _name in settings.LANGUAGES} == {"en", *LANGUAGES}
    assert "es" in LANGUAGES


@pytest.mark.parametrize("locale", LOCALES)
def test_every_text_is_translated(locale: str) -> None:
    """None is missing, and none is a guess (fuzzy) that nobody has looked at."""
    found = messages(locale)
    assert len(found) > 1000
    assert [message.parts["msgid"] for message in found if not message.said or not all(message.said)] == []
    assert [message.parts["msgid"] for message in found if "fuzzy" in message.flags] == []


@pytest.mark.parametrize("locale", LOCALES)
def test_every_plural_form_is_there(locale: str) -> None:
    header, *found = messages(locale)
    forms = int(re.findall(r"nplurals=(\d)", header.said[0])[0])
    plurals = [message for message in found if len(message.sources) == 2]
    assert plurals
    assert all(len(message.said) == forms for message in plurals)


@pytest.mark.parametrize("locale", LOCALES)
def test_placeholders_and_markup_survive_translation(locale: str) -> None:
    """A form for one may be like the text for one or the text for many."""

    def parts(text: str) -> Counter[str]:
        return Counter(PLACEHOLDER.findall(text))

    def broken(message: Message) -> bool:
        wanted = [parts(source) for source in message.sources]
        return any(parts(said) not in wanted for said in message.said)

    assert [message.parts["msgid"] for message in messages(locale)[1:] if broken(message)] == []


@pytest.mark.parametrize("locale", LOCALES)
def test_the_compiled_catalogue_is_that_of_the_source(locale: str) -> None:
    """Fresh machines have no msgfmt, so both are kept: `make messages` writes the one from the other."""
    with path_of(locale, "mo").open("rb") as file:
        compiled: dict[Any, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    wanted: dict[Any, str] = {}
    for message in messages(locale):
        if len(message.sources) == 2:
            wanted |= {(message.key, number): said for number, said in enumerate(message.said)}
        else:
            wanted[message.key] = message.said[0]
    wanted[""] = re.sub(r"POT-Creation-Date:.*\n", "", wanted[""])
    assert compiled == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_english_is_left_in_mails(alice: User, language: str) -> None:
    for spoken in ("en", language):
        client = speak(Client(), spoken)
        client.post(reverse("account_reset_password"), {"email": alice.email})
        client.post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    half = len(mail.outbox) // 2
    assert half == 2
    for english, translated in zip(mail.outbox[:half], mail.outbox[half:], strict=True):
        assert english.subject != translated.subject
        assert english_left(str(english.body), str(translated.body), language) == set()


@pytest.mark.parametrize("asked", ["zh-TW", "zh-HK", "zh-Hant-TW", "es-MX", "es-419"])
def test_relatives_of_a_language_get_it(asked: str) -> None:
    wanted = "es" if asked.startswith("es") else "zh-hant"
    if wanted in LANGUAGES:
        assert get_supported_language_variant(asked.lower()) == wanted
