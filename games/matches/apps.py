"""The Django app of the matches."""

from __future__ import annotations

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "games.matches"
    label = "matches"
    verbose_name = "Matches"
    default_auto_field = "django.db.models.BigAutoField"
