"""Invitations as they are stored: who was asked by name to sit down at which table, and what they said."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Invitation(models.Model):
    """A person was asked to a table, once: whoever has declined is not asked again."""

    class State(models.TextChoices):
        OPEN = "open", _("Invited")
        ACCEPTED = "accepted", _("Accepted")
        DECLINED = "declined", _("Declined")

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations")
    # The table may have got another host since.
    inviter = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="invitations_sent"
    )
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.OPEN)
    invited_at = models.DateTimeField(_("invited"))

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="invitation_once")]
        indexes = [
            models.Index(fields=["user"], condition=models.Q(state="open"), name="invitation_open"),
            models.Index(fields=["inviter", "invited_at"], name="invitation_by"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.user_id}: {self.state}"
