"""Best results of matches of one, as they are stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class SoloBest(models.Model):
    """The best match of one that a person has played with these options; kept, since there is a row for every try."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="solo_bests")
    game_slug = models.CharField(_("game"), max_length=32)
    # The options as one text: matches of one are compared where it is the same.
    variant = models.CharField(_("options"), max_length=200)
    match = models.OneToOneField("matches.Match", on_delete=models.CASCADE, related_name="solo_best")
    # The lower the better; of equal ones the earlier is listed first.
    score = models.BigIntegerField(_("score"))
    done_at = models.DateTimeField(_("done"))

    class Meta:
        verbose_name = _("best result of one")
        verbose_name_plural = _("best results of one")
        constraints = [models.UniqueConstraint(fields=["user", "game_slug", "variant"], name="solo_best_once")]
        indexes = [models.Index(fields=["game_slug", "variant", "score", "done_at", "id"], name="solo_best_order")]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.game_slug} {self.variant}: {self.score}"


def solo_variant(options: Mapping[str, Any]) -> str:
    """Complete options as the text of a variant."""
    return ",".join(f"{key}={options[key]}" for key in sorted(options))
