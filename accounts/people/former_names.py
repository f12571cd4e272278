"""What people were called before: rows of their own, so that they can be erased."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.people.names import DISPLAY_NAME_LENGTH


class FormerName(models.Model):
    """A display name that somebody had until they, or a moderator, changed it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(_("name"), max_length=DISPLAY_NAME_LENGTH)
    until = models.DateTimeField(_("until"))

    class Meta:
        verbose_name = _("former name")
        verbose_name_plural = _("former names")
        ordering = ["-until"]

    def __str__(self) -> str:
        return f"{self.user_id}"
