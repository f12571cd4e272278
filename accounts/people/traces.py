"""From where people come, as moderators need it to find second accounts: keyed hashes, forgotten after 30 days."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

KEPT_FOR = timedelta(days=30)
HASH_LENGTH = 64


class Trace(models.Model):
    """That a person came from an address with a device. Neither is stored: an HMAC tells only whether two are one."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="traces", db_index=False)
    address = models.CharField(_("address, hashed"), max_length=HASH_LENGTH)
    # "" for who brought no cookie.
    device = models.CharField(_("device, hashed"), max_length=HASH_LENGTH, blank=True)
    seen_at = models.DateTimeField(_("seen"))

    class Meta:
        verbose_name = _("trace")
        verbose_name_plural = _("traces")
        constraints = [models.UniqueConstraint(fields=["user", "address", "device"], name="trace_once")]
        indexes = [
            models.Index(fields=["address", "seen_at"], name="trace_address"),
            models.Index(fields=["device", "seen_at"], name="trace_device"),
            models.Index(fields=["seen_at"], name="trace_seen"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}"
