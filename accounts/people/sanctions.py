"""Sanctions as they are stored: a row each, never deleted, at most lifted before its time; and banned addresses."""

from __future__ import annotations

from datetime import UTC, datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.people.addresses import keyed_hash

FOR_GOOD = datetime(9999, 12, 31, tzinfo=UTC)
"""The end of what has none."""


class Sanction(models.Model):
    """What somebody may not do for a while. What is in force stands at the user too, so that looking costs nothing."""

    class Kind(models.TextChoices):
        MUTE = "mute", pgettext_lazy("by a moderator", "Muted")
        SUSPENSION = "suspension", _("Suspended")
        BAN = "ban", _("Banned")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sanctions")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    # Told to the person, in the moderator's words; empty for those that the house imposes by itself.
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    since = models.DateTimeField(_("since"))
    until = models.DateTimeField(_("until"), default=FOR_GOOD)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    # By the house, without a moderator.
    automatic = models.BooleanField(_("automatic"), default=False)

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ["-since"]

    def __str__(self) -> str:
        return f"{self.kind} {self.user_id}"

    def is_in_force(self, moment: datetime) -> bool:
        """Whether it counts at that moment."""
        return self.lifted_at is None and self.since <= moment < self.until

    @property
    def is_for_good(self) -> bool:
        return self.until >= FOR_GOOD


class BannedAddress(models.Model):
    """An e-mail address that nobody signs up with until a ban ends: not itself, only its keyed hash.

    It outlives the account.
    """

    sanction = models.ForeignKey(Sanction, null=True, on_delete=models.SET_NULL, related_name="addresses")
    hash = models.CharField(max_length=64)
    until = models.DateTimeField(_("until"))

    class Meta:
        verbose_name = _("banned address")
        verbose_name_plural = _("banned addresses")
        indexes = [models.Index(fields=["hash", "until"], name="banned_address")]

    def __str__(self) -> str:
        return f"{self.hash[:8]}"


def hash_of_email(email: str) -> str:
    """The keyed hash of a mailbox: whatever the case, and without what is behind a plus, which many servers ignore."""
    name, _at, host = email.strip().casefold().rpartition("@")
    return keyed_hash("people.banned-address", f"{name.partition('+')[0]}@{host}")
