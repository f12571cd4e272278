"""What many tests of a file only read: made once in a process, and put back for each of them."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db.models import Model

Rows = list[tuple[type[Model], list[dict[str, Any]]]]


def all_rows() -> Rows:
    """Of people and matches, as they are stored now."""
    models = [model for label in ("people", "matches") for model in apps.get_app_config(label).get_models()]
    return [(model, list(model._base_manager.values())) for model in models]


def put_back(kept: Rows) -> None:
    """Into an empty house."""
    for model, rows in kept:
        model._base_manager.bulk_create([model(**row) for row in rows])
