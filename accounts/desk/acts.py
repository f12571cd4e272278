"""The log of moderation as it is stored: appended to, and never changed (append_only.py)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

WHY_LENGTH = 500


class What(models.TextChoices):
    WARN = "warn", _("Warned")
    MUTE = "mute", pgettext_lazy("by a moderator", "Muted")
    SUSPEND = "suspend", _("Suspended")
    BAN = "ban", _("Banned")
    RENAME = "rename", _("Renamed")
    HIDE_LINE = "hide-line", _("Line hidden")
    VOID = "void", _("Match voided")
    END = "end", _("Match ended")
    REMOVE_TABLE = "remove-table", _("Table removed")
    UPHOLD = "uphold", _("Report upheld")
    DISMISS = "dismiss", _("Report dismissed")
    UNDO = "undo", _("Undone")
    # Not by a moderator: somebody has deleted the account, and what was theirs is gone.
    REDACTION = "redaction", _("Account deleted")


class ModerationAct(models.Model):
    """One act: who has done what, to whom, at which match, why, and how things stood before and after.

    It holds ids and no names, so it can stay when an account is deleted. Nothing that it points to can be deleted.
    """

    # Null for the house itself, as it mutes without a moderator.
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="acts", verbose_name=_("who")
    )
    what = models.CharField(_("what"), max_length=16, choices=What.choices)
    whom = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="acts_upon", verbose_name=_("whom")
    )
    match = models.ForeignKey(
        "matches.Match", null=True, on_delete=models.PROTECT, related_name="acts", verbose_name=_("match")
    )
    report = models.ForeignKey(
        "desk.Report", null=True, on_delete=models.PROTECT, related_name="acts", verbose_name=_("report")
    )
    # As it is told to the person; empty for what the house does by itself.
    why = models.CharField(_("why"), max_length=WHY_LENGTH, blank=True)
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)
    at = models.DateTimeField(_("at"))
    # One at the most undoes another: of two at once, the second finds it done.
    undoes = models.OneToOneField(
        "self", null=True, on_delete=models.PROTECT, related_name="undone_by", verbose_name=_("undoes")
    )

    class Meta:
        verbose_name = _("act of moderation")
        verbose_name_plural = _("log of moderation")
        ordering = ["-at", "-pk"]
        default_permissions = ("view",)
        permissions = [
            ("warn_person", _("Can warn people")),
            ("mute_person", _("Can mute people")),
            ("suspend_person", _("Can suspend people")),
            ("ban_person", _("Can ban people")),
            ("rename_person", _("Can rename people")),
            ("hide_line", _("Can hide lines of chat")),
            ("end_match", _("Can end running matches")),
            ("remove_table", _("Can remove tables")),
        ]
        indexes = [models.Index(fields=["-at"], name="act_newest")]

    def __str__(self) -> str:
        # Neither names nor words of anybody: this stands in logs.
        return f"#{self.pk} {self.get_what_display()}"
