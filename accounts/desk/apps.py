"""The Django app of the desk."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DeskConfig(AppConfig):
    name = "accounts.desk"
    label = "desk"
    verbose_name = _("Moderation")

    def ready(self) -> None:
        from accounts.desk.deletion import erase_what_came_after
        from games.matches.sweeper import ERRANDS

        if erase_what_came_after not in ERRANDS:
            ERRANDS.append(erase_what_came_after)
