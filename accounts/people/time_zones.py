"""In which time zone a person reads: the one they chose, else what their browser says, else the site's.

The browser says it by a cookie that the frame's script sets. It may hold anything, so it counts for nothing else. What
is stored, exported and recorded stays in UTC.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import tzinfo
from functools import cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

if TYPE_CHECKING:
    from accounts.people.models import User

COOKIE = "time_zone"
# Folders of old spellings; each of their zones has a name by its city, too.
_OLD = ("Etc/", "SystemV/", "US/", "Canada/", "Brazil/", "Chile/", "Mexico/")


@cache
def zone_names() -> tuple[str, ...]:
    """What one can choose: by region and city, and UTC."""
    named = (name for name in available_timezones() if "/" in name and not name.startswith(_OLD))
    return (*sorted(named), "UTC")


@cache
def _by_spelling() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in zone_names():
        # A city alone is enough, of several with one name the first.
        found.setdefault(name.rpartition("/")[2].casefold(), name)
    for name in (*available_timezones(), *zone_names()):
        found[name.casefold()] = name
    return found


def zone_called(text: str) -> str:
    """The name of the zone that somebody means, in any case, with blanks, or by its city alone; "" for none."""
    return _by_spelling().get("_".join(text.split()).casefold(), "")


def zone_of(user: User | None, cookies: Mapping[str, str] | None = None) -> tzinfo:
    """In which zone to show times to this person, or to the guest with these cookies."""
    for name in (user.time_zone if user is not None else "", (cookies or {}).get(COOKIE, "")):
        # By the list, since a name is also a path of a file.
        if name and (known := _by_spelling().get(name.casefold())):
            return ZoneInfo(known)
    return timezone.get_default_timezone()


def zone_said_by(request: HttpRequest) -> str:
    """The browser's zone, for a newcomer's settings; "" if it says none that there is."""
    return zone_called(request.COOKIES.get(COOKIE, ""))


@contextmanager
def shown_to(user: User | None, *, language: str, cookies: Mapping[str, str] | None = None) -> Iterator[None]:
    """What is drawn within is in that language, and its times are those of the person's zone."""
    with translation.override(language), timezone.override(zone_of(user, cookies)):
        yield


def show_to(user: User | None, *, language: str, cookies: Mapping[str, str] | None = None) -> None:
    """The same from now on, for as long as the context lasts in which this is called."""
    translation.activate(language)
    timezone.activate(zone_of(user, cookies))


def times_of_the_reader(respond: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware, after the one that knows who asks."""

    def middleware(request: HttpRequest) -> HttpResponse:
        # Who has no session is nobody: looking would make every page one that differs by cookie.
        known = settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
        with timezone.override(zone_of(request.user if known else None, request.COOKIES)):  # type: ignore[arg-type]
            return respond(request)

    return middleware
