"""Forms that do their work before the scripts have run: what is drawn for many readers gets the token of the one."""

from __future__ import annotations

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.matches.fragments.trust import trusted

MARK = "<!--token-->"
"""Stands in each form that is drawn without a request; no text that a person wrote has a `<`. What is pushed keeps it:
scripts send the token in a header."""


def with_tokens(request: HttpRequest, drawn: SafeString) -> SafeString:
    """A piece of the reader's page with their token in each of its forms."""
    if MARK not in drawn:
        return drawn
    field = format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request))
    return trusted(drawn.replace(MARK, field))
