"""Pages as people's browsers ask for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.test import Client

from accounts.people.models import User
from games.matches.models import Match

HTMX = {"HX-Request": "true"}


def browser(user: User | None = None, **options: Any) -> Client:
    """A browser in which that person is logged in, or a guest's."""
    client = Client(**options)
    if user is not None:
        client.force_login(user)
    return client


def act(user: User | None, match: Match, name: str, form: Mapping[str, str] | None = None, *, htmx: bool = True) -> Any:
    """The answer to a form of the match's page."""
    headers = HTMX if htmx else {}
    return browser(user).post(f"/matches/{match.slug}/act/{name}/", dict(form or {}), headers=headers)


def table_form(**changed: str) -> dict[str, str]:
    """The form for a new table of M as its page would send it."""
    chosen = {"seats": "2", "option_start": "zigzag", "pace": "live", "seating": "lot", "visibility": "public"}
    return {**chosen, **changed}


def text_of(response: Any) -> str:
    content: bytes = response.content
    return content.decode()


def without_tokens(response: Any) -> str:
    """The page without the tokens that are drawn anew for every answer."""
    return re.sub(r'(csrfmiddlewaretoken" value=|X-CSRFToken": )"[A-Za-z0-9]{64}"', r'\1""', text_of(response))


def notice_in(response: Any) -> str | None:
    """The code of the refusal that an answer shows."""
    found = re.search(r'data-code="([^"]+)"', text_of(response))
    return found[1] if found else None


def slugs_in(response: Any) -> list[str]:
    """The matches that a page links to, each once, in order."""
    return list(dict.fromkeys(re.findall(r'href="/matches/([0-9a-f]+)/', text_of(response))))
