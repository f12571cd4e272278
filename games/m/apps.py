"""M as a Django app, so that its templates and static files are found."""

from __future__ import annotations

from django.apps import AppConfig


class MConfig(AppConfig):
    name = "games.m"
    label = "m"
    verbose_name = "M"
