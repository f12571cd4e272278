"""What is stored for writing to those whose turn it is: a row a person, and a row a seat."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Reminder(models.Model):
    """When a person was last at any page of the house, and what was written to them since."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reminder")
    seen_at = models.DateTimeField(_("last at a page"), null=True, blank=True)
    # When somebody must look whether a mail is to go; what is decided then goes by the truth of then.
    due_at = models.DateTimeField(null=True, blank=True)
    mailed_at = models.DateTimeField(_("last mail"), null=True, blank=True)
    warned_at = models.DateTimeField(_("last mail that time runs out"), null=True, blank=True)
    # A keeper is sending one, and will have said so by then unless it is gone.
    taken_until = models.DateTimeField(null=True, blank=True)
    # How often in a row it did not go.
    failures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("reminder")
        verbose_name_plural = _("reminders")
        indexes = [models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="reminder_due")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.due_at}"


class TurnNotice(models.Model):
    """What was written to the player on a seat of the turn that began with that ply; a row a seat, for its last one."""

    seat = models.OneToOneField("matches.Seat", on_delete=models.CASCADE, related_name="notice")
    ply = models.PositiveIntegerField()
    told = models.BooleanField(default=False)
    # Once more, that little is left of its time.
    warned = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.seat_id}/{self.ply}"
