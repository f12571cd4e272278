"""What is said at matches, as it is stored: a row a line, numbered in its room."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

LINE_LENGTH = 300
KEY_LENGTH = 64


class Room(models.TextChoices):
    """A match has two: what its players say, and what those who look on say of them."""

    PLAYERS = "players", _("Players")
    SPECTATORS = "spectators", _("Spectators")


class ChatLine(models.Model):
    """One line of chat: never changed, only hidden."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="lines", db_index=False)
    room = models.CharField(_("room"), max_length=10, choices=Room.choices)
    # 1 for the first line of its room, without gaps. Ids would not do for "what came after": of two transactions the
    # one with the lower id may be committed last, and who has seen the other would never be given it.
    number = models.PositiveIntegerField(_("number"))
    # Null for who has deleted the account.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="lines"
    )
    text = models.CharField(_("text"), max_length=LINE_LENGTH)
    created_at = models.DateTimeField(_("said"))
    # By a moderator: nobody is shown it any more.
    hidden = models.BooleanField(_("hidden"), default=False)
    key = models.CharField(_("idempotency key"), max_length=KEY_LENGTH, blank=True)

    class Meta:
        verbose_name = _("line of chat")
        verbose_name_plural = _("lines of chat")
        ordering = ["match", "room", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "room", "number"], name="line_number_once"),
            models.UniqueConstraint(fields=["match", "user", "key"], condition=~Q(key=""), name="line_key_once"),
        ]

    def __str__(self) -> str:
        # Not its text: what is said in a room stands in no log.
        return f"{self.match_id}/{self.room} {self.number}"
