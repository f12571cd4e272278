"""What the house has told somebody, as it is stored: a code and its parameters (the words: notice_texts.py)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Notice(models.Model):
    """One thing that a person was told. It stands on their pages until they have read it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    code = models.CharField(_("code"), max_length=32)
    # Plain data, by the code; nobody's name, since names change and are deleted.
    params = models.JSONField(_("parameters"), default=dict)
    created_at = models.DateTimeField(_("told"))
    read_at = models.DateTimeField(_("read"), null=True, blank=True)
    # When a mail that says the same is to be sent, or tried again; null: none is, any more.
    mail_due_at = models.DateTimeField(null=True, blank=True, editable=False)
    mail_tries = models.PositiveSmallIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["user"], condition=Q(read_at__isnull=True), name="notice_unread"),
            models.Index(fields=["mail_due_at"], condition=Q(mail_due_at__isnull=False), name="notice_mail"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.code}"
