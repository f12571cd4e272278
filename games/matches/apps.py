"""The Django app of the matches."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import pgettext_lazy


class MatchesConfig(AppConfig):
    name = "games.matches"
    label = "matches"
    verbose_name = pgettext_lazy("matches of the site", "Matches")
    default_auto_field = "django.db.models.BigAutoField"
