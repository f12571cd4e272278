"""The ledger of ratings as it is stored: a book a game, a rating a person, a line a change."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from games.matches.skill import MU, SHOWN_AT_FIRST, SIGMA


class RatingBook(models.Model):
    """The ratings of one game. Whoever changes any of them holds this row, so they change one match after the other."""

    game_slug = models.CharField(_("game"), max_length=32, primary_key=True)
    # The finish number given last; they rise by one.
    last_number = models.PositiveIntegerField(_("rated matches"), default=0)
    # Changes of a later edition are being prepared, and do not count yet.
    edition = models.PositiveIntegerField(default=1)
    # A match voided since has made everything from that finish number on wrong, until a keeper has recomputed it.
    stale_from = models.PositiveIntegerField(_("to be recomputed from"), null=True, blank=True)
    asked_at = models.DateTimeField(_("asked for"), null=True, blank=True)
    # How often that was asked for: tells a keeper that it was asked again meanwhile.
    asks = models.PositiveIntegerField(default=0)
    # A keeper is at it, and will have said so again by then unless it is gone.
    taken_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("ratings of a game")
        verbose_name_plural = _("ratings of games")

    def __str__(self) -> str:
        return self.game_slug


class Rating(models.Model):
    """What is believed of one person's skill in one game. Who has deleted the account leaves it without a name."""

    book = models.ForeignKey(RatingBook, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="ratings"
    )
    mu = models.FloatField(default=MU)
    sigma = models.FloatField(default=SIGMA)
    shown = models.IntegerField(_("rating"), default=SHOWN_AT_FIRST)
    matches = models.PositiveIntegerField(_("rated matches"), default=0)
    # The finish number of the last change.
    last_number = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [models.UniqueConstraint(fields=["book", "user"], name="rating_once")]
        indexes = [models.Index(fields=["book", "-shown"], name="rating_best")]

    def __str__(self) -> str:
        return f"{self.book_id}/{self.user_id}: {self.shown}"


class RatingChangeQuerySet(models.QuerySet["RatingChange"]):
    def in_force(self) -> RatingChangeQuerySet:
        """Without what is being prepared."""
        return self.filter(edition__lte=F("book__edition"))


class RatingChange(models.Model):
    """A line of the ledger: what one match did to one rating. Who played and where they ended are facts; the numbers
    before and after follow from the lines above, and are written anew, as another edition, when one of those falls."""

    class Result(models.TextChoices):
        WON = "won", _("won")
        SHARED = "shared", _("first place shared")
        LOST = "lost", _("lost")

    book = models.ForeignKey(RatingBook, on_delete=models.CASCADE, related_name="changes", db_index=False)
    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="rating_changes", db_index=False)
    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="changes", db_index=False)
    edition = models.PositiveIntegerField()
    finish_number = models.PositiveIntegerField(_("finish number"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    team = models.PositiveSmallIntegerField(_("team"))
    place = models.PositiveSmallIntegerField(_("place"))
    result = models.CharField(_("result"), max_length=8, choices=Result.choices)
    players = models.PositiveSmallIntegerField(_("players"))
    mode = models.CharField(_("mode"), max_length=32, blank=True)
    # Which of the person's rated matches of the game it was, from 1.
    nth = models.PositiveIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    shown_before = models.IntegerField(_("rating before"))
    mu_after = models.FloatField()
    sigma_after = models.FloatField()
    shown_after = models.IntegerField(_("rating after"))

    objects = RatingChangeQuerySet.as_manager()

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        ordering = ["book", "finish_number", "seat"]
        constraints = [models.UniqueConstraint(fields=["match", "seat", "edition"], name="rating_change_once")]
        indexes = [
            models.Index(fields=["book", "finish_number"], name="rating_change_number"),
            # All that a profile asks of the lines of a rating stands in the index itself.
            models.Index(
                fields=["rating", "nth", "players", "mode", "result", "shown_after", "edition", "book"],
                name="rating_change_nth",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.book_id}/{self.finish_number}/{self.seat}: {self.shown_before} to {self.shown_after}"
