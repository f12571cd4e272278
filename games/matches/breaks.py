"""Times for which clocks stand still, as they are stored: the house was down, or somebody is on vacation."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Heartbeat(models.Model):
    """One row: when a keeper last said that the house is open."""

    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.beat_at)


class Outage(models.Model):
    """A time for which the house was down: match time stood still, for every match that ran."""

    began_at = models.DateTimeField(_("began"))
    ended_at = models.DateTimeField(_("ended"))

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering = ["-began_at"]

    def __str__(self) -> str:
        return f"{self.began_at} to {self.ended_at}"


class Vacation(models.Model):
    """Days off: while it lasts, the person's clocks in matches by turns stand still.

    It lasts from `began_at` until the person comes back (`ended_at`), or until no days are left (`ends_at`).
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vacations")
    began_at = models.DateTimeField(_("began"))
    # When it ends at the latest, since no days are left; the person may come back before.
    ends_at = models.DateTimeField(_("ends"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("vacation")
        verbose_name_plural = _("vacations")
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=Q(ended_at__isnull=True), name="vacation_one_at_a_time")
        ]
        indexes = [models.Index(fields=["ends_at"], condition=Q(ended_at__isnull=True), name="vacation_ends")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.began_at} to {self.over_at}"

    @property
    def over_at(self) -> datetime:
        """When it is over, as far as is known."""
        return self.ended_at or self.ends_at
