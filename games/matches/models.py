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
from django.utils.translation import pgettext_lazy

from accounts.people.names import former_player
from games.contract.registry import Game, all_games, game_or_none, get_game
from games.contract.values import OPEN, Viewer

# Django looks for models here; those that stand in modules of their own are a subject each.
from games.matches.bests import SoloBest as SoloBest
from games.matches.breaks import Heartbeat as Heartbeat
from games.matches.breaks import Outage as Outage
from games.matches.breaks import Vacation as Vacation
from games.matches.invited import Invitation as Invitation
from games.matches.learned import LessonDone as LessonDone
from games.matches.ledger import Rating as Rating
from games.matches.ledger import RatingBook as RatingBook
from games.matches.ledger import RatingChange as RatingChange
from games.matches.reminders import Reminder as Reminder
from games.matches.reminders import TurnNotice as TurnNotice
from games.matches.talk import ChatLine as ChatLine


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
    # Unrated: where a player leaves, a bot stands in until they have their seat back (services/takeovers.py).
    bot_takes_over = models.BooleanField(_("a bot takes the seat of who leaves"), default=False, db_default=False)
    # In ms; null: no clock. Live it is the time for the whole match, by turns that for each move.
    clock_main = models.BigIntegerField(_("time in ms"), null=True, blank=True)
    clock_increment = models.PositiveIntegerField(_("time added a move in ms"), default=0)

    status = models.CharField(_("status"), max_length=8, choices=Status.choices, default=Status.TABLE)
    # Orders the fragments that show this match, and nothing else; rises with every change that others may know of.
    version = models.PositiveIntegerField(default=1)
    # Rises with everything that is stored, also with what only one seat may know: which snapshot a process keeps.
    revision = models.PositiveIntegerField(default=1)
    # Moves that stand, and the seats that may act now: read by lists without loading the position.
    ply = models.PositiveIntegerField(default=0)
    to_move = models.JSONField(default=list)
    deal = models.JSONField(null=True, blank=True)
    # The deal's seal, in hex: the hash is shown from the start, and with the nonce, told to nobody before the end,
    # everybody can check it. "" for matches from before deals were sealed.
    deal_hash = models.CharField(max_length=64, blank=True, default="", editable=False)
    deal_nonce = models.CharField(max_length=64, blank=True, default="", editable=False)
    position = models.JSONField(null=True, blank=True)
    # Match time up to which the position has been brought, in ms: no later move is older.
    reached = models.BigIntegerField(default=0)
    # When somebody must look at this match: a round, a flag, a bot's move, an idle table's end.
    due_at = models.DateTimeField(null=True, blank=True)

    created_at = models.DateTimeField(_("created"))
    touched_at = models.DateTimeField(_("last change"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    # The moment of match time 0: the start, and all the time for which the house was down since.
    epoch = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    # `outcome` is the rules' own; `standing` counts leavers behind all who stayed, and is what pages show.
    reason = models.CharField(_("reason"), max_length=16, blank=True)
    outcome = models.JSONField(null=True, blank=True)
    standing = models.JSONField(null=True, blank=True)
    # Of a rated match with a result: in which order those of its game ended. Stays when the match is voided.
    finish_number = models.PositiveIntegerField(_("finish number"), null=True, blank=True, editable=False)
    # The match after which this one was agreed upon; of each there is one at the most.
    rematch_of = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch", editable=False
    )

    # The seat that asks to take back the last move; and how many moves were taken back so far.
    takeback_by = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    takebacks = models.PositiveIntegerField(_("moves taken back"), default=0, editable=False)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        permissions = [("void_match", _("Can void a match"))]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="match_due"),
            models.Index(fields=["status", "-touched_at"], name="match_status_touched"),
            models.Index(fields=["-finished_at", "-id"], condition=Q(status="over"), name="match_finished"),
            # The lobby's: of all the rows they have only those that it shows, so they are used whatever a database
            # believes of how often a status occurs.
            models.Index(fields=["-created_at"], condition=Q(status="table", public=True), name="match_open"),
            models.Index(fields=["-touched_at"], condition=Q(status="running", public=True), name="match_public"),
        ]
        constraints = [models.UniqueConstraint(fields=["game_slug", "finish_number"], name="match_finish_number_once")]

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
        return game_or_none(self.game_slug) is not None

    @property
    def is_live_now(self) -> bool:
        """Whether people sit at it now, who should not be led away from its page."""
        return self.status == self.Status.RUNNING and self.pace == self.Pace.LIVE

    @property
    def in_real_time(self) -> bool:
        """Whether all play at once; then nothing that only a waiting claim has changed may be shown."""
        return self.is_playable and self.game.info.real_time

    @property
    def is_against_bots(self) -> bool:
        """Whether one person plays it, against bots alone."""
        kinds = [seat.kind for seat in self.seats.all()]
        return len(kinds) > 1 and kinds.count(Seat.Kind.BOT) == len(kinds) - 1

    @property
    def seal(self) -> dict[str, str] | None:
        """The `shuffle` of its record; None before it is over, and for a deal that was never sealed."""
        if self.status != self.Status.OVER or not self.deal_hash:
            return None
        return {"sha256": self.deal_hash, "nonce": self.deal_nonce}

    def turn_key(self, position: Any, seat: int) -> str:
        """The rules' turn key. After a move was taken back, none from before may fit again at the same ply."""
        key = self.game.rules.turn_key(position, seat)
        return f"{key}~{self.takebacks}" if self.takebacks else key

    def milliseconds(self, moment: datetime) -> int:
        """Match time at that moment, in whole milliseconds since the start, never negative."""
        assert self.epoch is not None
        return max(0, (moment - self.epoch) // timedelta(milliseconds=1))

    def moment_of(self, at: int) -> datetime:
        """The moment of that match time."""
        assert self.epoch is not None
        return self.epoch + timedelta(milliseconds=at)

    def first_at(self, moment: datetime) -> int:
        """The first match time, in whole milliseconds, that is not before that moment."""
        assert self.epoch is not None
        return -((self.epoch - moment) // timedelta(milliseconds=1))


class Seat(models.Model):
    """A place at a match, and who sits there."""

    class Kind(models.TextChoices):
        PERSON = "person", _("Person")
        STAND_IN = "stand-in", _("Stand-in")
        BOT = "bot", _("Bot")

    class Result(models.TextChoices):
        WON = "won", _("Won")
        SHARED = "shared", _("First place shared")
        LOST = "lost", _("Lost")
        ALONE = "alone", _("Played alone")
        NONE = "none", _("Without a result")

    class Exit(models.TextChoices):
        RESIGNED = "resigned", _("Resigned")
        FLAGGED = "flagged", _("Ran out of time")
        ABSENT = "absent", _("Was away")
        IDLE = "idle", _("Did not move")
        GONE = "gone", _("Was given up by the others")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField(_("seat"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices, default=Kind.PERSON)
    # Of the bot that plays it; a stand-in without one plays at random.
    level = models.CharField(_("bot level"), max_length=16, blank=True)
    # Stays after the player has left: a stand-in plays on, but the match stays theirs in the history.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    # Of a bot. What people are called is looked up when it is shown: see `shown_name`.
    name = models.CharField(_("name"), max_length=80, blank=True)
    ready = models.BooleanField(_("ready"), default=False)
    # Had said so, but was away from the page when the match would have begun: it is said until they are ready again.
    missed_start = models.BooleanField(default=False)
    has_moved = models.BooleanField(default=False)
    wants_end = models.BooleanField(_("would end the match without a result"), default=False)
    allows_takeback = models.BooleanField(default=False)
    # Since when its person would play once more, after the end.
    wants_rematch_at = models.DateTimeField(null=True, blank=True)
    # 1 for the first player who left, 2 for the next ...; null for who stayed.
    left_order = models.PositiveSmallIntegerField(_("left as number"), null=True, blank=True)
    # How the player left; or, of who is still there, that the others ended the match for want of a move.
    exit = models.CharField(_("went by"), max_length=8, choices=Exit.choices, blank=True)
    # Called the match off before everybody had moved once: no result, but it is counted.
    cancelled = models.BooleanField(_("cancelled the match"), default=False)
    # When its player left others alone in the match, or called it off, where that counts (services/leavers.py).
    abandoned_at = models.DateTimeField(_("left the others alone"), null=True, blank=True, editable=False)
    # Orders what only this seat is shown, within one version of the match.
    own_version = models.PositiveIntegerField(default=0)
    # Match time at which the bot on this seat acts next, in ms; null while it has nothing to do. Where it takes
    # thought: at which a keeper is to see to that (services/thoughts.py).
    acts_at = models.BigIntegerField(null=True, blank=True)
    # The clock: what is left of it in ms, and since which match time it runs (null while it stands).
    clock_left = models.BigIntegerField(null=True, blank=True)
    clock_since = models.BigIntegerField(null=True, blank=True)
    # By turns: match time up to which its player is on vacation at the most, in ms; null while they are not.
    away_until = models.BigIntegerField(null=True, blank=True)
    # In real time: whether it has claimed since the last round ended, and how many rounds it let pass in a row.
    has_claimed = models.BooleanField(default=False)
    idle_rounds = models.PositiveSmallIntegerField(default=0)

    # What the history lists and filters by, written when the match ends (services/histories.py); until then no time.
    # All of it stands at the match too: here it is so that one index has it, however many matches there are.
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)
    game_slug = models.CharField(max_length=32, blank=True, default="", editable=False)
    mode = models.CharField(max_length=32, blank=True, default="", editable=False)
    result = models.CharField(max_length=8, choices=Result.choices, blank=True, default="", editable=False)
    rated = models.BooleanField(default=False, editable=False)
    public = models.BooleanField(default=False, editable=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = pgettext_lazy("places at a table", "seats")
        ordering = ["index"]
        indexes = [
            # The order of a person's history, and behind it all that is filtered by or counted: no row is read in vain.
            models.Index(
                fields=["user", "-finished_at", "-match", "game_slug", "mode", "result", "rated", "public"],
                condition=Q(finished_at__isnull=False),
                name="seat_history",
            ),
            # What a person has under way, without all that they have finished.
            models.Index(fields=["user"], condition=Q(finished_at__isnull=True), name="seat_under_way"),
            # The few matches that a person has abandoned, without all those they have not.
            models.Index(
                fields=["user", "abandoned_at"], condition=Q(abandoned_at__isnull=False), name="seat_abandoned"
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="seat_index_once"),
            models.UniqueConstraint(fields=["match", "user"], condition=Q(user__isnull=False), name="seat_user_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.index}"

    @property
    def shown_name(self) -> str:
        """What the player is called now; "" for nobody. Asks for `user`, and where there is none, for `match`."""
        if self.user is not None:
            return self.user.shown_name
        if self.kind == self.Kind.BOT:
            return self.name
        # Whose row is gone has played all the same: at a match that has begun no seat is free.
        return former_player() if self.match.started_at is not None else ""

    @property
    def is_free(self) -> bool:
        return self.kind == self.Kind.PERSON and self.user_id is None

    @property
    def flags_at(self) -> int | None:
        """Match time at which its clock runs out, in ms; None while no clock runs."""
        if self.clock_since is None or self.clock_left is None:
            return None
        return self.clock_since + self.clock_left

    def time_left(self, at: int) -> int:
        """What is left on its clock at that match time, in ms; 0 also for who has none."""
        used = max(0, at - self.clock_since) if self.clock_since is not None else 0
        return max(0, (self.clock_left or 0) - used)

    @property
    def is_present(self) -> bool:
        """Whether its own person still plays it."""
        return self.kind == self.Kind.PERSON and self.user_id is not None

    @property
    def is_taken_over(self) -> bool:
        """Whether a bot stands in for its player, who may have it back while the match runs."""
        return self.kind == self.Kind.STAND_IN and self.level != ""


VOIDED = "voided"
"""Why a match is over that a moderator has voided: nothing that happened in it counts."""


def may_cancel(seats: Iterable[Seat]) -> bool:
    """Whether a match can still be called off: there is a seat that has not moved yet."""
    return not all(seat.has_moved for seat in seats)


ABANDON_AFTER = timedelta(days=14)
"""Without a clock: whoever has not moved for so long may be given up by the others."""


def idle_seats(match: Match, seats: Iterable[Seat], moment: datetime) -> list[Seat]:
    """Whose move the others have awaited for so long that they may end the match; nobody where a clock sees to it."""
    if match.status != Match.Status.RUNNING or match.clock_main is not None or match.in_real_time:
        return []
    if moment < match.moment_of(match.reached) + ABANDON_AFTER:
        return []
    return [seat for seat in seats if seat.is_present and seat.index in match.to_move]


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
    # By seat, what the clocks had left in ms as it arrived: where it is taken back, they have that again.
    clocks = models.JSONField(null=True, blank=True)
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

    @cached_property
    def is_told_alike(self) -> bool:
        """Whether all may know the same of it."""
        return self.text == self.public_text and all(event["audience"] is None for event in self.events)

    def seen_by(self, viewer: Viewer) -> str:
        """The move's text as that viewer may know it."""
        return self.text if viewer is OPEN or viewer == self.seat else self.public_text

    def as_record(self) -> dict[str, Any]:
        """The entry of a match record."""
        entry: dict[str, Any] = {"seat": self.seat, "move": self.text, "at": self.at}
        return {**entry, "lag": self.lag} if self.lag else entry


class LogEntry(models.Model):
    """Something in the log that is no move: what time or a waiting claim brought about, and acts of the house."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="entries")
    # Moves that stood before it.
    ply = models.PositiveIntegerField(_("ply"))
    at = models.BigIntegerField(_("match time in ms"))
    # Of the house (`texts.py` of this app says it), not of the game.
    of_house = models.BooleanField(_("of the house"), default=False)
    code = models.CharField(_("code"), max_length=32)
    params = models.JSONField(default=dict)
    # The one seat that may know of it while the match runs; null: everybody.
    seat = models.PositiveSmallIntegerField(_("for the seat"), null=True, blank=True)

    class Meta:
        verbose_name = _("log entry")
        verbose_name_plural = _("log entries")
        ordering = ["match", "id"]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.ply}: {self.code}"


class Presence(models.Model):
    """When somebody was last seen at a match they play, in any tab; and how long their line took then."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="presences")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="presences")
    last_seen = models.DateTimeField()
    # The low estimate of the round trip in ms, as the socket measured it, and when.
    lag = models.PositiveIntegerField(default=0)
    lag_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="presence_once")]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.user_id}: {self.last_seen}"
