"""Reports as they are stored: who says what about whom, and where to look; what stands there is read when shown."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.desk.acts import WHY_LENGTH
from games.matches.talk import Room

TEXT_LENGTH = 1000


class Report(models.Model):
    """One complaint. It points to matches, lines and people, and copies nothing: what is deleted is gone here too."""

    class Place(models.TextChoices):
        MATCH = "match", _("Match")
        CHAT = "chat", _("Chat")
        PROFILE = "profile", _("Profile")

    class Reason(models.TextChoices):
        ABUSE = "abuse", _("Insults, threats, harassment")
        SPAM = "spam", _("Advertising or the same again and again")
        NAME = "name", _("An offensive name")
        CHEATING = "cheating", _("Cheating, or playing into each other’s hands")
        STALLING = "stalling", _("Stalling, or leaving matches")
        OTHER = "other", _("Something else")

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        UPHELD = "upheld", _("Upheld")
        DISMISSED = "dismissed", _("Dismissed")

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="reports_written",
        verbose_name=_("reported by"),
    )
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="reports_about", verbose_name=_("about")
    )
    place = models.CharField(pgettext_lazy("of a report", "place"), max_length=8, choices=Place.choices)
    reason = models.CharField(_("reason"), max_length=10, choices=Reason.choices)
    text = models.CharField(_("text"), max_length=TEXT_LENGTH, blank=True)
    match = models.ForeignKey(
        "matches.Match",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="reports",
        verbose_name=_("match"),
    )
    # Moves that stood then, or the step of the replay at which it was written.
    ply = models.PositiveIntegerField(_("ply"), null=True, blank=True)
    # The slice of the chat: numbers of lines in a room. `line` is the reported one, where it is one.
    room = models.CharField(_("room"), max_length=10, choices=Room.choices, blank=True)
    line = models.PositiveIntegerField(_("line"), null=True, blank=True)
    first_line = models.PositiveIntegerField(_("first line"), null=True, blank=True)
    last_line = models.PositiveIntegerField(_("last line"), null=True, blank=True)
    created_at = models.DateTimeField(_("reported"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="reports_decided",
        verbose_name=_("decided by"),
    )
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    # Why it was decided so; for moderators alone.
    answer = models.CharField(_("answer"), max_length=WHY_LENGTH, blank=True)
    # The automatic mute for which it was counted: none counts for a second one.
    counted_for = models.ForeignKey(
        "desk.ModerationAct", null=True, blank=True, on_delete=models.PROTECT, related_name="reports_counted"
    )

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["-created_at", "-pk"]
        default_permissions = ("view",)
        permissions = [("handle_report", _("Can decide reports"))]
        indexes = [
            models.Index(fields=["state", "-created_at"], name="report_queue"),
            models.Index(fields=["about", "-created_at"], name="report_about"),
        ]
        constraints = [
            # Whoever has reported somebody for something waits for the answer.
            models.UniqueConstraint(
                fields=["by", "about", "reason"], condition=Q(state="open"), name="report_open_once"
            ),
            models.CheckConstraint(condition=~Q(by=F("about")), name="report_others"),
        ]

    def __str__(self) -> str:
        # Neither names nor words: this stands in logs.
        return f"{self.pk}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN
