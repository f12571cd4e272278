"""Lessons that people have done, as they are stored."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class LessonDone(models.Model):
    """A person has done a lesson of a game, once and for all."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lessons_done")
    game_slug = models.CharField(_("game"), max_length=32)
    lesson = models.CharField(_("lesson"), max_length=32)
    done_at = models.DateTimeField(_("done"))

    class Meta:
        verbose_name = _("lesson done")
        verbose_name_plural = _("lessons done")
        constraints = [models.UniqueConstraint(fields=["user", "game_slug", "lesson"], name="lesson_done_once")]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.game_slug} {self.lesson}"
