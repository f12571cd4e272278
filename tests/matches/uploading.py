"""Bringing records to the desk: the form with a file, and what the answer says."""

from __future__ import annotations

import html
import re
from typing import Any

from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.matches.browsing import HTMX, browser, text_of

PAGE = "/records/"
REFUSED = "The record is not in order."


def bring(data: bytes, *, client: Client | None = None, htmx: bool = True, name: str = "a.json", **form: str) -> Any:
    """The answer to a form with this file."""
    filled = {**form, "file": SimpleUploadedFile(name, data)}
    return (client or browser()).post(PAGE, filled, headers=HTMX if htmx else {})


def said(answer: Any) -> str:
    """The notice of the answer, as it is read."""
    found = re.search(r'<p class="notice (?:good|bad)".*?</p>', text_of(answer), re.S)
    assert found is not None, text_of(answer)
    return html.unescape(re.sub(r"<[^>]+>", "", found[0]))


def rows_of_the_house() -> dict[str, int]:
    """How many rows each table has."""
    return {str(model._meta): model._default_manager.count() for model in apps.get_models()}
