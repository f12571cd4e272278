"""Matches as they are stored, for ever: a row a match, a row a seat, a row a move."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.contract.registry import Game, all_games, get_game
from games.contract.values import OPEN, Viewer


def new_slug() -> str:
    """A public name that tells nothing of how many matches there are, and when they began."""
    return secrets.token_hex(6)


def new_invite() -> str:
    """A token that nobody guesses: who has it may see a private table and sit down."""
    return secrets.token_urlsafe(16)


def known_games() -> list[str]:
    """Slugs of the games whose folders are there; matches of others are kept, and shown to nobody but moderators."""
    return [game.slug for game in all_games()]


class Match(models.Model):
    """One sitting of a game, from the table that waits for people to the result."""

    class Status(models.TextChoices):
        TABLE = "table", _("Waiting for players")
        RUNNING = "running", _("Running")
        OVER = "over", _("Over")
        CLOSED = "closed", _("Closed without a match")

    class Pace(models.TextChoices):
        LIVE = "live", _("Live")
        TURNS = "turns", _("By turns")

    class Seating(models.TextChoices):
        ARRANGED = "arranged", _("As arranged at the table")
        LOT = "lot", _("By lot")

    slug = models.CharField(max_length=24, unique=True, default=new_slug, editable=False)
    game_slug = models.CharField(_("game"), max_length=32)
    options = models.JSONField(default=dict)
    seat_count = models.PositiveSmallIntegerField(_("seats"))
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="hosted_matches"
    )
    public = models.BooleanField(_("public"), default=True)
    invite = models.CharField(max_length=32, default=new_invite, editable=False)
    pace = models.CharField(_("pace"), max_length=8, choices=Pace.choices, default=Pace.LIVE)
    seating = models.CharField(_("seating"), max_length=8, choices=Seating.choices, default=Seating.LOT)
    rated = models.BooleanField(_("rated"), default=False)

    status = models.CharField(_("status"), max_length=8, choices=Status.choices, default=Status.TABLE)
    # Orders the fragments that show this match, and nothing else; rises with every change.
    version = models.PositiveIntegerField(default=1)
    # Moves that stand, and the seats that may act now: read by lists without loading the position.
    ply = models.PositiveIntegerField(default=0)
    to_move = models.JSONField(default=list)
    deal = models.JSONField(null=True, blank=True)
    position = models.JSONField(null=True, blank=True)
    # Match time up to which the position has been brought, in ms: no later move is older.
    reached = models.BigIntegerField(default=0)
    # When somebody must look at this match: a bot's move, an idle table's end.
    due_at = models.DateTimeField(null=True, blank=True)

    created_at = models.DateTimeField(_("created"))
    touched_at = models.DateTimeField(_("last change"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    # `outcome` is the rules' own; `standing` counts leavers behind all who stayed, and is what pages show.
    reason = models.CharField(_("reason"), max_length=16, blank=True)
    outcome = models.JSONField(null=True, blank=True)
    standing = models.JSONField(null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        permissions = [("void_match", _("Can void a match"))]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="match_due"),
            models.Index(fields=["status", "-touched_at"], name="match_status_touched"),
            models.Index(fields=["-finished_at", "-id"], condition=Q(status="over"), name="match_finished"),
        ]

    def __str__(self) -> str:
        return f"{self.game_slug} {self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.slug])

    @cached_property
    def game(self) -> Game:
        """The game's folder. Raises `UnknownGame` if it has been removed."""
        return get_game(self.game_slug)

    @property
    def is_playable(self) -> bool:
        """Whether the game's folder is there."""
        return self.game_slug in known_games()

    def milliseconds(self, moment: datetime) -> int:
        """Match time at that moment, in whole milliseconds since the start, never negative."""
        assert self.started_at is not None
        return max(0, (moment - self.started_at) // timedelta(milliseconds=1))


class Seat(models.Model):
    """A place at a match, and who sits there."""

    class Kind(models.TextChoices):
        PERSON = "person", _("Person")
        STAND_IN = "stand-in", _("Stand-in")
        BOT = "bot", _("Bot")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField(_("seat"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices, default=Kind.PERSON)
    level = models.CharField(_("bot level"), max_length=16, blank=True)
    # Stays after the player has left: a stand-in plays on, but the match stays theirs in the history.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    # The display name at the start of the match, as the record keeps it.
    name = models.CharField(_("name"), max_length=80, blank=True)
    ready = models.BooleanField(_("ready"), default=False)
    has_moved = models.BooleanField(default=False)
    wants_end = models.BooleanField(_("would end the match without a result"), default=False)
    # 1 for the first player who left, 2 for the next ...; null for who stayed.
    left_order = models.PositiveSmallIntegerField(_("left as number"), null=True, blank=True)
    # Called the match off before everybody had moved once: no result, but it is counted.
    cancelled = models.BooleanField(_("cancelled the match"), default=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="seat_index_once"),
            models.UniqueConstraint(fields=["match", "user"], condition=Q(user__isnull=False), name="seat_user_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.index}"

    @property
    def shown_name(self) -> str:
        """The player's display name: as it was at the start, or as it is while the table waits; "" for nobody."""
        return self.name or (self.user.display_name if self.user is not None else "")

    @property
    def is_free(self) -> bool:
        return self.kind == self.Kind.PERSON and self.user_id is None

    @property
    def is_present(self) -> bool:
        """Whether its own person still plays it."""
        return self.kind == self.Kind.PERSON and self.user_id is not None


def may_cancel(seats: Iterable[Seat]) -> bool:
    """Whether a match can still be called off: there is a seat that has not moved yet."""
    return not all(seat.has_moved for seat in seats)


class Move(models.Model):
    """One move of the log: never changed, only marked undone."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves")
    ply = models.PositiveIntegerField(_("ply"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    # Who played it: the seat's person, a bot, or a stand-in.
    kind = models.CharField(_("played by"), max_length=8, choices=Seat.Kind.choices, default=Seat.Kind.PERSON)
    text = models.CharField(_("move"), max_length=120)
    # The move as all but its own seat may know it while the match runs.
    public_text = models.CharField(_("move, as others see it"), max_length=120)
    at = models.BigIntegerField(_("match time in ms"))
    lag = models.PositiveIntegerField(_("lag in ms"), default=0)
    key = models.CharField(_("idempotency key"), max_length=64, blank=True)
    undone = models.BooleanField(_("undone"), default=False)
    # What followed from it, with each event's audience; the log in words is made of these.
    events = models.JSONField(default=list)

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ["match", "ply", "id"]
        constraints = [
            models.UniqueConstraint(fields=["match", "ply"], condition=Q(undone=False), name="move_ply_once"),
            models.UniqueConstraint(fields=["match", "seat", "key"], condition=~Q(key=""), name="move_key_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.ply}: {self.public_text}"

    def seen_by(self, viewer: Viewer) -> str:
        """The move's text as that viewer may know it."""
        return self.text if viewer is OPEN or viewer == self.seat else self.public_text

    def as_record(self) -> dict[str, Any]:
        """The entry of a match record."""
        entry: dict[str, Any] = {"seat": self.seat, "move": self.text, "at": self.at}
        return {**entry, "lag": self.lag} if self.lag else entry
