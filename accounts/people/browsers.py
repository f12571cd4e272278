"""A browser and its system in words, from what it says of itself: enough to tell one's own devices apart. Pure."""

from __future__ import annotations

from django.utils.translation import gettext as _

# In this order: most browsers name those that they would like to be taken for, too.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Opera", "Opera"),
    ("Vivaldi", "Vivaldi"),
    ("SamsungBrowser", "Samsung Internet"),
    ("YaBrowser", "Yandex"),
    ("FxiOS", "Firefox"),
    ("Firefox", "Firefox"),
    ("CriOS", "Chrome"),
    ("HeadlessChrome", "Chrome"),
    ("Chrome", "Chrome"),
    ("Chromium", "Chromium"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
)


def browser_in_words(user_agent: str) -> str:
    """As "Firefox on Android"; of an unknown one what is known."""
    browser, system = _first(_BROWSERS, user_agent), _first(_SYSTEMS, user_agent)
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("an unknown browser")


def _first(known: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for mark, name in known if mark in text), "")
