"""Which language a person reads: what the browser asks for, until they choose one.

A choice is kept by the browser, in Django's cookie, and with the person, for mails and for other browsers. Where the
two differ at a log-in, the browser's is the newer one.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from accounts.people.models import User
from accounts.people.services import save_language


def is_offered(language: str) -> bool:
    """Whether the site has a catalogue of this language; codes are those of `LANGUAGES`."""
    return language in dict(settings.LANGUAGES)


def offered_language(language: str) -> str:
    """This language, or the site's own where there is no catalogue of it."""
    return language if is_offered(language) else settings.LANGUAGE_CODE


def keep_language(response: HttpResponse, language: str) -> None:
    """Let the browser remember the language, as Django's `set_language` does."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH,
        domain=settings.LANGUAGE_COOKIE_DOMAIN,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite=settings.LANGUAGE_COOKIE_SAMESITE,  # type: ignore[arg-type]
    )


def agree_on_language(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """At a log-in: the person takes over what was chosen in this browser, or else the browser what the person reads."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    if not is_offered(chosen) and is_offered(user.language):
        keep_language(response, user.language)
        return
    language = chosen if is_offered(chosen) else translation.get_language()
    if language and language != user.language:
        save_language(user=user, language=language)
